// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyAsks, anySlippage } from '../../testing/arbitraries.ts';
import { levels } from '../../testing/book.ts';
import {
  add,
  askDepthOf,
  type BookLevel,
  bestAskOf,
  bestBidOf,
  bidDepthOf,
  clearableNotionalOf,
  midPriceOf,
  pricePips,
  rateBps,
  raw,
  slippageOf,
  tokenUnits,
  toUsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
  walkAsks,
  walkAsksByTokens,
  walkBids,
} from '../index.ts';

const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 12n });

/** Return true when the exact walk meets the average price; cross-multiplied, because part of a level is a fraction. */
function clearsAt(asks: readonly BookLevel[], notional: UsdPips, slippage: bigint): boolean {
  const best = raw(asks[0]?.pricePips ?? pricePips(0n));
  let rest = raw(notional) * 1_000_000n;
  let tokens = { dividend: 0n, divisor: 1n };
  for (const level of asks) {
    const price = raw(level.pricePips);
    const worth = raw(level.sizeTokenUnits) * price;
    const spend = rest < worth ? rest : worth;
    tokens = { dividend: tokens.dividend * price + spend * tokens.divisor, divisor: tokens.divisor * price };
    rest -= spend;
  }
  const walk = walkAsks({ asks, notionalUsdcUnits: toUsdcUnits(notional) });
  if (rest > 0n || raw(walk.restUsdcUnits) > 0n) return false;
  return raw(notional) * 1_000_000n * 10_000n * tokens.divisor <= best * (10_000n + slippage) * tokens.dividend;
}

describe('walkAsks', () => {
  test('spends or leaves all money, pays at least the price of each level, takes the best levels first', () => {
    fc.assert(
      fc.property(anyAsks, anyUnits, (asks, units) => {
        const walk = walkAsks({ asks, notionalUsdcUnits: usdcUnits(units) });
        expect(raw(walk.spentUsdcUnits) + raw(walk.restUsdcUnits)).toBe(units);
        let [spent, tokens] = [0n, 0n];
        for (const fill of walk.fills) {
          spent += raw(fill.usdcUnits);
          tokens += raw(fill.tokenUnits);
          expect(raw(fill.tokenUnits) * raw(fill.pricePips) <= raw(fill.usdcUnits) * 10_000n).toBe(true);
        }
        expect(spent).toBe(raw(walk.spentUsdcUnits));
        expect(tokens).toBe(raw(walk.tokenUnits));
        expect(walk.worstPricePips).toBe(walk.fills.at(-1)?.pricePips ?? null);
        if (walk.averagePricePips !== null) {
          expect(raw(walk.averagePricePips) * tokens >= spent * 10_000n).toBe(true);
        }
      }),
    );
  });

  test('the average price falls with the notional by no more than rounding', () => {
    fc.assert(
      fc.property(anyAsks, anyUnits, anyUnits, (asks, a, b) => {
        const [small, large] = a < b ? [a, b] : [b, a];
        const first = walkAsks({ asks, notionalUsdcUnits: usdcUnits(small) });
        const second = walkAsks({ asks, notionalUsdcUnits: usdcUnits(large) });
        expect(raw(first.tokenUnits) <= raw(second.tokenUnits)).toBe(true);
        expect(raw(first.worstPricePips ?? pricePips(0n)) <= raw(second.worstPricePips ?? pricePips(0n))).toBe(true);
      }),
    );
  });

  test('a limit stops the walk at the first level above it', () => {
    const asks = levels([5_000, 10], [5_100, 10], [5_200, 10]);
    const walk = walkAsks({ asks, notionalUsdcUnits: usdcUnits(20_000_000n), limitPricePips: pricePips(5_150n) });
    expect(walk.fills.map((fill) => raw(fill.pricePips))).toEqual([5_000n, 5_100n]);
    expect(raw(walk.spentUsdcUnits)).toBe(10_100_000n);
    expect(raw(walk.worstPricePips ?? pricePips(0n))).toBe(5_100n);
  });

  test('an empty book fills nothing', () => {
    const walk = walkAsks({ asks: [], notionalUsdcUnits: usdcUnits(5n) });
    expect(walk).toMatchObject({ fills: [], averagePricePips: null, worstPricePips: null });
    expect(raw(walk.restUsdcUnits)).toBe(5n);
  });
});

