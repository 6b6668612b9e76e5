import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLeverage, anyOriginationTerms, anySlippage, anyTradableAsks } from '../../testing/arbitraries.ts';
import { levels } from '../../testing/book.ts';
import { expectCompanions } from '../../testing/companions.ts';
import { anyMarket, anyRequest } from '../../testing/ladder.ts';
import {
  type BookLevel,
  clearableNotionalOf,
  expectedFillOf,
  type FeeSchedule,
  feeReportOf,
  leverageBps,
  maxGainOf,
  min,
  pricePips,
  quoteFiguresOf,
  rateBps,
  raw,
  reviseSize,
  tokenUnits,
  toUsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '../index.ts';

const fees: FeeSchedule = {
  originationTiers: [
    { maxLeverageBps: leverageBps(30_000n), feeBps: rateBps(75n) },
    { maxLeverageBps: leverageBps(100_000n), feeBps: rateBps(200n) },
  ],
  partnerOriginationFeeBps: rateBps(25n),
  contractMaxOriginationFeeBps: rateBps(500n),
  partnerTradingFeeBps: rateBps(50n),
  lifetimeFeeAprBps: rateBps(1_000n),
  liquidationFeeBps: rateBps(100n),
  venue: { ratePpm: 70_000n, exponent: 1n },
};

/** Fee schedules of partners. */
const anyFees: fc.Arbitrary<FeeSchedule> = fc
  .record({
    origination: anyOriginationTerms,
    trading: fc.bigInt({ min: 0n, max: 100n }),
    apr: fc.bigInt({ min: 0n, max: 2_000n }),
    liquidation: fc.bigInt({ min: 0n, max: 1_000n }),
    ratePpm: fc.bigInt({ min: 0n, max: 250_000n }),
    exponent: fc.bigInt({ min: 0n, max: 4n }),
  })
  .map(({ origination, trading, apr, liquidation, ratePpm, exponent }) => ({
    ...origination,
    partnerTradingFeeBps: rateBps(trading),
    lifetimeFeeAprBps: rateBps(apr),
    liquidationFeeBps: rateBps(liquidation),
    venue: { ratePpm, exponent },
  }));

/** Return a notional that the asks fill completely, or null for a book too thin to trade. */
function fillable(asks: readonly BookLevel[], notional: UsdPips): UsdPips | null {
  const everything = clearableNotionalOf({ asks, slippageBps: rateBps(1_000n) });
  return raw(everything) < 100n ? null : min(everything, notional);
}

describe('quoteFiguresOf', () => {
  test('returns every figure of one opening, computed by hand', () => {
    const figures = quoteFiguresOf({
      asks: levels([5_000, 100], [5_100, 1_000]),
      notionalUsdPips: usdPips(1_000_000n),
      leverageBps: leverageBps(40_000n),
      slippageBps: rateBps(200n),
      tickPricePips: pricePips(100n),
      exitBufferBps: rateBps(800n),
      fees,
    });
    expect(figures).toEqual({
      leverageBps: leverageBps(40_000n),
      notionalUsdPips: usdPips(1_000_000n),
      notionalUsdcUnits: usdcUnits(100_000_000n),
      collateralUsdcUnits: usdcUnits(25_000_000n),
      borrowUsdcUnits: usdcUnits(75_000_000n),
      // 100 tokens at 0.50, 50 USD at 0.51.
      positionTokenUnits: tokenUnits(198_039_215n),
      entryPricePips: pricePips(5_050n),
      minExpectedPositionTokenUnits: tokenUnits(194_078_430n),
      // 75 USD × 1.09 on all tokens, and on the minimum.
      currentLiquidationPricePips: pricePips(4_127n),
      worstLiquidationPricePips: pricePips(4_212n),
      maxLiquidationPricePips: pricePips(4_213n),
      originationFeeBps: rateBps(225n),
      originationFeeUsdcUnits: usdcUnits(2_250_000n),
      originationFeeUsdPips: usdPips(22_500n),
      protocolOriginationFeeBps: rateBps(200n),
      protocolOriginationFeeUsdcUnits: usdcUnits(2_000_000n),
      protocolOriginationFeeUsdPips: usdPips(20_000n),
      partnerOriginationFeeBps: rateBps(25n),
      partnerOriginationFeeUsdcUnits: usdcUnits(250_000n),
      partnerOriginationFeeUsdPips: usdPips(2_500n),
      // 100 USD × 7 % × (1 − 0.48), two ticks below the best ask.
      venueFeeUsdcUnits: usdcUnits(3_640_000n),
      venueTradingFeeBps: rateBps(700n),
      partnerTradingFeeBps: rateBps(50n),
      partnerTradingFeeUsdcUnits: usdcUnits(500_000n),
      partnerTradingFeeUsdPips: usdPips(5_000n),
      expectedOpenTradingFeeUsdcUnits: usdcUnits(4_140_000n),
      expectedOpenTradingFeeUsdPips: usdPips(41_400n),
      totalUserAmountUsdcUnits: usdcUnits(31_390_000n),
      totalUserAmountUsdPips: usdPips(313_900n),
      lifetimeFeeAprBps: rateBps(1_000n),
      liquidationFeeBps: rateBps(100n),
      grossMaxGainUsdcUnits: usdcUnits(98_039_215n),
      grossMaxGainUsdPips: usdPips(980_392n),
      netMaxGainUsdcUnits: usdcUnits(91_649_215n),
      netMaxGainUsdPips: usdPips(916_492n),
    });
  });

  test('identity, sums and order of the figures hold for every quote', () => {
    const anyWanted = fc.bigInt({ min: 50_000n, max: 30_000_000n }).map(usdPips);
    fc.assert(
      fc.property(
        fc.record({
          asks: anyTradableAsks,
          wanted: anyWanted,
          leverage: anyLeverage,
          slippageBps: anySlippage,
          schedule: anyFees,
          isPartialOpen: fc.boolean(),
        }),
        ({ asks, wanted, leverage, slippageBps, schedule, isPartialOpen }) => {
          const notionalUsdPips = isPartialOpen ? wanted : fillable(asks, wanted);
          if (notionalUsdPips === null) return;
          const q = quoteFiguresOf({
            asks,
            notionalUsdPips,
            leverageBps: leverage,
            slippageBps,
            isPartialOpen,
            tickPricePips: pricePips(10n),
            exitBufferBps: rateBps(800n),
            fees: schedule,
          });
          expect(raw(q.notionalUsdcUnits) * 10_000n).toBe(raw(q.collateralUsdcUnits) * raw(q.leverageBps));
          expect(q.notionalUsdPips).toBe(notionalUsdPips);
          expectCompanions(q, ['protocolOriginationFeeUsdPips']);
          const feesPaid = raw(q.originationFeeUsdcUnits) + raw(q.expectedOpenTradingFeeUsdcUnits);
          expect(raw(q.totalUserAmountUsdcUnits)).toBe(raw(q.collateralUsdcUnits) + feesPaid);
          expect(raw(q.expectedOpenTradingFeeUsdcUnits)).toBe(
            raw(q.venueFeeUsdcUnits) + raw(q.partnerTradingFeeUsdcUnits),
          );
          expect(raw(q.grossMaxGainUsdcUnits)).toBe(raw(q.positionTokenUnits) - raw(q.notionalUsdcUnits));
          expect(raw(q.netMaxGainUsdcUnits)).toBe(raw(q.grossMaxGainUsdcUnits) - feesPaid);
          expect(raw(q.minExpectedPositionTokenUnits) <= raw(q.positionTokenUnits)).toBe(true);
          expect(raw(q.currentLiquidationPricePips) <= raw(q.worstLiquidationPricePips)).toBe(true);
          // Tokens at the entry price never exceed the notional: entry is rounded against the user.
          expect(
            raw(q.positionTokenUnits) * raw(q.entryPricePips) >= raw(q.notionalUsdcUnits) * 10_000n - 10_000n,
          ).toBe(true);
          expect(raw(q.entryPricePips) >= raw(asks[0]?.pricePips ?? pricePips(0n))).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('throws for an atomic size beyond the book, and for a partial one without a book', () => {
    const book = { slippageBps: rateBps(100n), notionalUsdcUnits: usdcUnits(50_000_200n) };
    const asks = levels([5_000, 100]);
    expect(() => expectedFillOf({ ...book, asks, isPartialOpen: false })).toThrow(RangeError);
    expect(() => expectedFillOf({ ...book, asks: [], isPartialOpen: true })).toThrow(RangeError);
    // Snapping may add less than a pip beyond the book.
    const edge = expectedFillOf({ ...book, asks, notionalUsdcUnits: usdcUnits(50_000_038n), isPartialOpen: false });
    expect(raw(edge.tokenUnits)).toBe(100_000_000n);
    expect(raw(edge.entryPricePips)).toBe(5_001n);
  });

  test('partial-open prices the part that clears and counts tokens for all of it', () => {
    const asks = levels([5_000, 100], [9_000, 100]);
    const fill = expectedFillOf({
      asks,
      notionalUsdcUnits: toUsdcUnits(usdPips(1_000_000n)),
      slippageBps: rateBps(100n),
      isPartialOpen: true,
    });
    expect(raw(fill.entryPricePips)).toBe(5_050n);
    expect(raw(fill.tokenUnits)).toBe(198_019_801n);
    expect(raw(fill.minExpectedPositionTokenUnits)).toBe(196_039_602n);
  });
});

describe('maxGainOf', () => {
  test('may be negative, and is then rounded against the user', () => {
    const gain = maxGainOf({
      tokenUnits: tokenUnits(100_000_050n),
      notionalUsdcUnits: usdcUnits(99_000_000n),
      originationFeeUsdcUnits: usdcUnits(900_000n),
      expectedOpenTradingFeeUsdcUnits: usdcUnits(200_001n),
    });
    expect(gain).toEqual({
      grossMaxGainUsdcUnits: usdcUnits(1_000_050n),
      grossMaxGainUsdPips: usdPips(10_000n),
      netMaxGainUsdcUnits: usdcUnits(-99_951n),
      netMaxGainUsdPips: usdPips(-1_000n),
    });
  });

  test('the fill of an accepted size gives the same quote as a fresh walk', () => {
    fc.assert(
      fc.property(anyRequest, anyMarket, (request, market) => {
        const result = reviseSize(request, market);
        if (result.kind !== 'accepted') return;
        const input = {
          asks: market.asks,
          notionalUsdPips: result.notionalUsdPips,
          leverageBps: result.leverageBps,
          slippageBps: request.slippageBps,
          isPartialOpen: request.minFillBps !== null,
          tickPricePips: pricePips(10n),
          exitBufferBps: market.exitBufferBps,
          fees,
        };
        expect(quoteFiguresOf({ ...input, fill: result.fill })).toEqual(quoteFiguresOf(input));
        expect(quoteFiguresOf({ ...input, ...result })).toEqual(quoteFiguresOf(input));
      }),
    );
  });
});

describe('feeReportOf', () => {
  test('returns every figure of one report, computed by hand', () => {
    const report = feeReportOf({
      notionalUsdPips: usdPips(1_000_000n),
      leverageBps: leverageBps(50_000n),
      entryPricePips: pricePips(5_000n),
      fees,
    });
    expect(report).toMatchObject({
      collateralUsdcUnits: usdcUnits(20_000_000n),
      notionalUsdcUnits: usdcUnits(100_000_000n),
      notionalUsdPips: usdPips(1_000_000n),
      entryPricePips: pricePips(5_000n),
      positionTokenUnits: tokenUnits(200_000_000n),
      estimatedLiquidationPricePips: pricePips(4_040n),
      originationFeeBps: rateBps(225n),
      // 200 tokens × 7 % × 0.25, and 0.5 % of the notional.
      expectedOpenTradingFeeUsdcUnits: usdcUnits(4_000_000n),
      totalUserAmountUsdcUnits: usdcUnits(26_250_000n),
      grossMaxGainUsdcUnits: usdcUnits(100_000_000n),
      netMaxGainUsdcUnits: usdcUnits(93_750_000n),
    });
  });

  test('never has more headroom than the quote at the same price', () => {
    const anyEntry = fc.bigInt({ min: 300n, max: 9_700n });
    fc.assert(
      fc.property(fc.tuple(anyEntry, anyLeverage, anyFees, anySlippage), ([entry, leverage, schedule, slippageBps]) => {
        const shared = { notionalUsdPips: usdPips(1_000_000n), leverageBps: leverage, fees: schedule };
        const report = feeReportOf({ ...shared, entryPricePips: pricePips(entry) });
        const asks = [{ pricePips: pricePips(entry), sizeTokenUnits: tokenUnits(10n ** 13n) }];
        const quote = quoteFiguresOf({
          ...shared,
          asks,
          slippageBps,
          tickPricePips: pricePips(10n),
          exitBufferBps: rateBps(800n),
        });
        expect(raw(report.expectedOpenTradingFeeUsdcUnits) <= raw(quote.expectedOpenTradingFeeUsdcUnits)).toBe(true);
        expect(report.originationFeeUsdcUnits).toBe(quote.originationFeeUsdcUnits);
        expect(report.positionTokenUnits).toBe(quote.positionTokenUnits);
      }),
    );
  });
});
