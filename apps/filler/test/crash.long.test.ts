import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashes, liveThroughCrash } from '../testing/crashes.ts';
import { type FillerStack, type GrantMarket, startFillerStack } from '../testing/fillerStack.ts';

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
