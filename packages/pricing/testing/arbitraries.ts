import * as fc from 'fast-check';
import {
  type BookLevel,
  type LeverageBps,
  leverageBps,
  type OriginationTerms,
  pricePips,
  type RateBps,
  rateBps,
  tokenUnits,
  type UsdPips,
  usdPips,
} from '../src/index.ts';

/** Leverage steps that a quote may end at: 1.5x to 10x. */
export const anyLeverage: fc.Arbitrary<LeverageBps> = fc
  .bigInt({ min: 6n, max: 40n })
  .map((quarters) => leverageBps(quarters * 2_500n));

/** Notionals from 0.01 to 100,000 USD. */
export const anyNotional: fc.Arbitrary<UsdPips> = fc.bigInt({ min: 100n, max: 1_000_000_000n }).map(usdPips);

/** Slippages that a request may contain. */
export const anySlippage: fc.Arbitrary<RateBps> = fc.bigInt({ min: 100n, max: 1_000n }).map(rateBps);

/** Asks from best to worst on distinct prices, with dust levels among them. */
export const anyAsks: fc.Arbitrary<readonly BookLevel[]> = fc
  .uniqueArray(fc.bigInt({ min: 1n, max: 9_999n }), { minLength: 1, maxLength: 12 })
  .chain((prices) =>
    fc
      .array(fc.oneof(fc.bigInt({ min: 1n, max: 20_000n }), fc.bigInt({ min: 10_000n, max: 50_000_000_000n })), {
        minLength: prices.length,
        maxLength: prices.length,
      })
      .map((sizes) =>
        prices
          .sort((a, b) => (a < b ? -1 : 1))
          .map((price, index) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(sizes[index] ?? 1n) })),
      ),
  );

/** Asks of a tradable market: near one price, deep enough for the minimum. */
export const anyTradableAsks: fc.Arbitrary<readonly BookLevel[]> = fc
  .record({
    best: fc.bigInt({ min: 500n, max: 9_500n }),
    gaps: fc.array(fc.bigInt({ min: 1n, max: 150n }), { minLength: 1, maxLength: 15 }),
    sizes: fc.array(fc.bigInt({ min: 1_000_000n, max: 2_000_000_000n }), { minLength: 16, maxLength: 16 }),
  })
  .map(({ best, gaps, sizes }) => {
    let price = best;
    const levels: BookLevel[] = [];
    for (const [index, gap] of gaps.entries()) {
      if (price > 9_999n) break;
      levels.push({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(sizes[index] ?? 1_000_000n) });
      price += gap;
    }
    return levels;
  });

/** Origination terms of partners: tiers reach 10x and only rise. */
export const anyOriginationTerms: fc.Arbitrary<OriginationTerms> = fc
  .record({
    steps: fc.array(fc.bigInt({ min: 0n, max: 100n }), { minLength: 4, maxLength: 4 }),
    partner: fc.bigInt({ min: 0n, max: 100n }),
    cap: fc.bigInt({ min: 0n, max: 500n }),
  })
  .map(({ steps, partner, cap }) => {
    let fee = 0n;
    const originationTiers = [30_000n, 50_000n, 75_000n, 100_000n].map((maximum, index) => {
      fee += steps[index] ?? 0n;
      return { maxLeverageBps: leverageBps(maximum), feeBps: rateBps(fee) };
    });
    return {
      originationTiers,
      partnerOriginationFeeBps: rateBps(partner),
      contractMaxOriginationFeeBps: rateBps(cap),
    };
  });
