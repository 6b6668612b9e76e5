import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJournal } from '../src/journal/journal.ts';
import { type FillerStack, type GrantMarket, hasExited, startFillerStack } from '../testing/fillerStack.ts';

let stack: FillerStack;
let market: GrantMarket;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
});
afterAll(() => stack?.close());

test('two fillers race for one grant: one fills it, and neither loses a unit', async () => {
  const running = await Promise.all(stack.fillers.map((account) => stack.startFiller(account)));
  const position = await stack.grantOpening(market);
  await stack.opens(position);
  const accounts = await Promise.all(stack.fillers.map((account) => stack.reconciled(account, market)));
  await Promise.all(running.map((filler) => filler.close()));
  const [loser, winner] = accounts.toSorted((left, right) => left.fillCount - right.fillCount);
  expect([loser?.fillCount, loser?.profitUsdcUnits, winner?.fillCount]).toEqual([0, 0n, 1]);
  expect(winner?.profitUsdcUnits).toBeGreaterThan(0n);
});

test('a filler dies with its fill signed, another fills the grant: the first one has its USDC to the unit', async () => {
  const [dead, other] = stack.fillers;
  const before = await stack.driver.usdcOf(dead.address);
  const child = stack.spawnFiller(dead, { failpoint: 'fill:after_intent', floatUsd: 10_000 });
  const position = await stack.grantOpening(market);
  await stack.grantUntil(position, 'the crash', async () => hasExited(child));
  expect(child.signalCode).toBe('SIGKILL');
  const second = await stack.startFiller(other);
  await stack.opens(position);
  await second.close();
  const first = await stack.startFiller(dead);
  await first.close();
  expect(readJournal(stack.journalOf(dead)).calls.size).toBe(0);
  expect(await stack.driver.usdcOf(dead.address)).toBe(before);
});
