import { rateBps, usdcUnits } from '@core/pricing';
import { PositionState } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJournal } from '../src/journal/journal.ts';
import { liveThroughCrash } from '../testing/crashes.ts';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';

let stack: FillerStack;
let market: GrantMarket;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
});
afterAll(() => stack?.close());

const terms = {
  marginBps: rateBps(10n),
  gasUsdcUnits: usdcUnits(10_000n),
  maximumFillUsdcUnits: usdcUnits(5_000_000_000n),
  restMs: 2_000,
};

test('a filler that rests its sales fills below what a taker pays, and sells what is left', async () => {
  const [account] = stack.fillers;
  const filler = await stack.startFiller(account, { terms });
  const position = await stack.grantOpening(market);
  const order = await stack.until('a resting order', async () =>
    [...readJournal(stack.journalOf(account)).orders.values()].find(({ orderType }) => orderType === 'GTC'),
  );
  expect(order.order.tokenId).toBe(market.noTokenId);
  expect(await stack.stateOf(position)).toBe(PositionState.Open);
  // Bids of .49 and its fee leave .5275 to a taker; 100 USD at .51 bring more tokens than that.
  const { tokenUnits } = await stack.driver.positionOf(position);
  expect(tokenUnits > 196_000_000n).toBe(true);
  const { fillCount, balanceUsdcUnits, openingUsdcUnits, profitUsdcUnits } = await stack.reconciled(account, market);
  expect(fillCount).toBe(1);
  expect(balanceUsdcUnits).toBe(openingUsdcUnits + profitUsdcUnits);
  await filler.close();
});

test('a filler that stops cancels its resting order, and another start sells the tokens', async () => {
  const [, account] = stack.fillers;
  const patient = await stack.startFiller(account, { terms: { ...terms, restMs: 60_000 } });
  await stack.grantOpening(market);
  await stack.until('a resting order', async () =>
    [...readJournal(stack.journalOf(account)).orders.values()].find(({ orderType }) => orderType === 'GTC'),
  );
  await patient.close();
  expect(readJournal(stack.journalOf(account)).orders.size).toBe(0);
  const filler = await stack.startFiller(account);
  await stack.reconciled(account, market);
  await filler.close();
});

test('a filler killed after its resting order was posted cancels it at the next start', async () => {
  const accounts = await liveThroughCrash(stack, market, {
    failpoint: 'post:after_send',
    floatUsd: 10_000,
    restSeconds: 60,
  });
  expect(accounts.balanceUsdcUnits).toBe(accounts.openingUsdcUnits + accounts.profitUsdcUnits);
});