describe('walkBids', () => {
  test('sells or leaves all tokens, and proceeds never exceed the worth of the levels', () => {
    fc.assert(
      fc.property(anyAsks, anyUnits, (asks, units) => {
        const bids = asks.toReversed();
        const walk = walkBids({ bids, tokenUnits: tokenUnits(units) });
        expect(raw(walk.tokenUnits) + raw(walk.restTokenUnits)).toBe(units);
        let proceeds = 0n;
        for (const fill of walk.fills) {
          proceeds += raw(fill.usdcUnits);
          expect(raw(fill.usdcUnits) * 10_000n <= raw(fill.tokenUnits) * raw(fill.pricePips)).toBe(true);
        }
        expect(proceeds).toBe(raw(walk.proceedsUsdcUnits));
        expect(walk.worstPricePips).toBe(walk.fills.at(-1)?.pricePips ?? null);
        if (walk.averagePricePips !== null) {
          expect(raw(walk.averagePricePips) * raw(walk.tokenUnits) <= proceeds * 10_000n).toBe(true);
        }
      }),
    );
  });

  test('a limit stops the walk at the first level below it; empty levels are skipped', () => {
    const bids = levels([5_000, 10], [4_950, 0], [4_900, 10], [4_800, 10]);
    const walk = walkBids({ bids, tokenUnits: tokenUnits(30_000_000n), limitPricePips: pricePips(4_900n) });
    expect(walk.fills.map((fill) => raw(fill.pricePips))).toEqual([5_000n, 4_900n]);
    expect(raw(walk.proceedsUsdcUnits)).toBe(9_900_000n);
    expect(raw(walk.averagePricePips ?? pricePips(0n))).toBe(4_950n);
    expect(walkBids({ bids: [], tokenUnits: tokenUnits(1n) }).averagePricePips).toBeNull();
  });
});

describe('walkAsksByTokens and walkBids', () => {
  test('tokens sold ahead are deducted from the best levels', () => {
    fc.assert(
      fc.property(anyAsks, anyUnits, anyUnits, (asks, first, second) => {
        const bids = asks.toReversed();
        const ahead = walkBids({ bids, tokenUnits: tokenUnits(first) });
        const both = walkBids({ bids, tokenUnits: tokenUnits(first + second) });
        const after = walkBids({ bids, tokenUnits: tokenUnits(second), aheadTokenUnits: tokenUnits(first) });
        expect(after.exactUsdcUnitsE4).toBe(both.exactUsdcUnitsE4 - ahead.exactUsdcUnitsE4);
        expect(raw(after.tokenUnits)).toBe(raw(both.tokenUnits) - raw(ahead.tokenUnits));
        expect(after.worstPricePips).toBe(after.fills.length === 0 ? null : both.worstPricePips);
      }),
    );
  });

  test('the exact worth equals that of the fills, and a purchase equals a sale down the same levels', () => {
    fc.assert(
      fc.property(anyAsks, anyUnits, (asks, units) => {
        const bought = walkAsksByTokens({ asks, tokenUnits: tokenUnits(units) });
        let worthE4 = 0n;
        for (const fill of bought.fills) worthE4 += raw(fill.tokenUnits) * raw(fill.pricePips);
        expect(bought.exactUsdcUnitsE4).toBe(worthE4);
        expect(bought).toEqual(
          expect.objectContaining({ fills: walkBids({ bids: asks, tokenUnits: tokenUnits(units) }).fills }),
        );
        expect(raw(bought.tokenUnits) + raw(bought.restTokenUnits)).toBe(units);
      }),
    );
  });

  test('a limit stops a purchase at the first level above it', () => {
    const asks = levels([5_000, 10], [5_100, 10], [5_200, 10]);
    const walk = walkAsksByTokens({ asks, tokenUnits: tokenUnits(30_000_000n), limitPricePips: pricePips(5_199n) });
    expect(raw(walk.restTokenUnits)).toBe(10_000_000n);
    expect(raw(walk.worstPricePips ?? pricePips(0n))).toBe(5_100n);
    expect(walk.exactUsdcUnitsE4).toBe(101_000n * 10_000n * 100n);
  });
});

