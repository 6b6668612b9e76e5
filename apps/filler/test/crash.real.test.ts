import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveThroughCrash } from '../testing/crashes.ts';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';

let stack: FillerStack;
let market: GrantMarket;
beforeAll(async () => {
  stack = await startFillerStack();
  market = await stack.market();
});
afterAll(() => stack?.close());

test.each([
  { failpoint: 'fill:after_send', floatUsd: 10_000 },
  { failpoint: 'post:after_send', floatUsd: 150, price: '0.30' },
])(
  'a filler with a float of $floatUsd USD that is killed at $failpoint and started again → every effect once, accounts equal the chain',
  async (crash) => {
    const { balanceUsdcUnits, profitUsdcUnits, openingUsdcUnits } = await liveThroughCrash(stack, market, crash);
    expect(balanceUsdcUnits).toBe(openingUsdcUnits + profitUsdcUnits);
  },
);
