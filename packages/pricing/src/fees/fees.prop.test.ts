import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyAsks, anyLeverage, anyOriginationTerms, anySlippage } from '../../testing/arbitraries.ts';
import {
  add,
  expectedOpenVenueFeeOf,
  leverageBps,
  lifetimeFeeOf,
  liquidationFeeOf,
  originationFeeBpsOf,
  originationFeeOf,
  partnerTradingFeeOf,
  pricePips,
  rateBps,
  raw,
  shownOriginationTiersOf,
  tokensFor,
  tokenUnits,
  toUsdPips,
  usdcUnits,
  venueFeeOf,
  venueFeeOfFills,
  venueFeeShareBpsOf,
  venueTradingFeeBpsOf,
  walkAsks,
} from '../index.ts';

const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(usdcUnits);
const anySchedule = fc.record({
  ratePpm: fc.bigInt({ min: 0n, max: 250_000n }),
  exponent: fc.bigInt({ min: 0n, max: 4n }),
});

describe('originationFeeOf', () => {
  test('the parts add up to the combined fee in every unit, and none is negative', () => {
    fc.assert(
      fc.property(anyUnits, anyLeverage, anyOriginationTerms, (notionalUsdcUnits, leverage, terms) => {
        const fee = originationFeeOf({ notionalUsdcUnits, leverageBps: leverage, terms });
        const parts = [
          [fee.protocolOriginationFeeBps, fee.partnerOriginationFeeBps, fee.originationFeeBps],
          [fee.protocolOriginationFeeUsdcUnits, fee.partnerOriginationFeeUsdcUnits, fee.originationFeeUsdcUnits],
          [fee.protocolOriginationFeeUsdPips, fee.partnerOriginationFeeUsdPips, fee.originationFeeUsdPips],
        ] as const;
        for (const [protocol, partner, combined] of parts) {
          expect(raw(protocol) + raw(partner)).toBe(raw(combined));
          expect(raw(protocol) >= 0n && raw(partner) >= 0n).toBe(true);
        }
        expect(fee.originationFeeUsdPips).toBe(toUsdPips(fee.originationFeeUsdcUnits, 'up'));
        expect(raw(fee.originationFeeBps) <= raw(terms.contractMaxOriginationFeeBps)).toBe(true);
      }),
    );
  });

  test('never falls with size or leverage, and follows the listed tiers literally', () => {
    fc.assert(
      fc.property(
        fc.tuple(anyUnits, anyUnits, anyLeverage, anyLeverage, anyOriginationTerms),
        ([n, more, a, b, terms]) => {
          const [low, high] = raw(a) < raw(b) ? [a, b] : [b, a];
          const small = originationFeeOf({ notionalUsdcUnits: n, leverageBps: low, terms });
          const large = originationFeeOf({ notionalUsdcUnits: add(n, more), leverageBps: high, terms });
          expect(raw(small.originationFeeUsdcUnits) <= raw(large.originationFeeUsdcUnits)).toBe(true);
          const tiers = shownOriginationTiersOf(terms);
          expect(raw(small.originationFeeBps)).toBe(raw(originationFeeBpsOf(tiers, low)));
        },
      ),
    );
  });

  test('throws for a leverage beyond the last tier', () => {
    const tiers = [{ maxLeverageBps: leverageBps(30_000n), feeBps: rateBps(75n) }];
    expect(raw(originationFeeBpsOf(tiers, leverageBps(30_000n)))).toBe(75n);
    expect(() => originationFeeBpsOf(tiers, leverageBps(32_500n))).toThrow(RangeError);
  });

  test("the protocol part shrinks where the contract's cap binds", () => {
    const terms = {
      originationTiers: [{ maxLeverageBps: leverageBps(100_000n), feeBps: rateBps(450n) }],
      partnerOriginationFeeBps: rateBps(100n),
      contractMaxOriginationFeeBps: rateBps(500n),
    };
    const fee = originationFeeOf({
      notionalUsdcUnits: usdcUnits(1_000_001n),
      leverageBps: leverageBps(20_000n),
      terms,
    });
    expect(raw(fee.originationFeeBps)).toBe(500n);
    expect(raw(fee.partnerOriginationFeeBps)).toBe(100n);
    expect(raw(fee.protocolOriginationFeeBps)).toBe(400n);
    expect(raw(fee.originationFeeUsdcUnits)).toBe(50_001n);
    expect(raw(fee.partnerOriginationFeeUsdcUnits)).toBe(10_000n);
    expect(raw(fee.originationFeeUsdPips)).toBe(501n);
    expect(raw(fee.partnerOriginationFeeUsdPips)).toBe(100n);
  });
});

