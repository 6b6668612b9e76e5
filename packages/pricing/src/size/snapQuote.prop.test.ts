import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLeverage, anyNotional } from '../../testing/arbitraries.ts';
import { leverageBps, raw, snapQuote, toUsdPips, usdPips } from '../index.ts';

/** Find the smallest collateral by its definition: count up until the notional is whole and covers the request. */
function smallestByCounting(notionalUnits: bigint, quarters: bigint): bigint {
  let collateral = (notionalUnits * 4n) / quarters;
  while (collateral * quarters < notionalUnits * 4n || (collateral * quarters) % 4n !== 0n) collateral += 1n;
  return collateral;
}

describe('snapQuote', () => {
  test('notional × 10,000 = collateral × leverage, floor pips equal the request, the excess is at most 38 units', () => {
    fc.assert(
      fc.property(anyNotional, anyLeverage, (notionalUsdPips, leverage) => {
        const size = snapQuote({ notionalUsdPips, leverageBps: leverage });
        const [c, n, b] = [size.collateralUsdcUnits, size.notionalUsdcUnits, size.borrowUsdcUnits].map(raw);
        expect(n).toBeDefined();
        if (n === undefined || c === undefined) return;
        expect(n * 10_000n).toBe(c * raw(leverage));
        expect(b).toBe(n - c);
        expect(raw(toUsdPips(size.notionalUsdcUnits, 'down'))).toBe(raw(notionalUsdPips));
        expect(n - raw(notionalUsdPips) * 100n <= 38n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('for every k in 6..40 the collateral is the smallest on the grid, and the excess reaches 38 at k = 39', () => {
    let largest = 0n;
    for (let quarters = 6n; quarters <= 40n; quarters += 1n) {
      for (let pips = 50_000n; pips < 50_250n; pips += 1n) {
        const size = snapQuote({ notionalUsdPips: usdPips(pips), leverageBps: leverageBps(quarters * 2_500n) });
        expect(raw(size.collateralUsdcUnits)).toBe(smallestByCounting(pips * 100n, quarters));
        const excess = raw(size.notionalUsdcUnits) - pips * 100n;
        if (excess > largest) largest = excess;
      }
    }
    expect(largest).toBe(38n);
  });

  test('throws for a leverage off the step', () => {
    for (const leverage of [0n, -2_500n, 20_001n, 2_499n]) {
      expect(() => snapQuote({ notionalUsdPips: usdPips(1n), leverageBps: leverageBps(leverage) })).toThrow(RangeError);
    }
  });
});
