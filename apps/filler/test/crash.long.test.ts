import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashes, liveThroughCrash } from '../testing/crashes.ts';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';
import { liveThroughCrashTogether } from '../testing/together.ts';

let stack: FillerStack;
let market: GrantMarket;
let count = 0;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
});
afterAll(() => stack?.close());

test.each(crashes)(
  'a filler with a float of $floatUsd USD that is killed at $failpoint → every effect once, accounts equal the chain',
  async (crash) => {
    count += 1;
    const { fillCount } = await liveThroughCrash(stack, market, crash);
    expect(fillCount).toBeLessThanOrEqual(count);
  },
);

test.each(['fill:after_intent', 'fill:before_end', 'post:after_intent', 'post:after_send'])(
  'a filler that fills three sales together is killed at %s → each is filled and booked once',
  async (failpoint) => {
    await stack.pin(market, '0.50');
    const { fills, bookedCount, accounts } = await liveThroughCrashTogether(stack, market, failpoint);
    const positionCount = new Set(fills.map(({ positionKey }) => positionKey)).size;
    expect([fills.length, positionCount, bookedCount]).toEqual([3, 3, 3]);
    expect(accounts.balanceUsdcUnits).toBe(accounts.openingUsdcUnits + accounts.profitUsdcUnits);
  },
);