describe('lifetimeFeeOf and liquidationFeeOf', () => {
  test('lifetime fee: monotone in time, and splitting adds at most one unit per cut', () => {
    const anySeconds = fc.integer({ min: 0, max: 40_000_000 });
    fc.assert(
      fc.property(
        fc.tuple(anyUnits, fc.bigInt({ min: 0n, max: 2_000n }).map(rateBps), anySeconds, anySeconds),
        ([p, apr, a, b]) => {
          const fee = (elapsedSeconds: number): bigint =>
            raw(lifetimeFeeOf({ principalUsdcUnits: p, lifetimeFeeAprBps: apr, elapsedSeconds }));
          const [whole, parts] = [fee(a + b), fee(a) + fee(b)];
          expect(whole <= parts && parts <= whole + 1n).toBe(true);
          expect(fee(a) <= whole).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('lifetime fee: a year at 10 % costs a tenth, a fraction rounds up to a unit, part of a second throws', () => {
    const fee = (principal: bigint, elapsedSeconds: number): bigint =>
      raw(
        lifetimeFeeOf({
          principalUsdcUnits: usdcUnits(principal),
          lifetimeFeeAprBps: rateBps(1_000n),
          elapsedSeconds,
        }),
      );
    expect(fee(1_000_000n, 31_536_000)).toBe(100_000n);
    expect(fee(1n, 1)).toBe(1n);
    expect(fee(1_000_000n, 0)).toBe(0n);
    expect(() => fee(1n, 0.5)).toThrow(RangeError);
  });

  test('liquidation fee: rounds up', () => {
    expect(raw(liquidationFeeOf(usdcUnits(101n), rateBps(100n)))).toBe(2n);
    expect(raw(liquidationFeeOf(usdcUnits(0n), rateBps(100n)))).toBe(0n);
  });
});

describe('venueFeeOf', () => {
  test("returns the venue's own examples", () => {
    type Example = readonly [tokens: bigint, price: bigint, ratePpm: bigint, exponent: bigint];
    const fee = ([tokens, price, ratePpm, exponent]: Example, rounding: 'up' | 'down'): bigint =>
      raw(
        venueFeeOf({
          tokenUnits: tokenUnits(tokens * 1_000_000n),
          pricePips: pricePips(price),
          schedule: { ratePpm, exponent },
          rounding,
        }),
      );
    expect(fee([100n, 5_000n, 70_000n, 1n], 'up')).toBe(1_750_000n);
    expect(fee([100n, 1_000n, 70_000n, 1n], 'up')).toBe(630_000n);
    expect(fee([100n, 9_900n, 70_000n, 1n], 'up')).toBe(69_300n);
    expect(fee([100n, 5_000n, 250_000n, 2n], 'up')).toBe(1_562_500n);
    expect(fee([25n, 1_300n, 50_000n, 1n], 'up')).toBe(141_380n);
    expect(fee([25n, 1_300n, 50_000n, 1n], 'down')).toBe(141_370n);
    expect(fee([100n, 5_000n, 0n, 1n], 'up')).toBe(0n);
  });

  test('moves in steps of 10 units, never falls with size, is symmetric in price', () => {
    const anyTokens = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(
        fc.tuple(anyTokens, anyTokens, fc.bigInt({ min: 1n, max: 9_999n }), anySchedule),
        ([a, b, price, schedule]) => {
          const fee = (tokens: bigint, at: bigint): bigint =>
            raw(venueFeeOf({ tokenUnits: tokenUnits(tokens), pricePips: pricePips(at), schedule, rounding: 'up' }));
          expect(fee(a, price) % 10n).toBe(0n);
          expect(fee(a, price) <= fee(a + b, price)).toBe(true);
          expect(fee(a, price)).toBe(fee(a, 10_000n - price));
        },
      ),
    );
  });

  test('venueFeeOfFills: one rounding never exceeds the sum of fills rounded apart', () => {
    fc.assert(
      fc.property(anyAsks, anyUnits, anySchedule, (asks, notionalUsdcUnits, schedule) => {
        const { fills } = walkAsks({ asks, notionalUsdcUnits });
        const whole = raw(venueFeeOfFills({ fills, schedule, rounding: 'up' }));
        let parts = 0n;
        for (const { tokenUnits: tokens, pricePips: price } of fills) {
          parts += raw(venueFeeOf({ tokenUnits: tokens, pricePips: price, schedule, rounding: 'up' }));
        }
        expect(whole <= parts && parts < whole + 10n * BigInt(fills.length + 1)).toBe(true);
      }),
    );
  });

  test('displayed rate and attested share', () => {
    expect(raw(venueTradingFeeBpsOf({ ratePpm: 70_055n, exponent: 1n }))).toBe(700n);
    const share = (price: bigint, exponent: bigint): bigint =>
      raw(venueFeeShareBpsOf({ pricePips: pricePips(price), schedule: { ratePpm: 70_000n, exponent } }));
    expect(share(5_000n, 1n)).toBe(350n);
    expect(share(5_001n, 1n)).toBe(350n);
    expect(share(5_000n, 0n)).toBe(1_400n);
    expect(share(5_000n, 2n)).toBe(88n);
    expect(() => share(0n, 0n)).toThrow(RangeError);
  });

  test('partnerTradingFeeOf: a flat share of the notional, rounded up', () => {
    expect(raw(partnerTradingFeeOf(usdcUnits(1_000_001n), rateBps(50n)))).toBe(5_001n);
  });
});

describe('expectedOpenVenueFeeOf', () => {
  const anyOpen = fc.record({
    best: fc.bigInt({ min: 300n, max: 9_700n }),
    notional: fc.bigInt({ min: 1_000_000n, max: 10n ** 10n }),
    slippageBps: anySlippage,
    tick: fc.constantFrom(1n, 10n, 100n),
    schedule: anySchedule,
  });

  test('covers every fill of the whole notional within the allowed prices', () => {
    fc.assert(
      fc.property(anyOpen, fc.bigInt({ min: 0n, max: 10_000n }), (open, position) => {
        const { best, notional, slippageBps, tick, schedule } = open;
        const notionalUsdcUnits = usdcUnits(notional);
        const asks = [{ pricePips: pricePips(best), sizeTokenUnits: tokenUnits(10n ** 15n) }];
        const { fills } = walkAsks({ asks, notionalUsdcUnits });
        const reserve = expectedOpenVenueFeeOf({
          fills,
          notionalUsdcUnits,
          entryPricePips: pricePips(best),
          bestAskPricePips: pricePips(best),
          slippageBps,
          tickPricePips: pricePips(tick),
          schedule,
        });
        expect(raw(reserve) % 10n).toBe(0n);
        // Any price between one slippage below the best ask and the worst entry the minimum tokens allow.
        const lowest = best - (best * raw(slippageBps)) / 10_000n;
        const highest = (best * 10_000n) / (10_000n - raw(slippageBps));
        const price = lowest + ((highest - lowest) * position) / 10_000n;
        if (price > 10_000n - tick) return;
        const fillFee = venueFeeOf({
          tokenUnits: tokensFor(notionalUsdcUnits, pricePips(price), 'down'),
          pricePips: pricePips(price),
          schedule,
          rounding: 'up',
        });
        expect(raw(fillFee) <= raw(reserve)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('equals the maximum of the definition for every walk', () => {
    const anyWalk = fc.record({
      asks: anyAsks,
      notional: fc.bigInt({ min: 100n, max: 10n ** 10n }),
      slippage: fc.bigInt({ min: 100n, max: 1_000n }),
      tick: fc.constantFrom(1n, 10n, 100n),
      schedule: anySchedule,
    });
    /** Build rate × q^(e − 1) × (1 − q)^e at q = price / scale, as a fraction of the notional, in steps of 10 units. */
    const shareOf =
      (notional: bigint, ratePpm: bigint, e: bigint) =>
      (price: bigint, scale: bigint): bigint => {
        const dividend = notional * ratePpm * (e === 0n ? scale : price ** (e - 1n) * (scale - price) ** e);
        const divisor = 1_000_000n * (e === 0n ? price : scale ** (2n * e - 1n));
        return ((dividend + divisor * 10n - 1n) / (divisor * 10n)) * 10n;
      };
    fc.assert(
      fc.property(anyWalk, ({ asks, notional, slippage, tick, schedule }) => {
        const walk = walkAsks({ asks, notionalUsdcUnits: usdcUnits(notional) });
        const [best] = walk.fills;
        if (best === undefined || walk.averagePricePips === null) return;
        const bestAsk = raw(best.pricePips);
        // No ask is below one tick.
        fc.pre(bestAsk >= tick);
        const { ratePpm, exponent: e } = schedule;
        const slip = (bestAsk * slippage + 9_999n) / 10_000n;
        const drop = slip > 2n * tick ? slip : 2n * tick;
        const lowest = bestAsk - drop > tick ? bestAsk - drop : tick;
        const dearest = (raw(walk.averagePricePips) * 10_000n + 9_999n - slippage) / (10_000n - slippage);
        const highest = dearest < 10_000n - tick ? dearest : 10_000n - tick;
        const share = shareOf(notional, ratePpm, e);
        const candidates = [
          raw(venueFeeOfFills({ fills: walk.fills, schedule, rounding: 'up' })),
          share(lowest, 10_000n),
          share(highest, 10_000n),
        ];
        const [peak, scale] = [e - 1n, 2n * e - 1n];
        const isInside = lowest * scale < peak * 10_000n && peak * 10_000n < highest * scale;
        if (e > 1n && isInside) candidates.push(share(peak, scale));
        const reserve = expectedOpenVenueFeeOf({
          fills: walk.fills,
          notionalUsdcUnits: usdcUnits(notional),
          entryPricePips: walk.averagePricePips,
          bestAskPricePips: best.pricePips,
          slippageBps: rateBps(slippage),
          tickPricePips: pricePips(tick),
          schedule,
        });
        expect(raw(reserve)).toBe(candidates.reduce((a, b) => (a > b ? a : b)));
      }),
      { numRuns: 3_000 },
    );
  });

  const feeOf = (input: {
    best: bigint;
    ratePpm: bigint;
    exponent: bigint;
    tick?: bigint;
    slippage?: bigint;
    mark?: bigint;
  }): bigint => {
    const notionalUsdcUnits = usdcUnits(100_000_000n);
    const asks = [{ pricePips: pricePips(input.best), sizeTokenUnits: tokenUnits(10n ** 12n) }];
    return raw(
      expectedOpenVenueFeeOf({
        fills: walkAsks({ asks, notionalUsdcUnits }).fills,
        notionalUsdcUnits,
        entryPricePips: pricePips(input.best),
        bestAskPricePips: pricePips(input.best),
        slippageBps: rateBps(input.slippage ?? 100n),
        tickPricePips: pricePips(input.tick ?? 100n),
        schedule: { ratePpm: input.ratePpm, exponent: input.exponent },
        ...(input.mark !== undefined && { markPricePips: pricePips(input.mark) }),
      }),
    );
  };

  test('covers a mark below the lowest fill; a mark above it changes nothing', () => {
    // 100 USD × 7 % × (1 − 0.40): the average is still far below an ask that has just risen.
    expect(feeOf({ best: 5_000n, ratePpm: 70_000n, exponent: 1n, mark: 4_000n })).toBe(4_200_000n);
    expect(feeOf({ best: 5_000n, ratePpm: 70_000n, exponent: 1n, mark: 4_900n })).toBe(3_640_000n);
    expect(feeOf({ best: 5_000n, ratePpm: 70_000n, exponent: 1n, mark: 0n })).toBe(6_930_000n);
  });

  test('exponent 1: priced at the lowest fill, two ticks or the slippage below the best ask', () => {
    // 100 USD × 7 % × (1 − 0.48): two ticks of a cent are more than 1 % of 0.50.
    expect(feeOf({ best: 5_000n, ratePpm: 70_000n, exponent: 1n })).toBe(3_640_000n);
    // 100 USD × 7 % × (1 − 0.45): 10 % of 0.50.
    expect(feeOf({ best: 5_000n, ratePpm: 70_000n, exponent: 1n, slippage: 1_000n })).toBe(3_850_000n);
    // No fill can be cheaper than one tick.
    expect(feeOf({ best: 200n, ratePpm: 70_000n, exponent: 1n })).toBe(6_930_000n);
  });

  test('exponent 2: priced at the peak when it is in range, else at the more expensive end', () => {
    // Share p × (1 − p)^2 peaks at 1/3 with 4/27.
    expect(feeOf({ best: 3_400n, ratePpm: 270_000n, exponent: 2n })).toBe(4_000_000n);
    // Below the peak the highest price is the dearest: entry 0.20 / 0.99 rounds up to 0.2021.
    expect(feeOf({ best: 2_000n, ratePpm: 250_000n, exponent: 2n, tick: 1n })).toBe(3_216_650n);
    // Above the peak the lowest does: 0.60 × 0.99.
    expect(feeOf({ best: 6_000n, ratePpm: 250_000n, exponent: 2n, tick: 1n })).toBe(2_447_820n);
    // The highest price stays a tick below a dollar.
    expect(feeOf({ best: 9_950n, ratePpm: 250_000n, exponent: 2n })).toBe(15_240n);
  });

  test('is zero without a rate', () => {
    expect(feeOf({ best: 5_000n, ratePpm: 0n, exponent: 1n })).toBe(0n);
  });
});