describe('clearableNotionalOf', () => {
  test('the result clears and no larger notional does', () => {
    fc.assert(
      fc.property(anyAsks, anySlippage, fc.bigInt({ min: 1n, max: 10n ** 9n }), (asks, slippageBps, more) => {
        const clearable = clearableNotionalOf({ asks, slippageBps });
        expect(clearsAt(asks, clearable, raw(slippageBps))).toBe(true);
        expect(clearsAt(asks, add(clearable, usdPips(1n)), raw(slippageBps))).toBe(false);
        expect(clearsAt(asks, add(clearable, usdPips(more)), raw(slippageBps))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test('more slippage never clears less', () => {
    fc.assert(
      fc.property(anyAsks, anySlippage, anySlippage, (asks, a, b) => {
        const [low, high] = raw(a) < raw(b) ? [a, b] : [b, a];
        expect(
          raw(clearableNotionalOf({ asks, slippageBps: low })) <= raw(clearableNotionalOf({ asks, slippageBps: high })),
        ).toBe(true);
      }),
    );
  });

  test('returns the figures of worked examples', () => {
    expect(raw(clearableNotionalOf({ asks: [], slippageBps: rateBps(100n) }))).toBe(0n);
    const asks = levels([5_000, 100], [6_000, 100]);
    // 50 USD at 0.50, then x at 0.60 until the average is 0.505: x = 0.6 × (0.505 × 100 − 50) / (0.6 − 0.505).
    expect(raw(clearableNotionalOf({ asks, slippageBps: rateBps(100n) }))).toBe(531_578n);
    expect(raw(clearableNotionalOf({ asks, slippageBps: rateBps(5_000n) }))).toBe(1_100_000n);
    // 50.5 and 49.599 units are a pip together, but a walk can spend only 50 and 49 of them.
    const dust = [
      { pricePips: pricePips(5_000n), sizeTokenUnits: tokenUnits(101n) },
      { pricePips: pricePips(5_010n), sizeTokenUnits: tokenUnits(99n) },
    ];
    expect(raw(clearableNotionalOf({ asks: dust, slippageBps: rateBps(1_000n) }))).toBe(0n);
    const more = [...dust, { pricePips: pricePips(9_000n), sizeTokenUnits: tokenUnits(50n) }];
    expect(raw(clearableNotionalOf({ asks: more, slippageBps: rateBps(100n) }))).toBe(1n);
  });
});

describe('slippageOf', () => {
  test('returns the smallest slippage that clears', () => {
    fc.assert(
      fc.property(anyAsks, fc.bigInt({ min: 0n, max: 10n ** 8n }).map(usdPips), (asks, notionalUsdPips) => {
        const slippage = slippageOf({ asks, notionalUsdPips });
        if (slippage === null) {
          const everything = clearableNotionalOf({ asks, slippageBps: rateBps(10n ** 9n) });
          expect(raw(everything) < raw(notionalUsdPips)).toBe(true);
          return;
        }
        const clears = (bps: bigint): boolean =>
          raw(clearableNotionalOf({ asks, slippageBps: rateBps(bps) })) >= raw(notionalUsdPips);
        expect(clears(raw(slippage))).toBe(true);
        if (raw(slippage) > 0n) expect(clears(raw(slippage) - 1n)).toBe(false);
      }),
    );
  });

  test('returns null without a book', () => {
    expect(slippageOf({ asks: [], notionalUsdPips: usdPips(0n) })).toBeNull();
  });
});

describe('depth and marks', () => {
  const book = { bids: levels([4_900, 10], [4_800, 10]), asks: levels([5_001, 10], [5_200, 10]) };

  test('depth counts the levels within a price', () => {
    expect(raw(askDepthOf(book.asks, pricePips(5_001n)))).toBe(5_001_000n);
    expect(raw(askDepthOf(book.asks, pricePips(9_999n)))).toBe(10_201_000n);
    expect(raw(bidDepthOf(book.bids, pricePips(4_900n)))).toBe(4_900_000n);
    expect(raw(bidDepthOf(book.bids, pricePips(1n)))).toBe(9_700_000n);
    expect(raw(bidDepthOf(book.bids, pricePips(9_000n)))).toBe(0n);
  });

  test('midPriceOf: rounds down, and is null without both sides', () => {
    expect(raw(midPriceOf(book) ?? pricePips(0n))).toBe(4_950n);
    expect(midPriceOf({ ...book, bids: [] })).toBeNull();
    expect(midPriceOf({ ...book, asks: [] })).toBeNull();
    expect(bestAskOf({ bids: [], asks: [] })).toBeNull();
    expect(bestBidOf({ bids: [], asks: [] })).toBeNull();
  });
});
