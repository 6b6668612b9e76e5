import { PositionState } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../src/commands.ts';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';

let stack: FillerStack;
let market: GrantMarket;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
});
afterAll(() => stack?.close());

test('a filler opens and closes a position, sells what is left, and its accounts equal the chain', async () => {
  const [account] = stack.fillers;
  const filler = await stack.startFiller(account);
  expect((await fetch(`${filler.metricsUrl}/readyz`)).status).toBe(200);
  const position = await stack.grantOpening(market);
  await stack.opens(position);
  await stack.grantClose(position);
  await stack.until('the close', async () =>
    (await stack.stateOf(position)) === PositionState.Closed ? true : undefined,
  );
  const { fillCount, profitUsdcUnits, balanceUsdcUnits, openingUsdcUnits } = await stack.reconciled(account, market);
  await filler.close();
  expect(fillCount).toBe(2);
  expect(profitUsdcUnits).toBeGreaterThan(0n);
  expect(balanceUsdcUnits).toBe(openingUsdcUnits + profitUsdcUnits);
});

test('a stopped filler fills nothing, and fills again once it is resumed', async () => {
  const [account] = stack.fillers;
  const environment = { FILLER_JOURNAL: stack.journalOf(account) };
  expect(await runCommand('stop', environment)).toBe(0);
  const filler = await stack.startFiller(account);
  const first = await stack.grantOpening(market);
  await stack.grantEnds(first);
  expect(await stack.stateOf(first)).toBe(PositionState.Pending);
  expect(await runCommand('resume', environment)).toBe(0);
  const second = await stack.grantOpening(market);
  await stack.opens(second);
  await filler.close();
  expect(await runCommand('pnl', environment)).toBe(0);
  expect(await runCommand('sell', environment)).toBe(1);
});
