import { describe, expect, test } from 'vitest';
import {
  bookLeverageOf,
  type ClosedPosition,
  effectiveLeverageOf,
  leverageBps,
  type OpenPosition,
  openedLedgerOf,
  plannedPrincipalOf,
  plannedUnwindTokensOf,
  pricePips,
  rateBps,
  raw,
  timeToCloseMinutesOf,
  tokenUnits,
  unwindTokensOf,
  usdcUnits,
  usdPips,
  valueClosedPosition,
  valueOpenPosition,
} from '../index.ts';

const terms = {
  leverageBps: leverageBps(40_000n),
  collateralUsdcUnits: usdcUnits(25_000_000n),
  notionalUsdcUnits: usdcUnits(100_000_000n),
  entryPricePips: pricePips(5_000n),
  positionTokenUnits: tokenUnits(200_000_000n),
  originationFeeUsdcUnits: usdcUnits(1_500_001n),
  lifetimeFeeAprBps: rateBps(1_000n),
  liquidationFeeBps: rateBps(100n),
  exitBufferBps: rateBps(800n),
};

/** Opened at 80 % of its size at 0.505, unwound once, for a year at the same principal. */
const position: OpenPosition = {
  terms,
  fill: {
    spentUsdcUnits: usdcUnits(80_000_000n),
    deliveredTokenUnits: tokenUnits(158_415_841n),
    isComplete: false,
    markPricePips: pricePips(5_000n),
  },
  ledger: {
    tokenUnits: tokenUnits(120_000_000n),
    principalUsdcUnits: usdcUnits(40_000_000n),
    collateralUsdcUnits: usdcUnits(20_000_000n),
    pendingLifetimeFeeUsdcUnits: usdcUnits(30_001n),
    originationFeeUsdcUnits: usdcUnits(1_200_001n),
    openTradingFeeUsdcUnits: usdcUnits(2_000_000n),
    saleTradingFeeUsdcUnits: usdcUnits(500_050n),
  },
  structuralLeverageBps: leverageBps(30_000n),
  elapsedSeconds: 31_536_000,
  markPricePips: pricePips(4_500n),
};

describe('valueOpenPosition', () => {
  test('every figure of one position, worked out by hand', () => {
    expect(valueOpenPosition(position)).toEqual({
      entry: {
        collateralUsdcUnits: usdcUnits(20_000_000n),
        collateralUsdPips: usdPips(200_000n),
        notionalUsdcUnits: usdcUnits(80_000_000n),
        notionalUsdPips: usdPips(800_000n),
        leverageBps: leverageBps(40_000n),
        pricePips: pricePips(5_000n),
        // 80 / 158.415841 is 0.50500000…, rounded up past the whole pip.
        effectiveEntryPricePips: pricePips(5_051n),
        effectiveSlippageBps: rateBps(102n),
        positionTokenUnits: tokenUnits(158_415_841n),
        initialFillBps: rateBps(8_000n),
        originationFeeUsdcUnits: usdcUnits(1_200_001n),
        originationFeeUsdPips: usdPips(12_001n),
      },
      current: {
        bookLeverageBps: leverageBps(30_000n),
        leverageBps: leverageBps(30_000n),
        // Value 54, owed 40 + 4 + 0.030001.
        marketLeverageBps: leverageBps(54_162n),
        markPricePips: pricePips(4_500n),
        notionalUsdcUnits: usdcUnits(60_000_000n),
        notionalUsdPips: usdPips(600_000n),
        positionTokenUnits: tokenUnits(120_000_000n),
        remainingBps: rateBps(7_575n),
        collateralUsdcUnits: usdcUnits(20_000_000n),
        collateralUsdPips: usdPips(200_000n),
        effectiveCollateralUsdcUnits: usdcUnits(9_969_999n),
        effectiveCollateralUsdPips: usdPips(99_699n),
        // 54 + 0.50005 − 40 − 4 − 20.
        unrealizedPnlUsdcUnits: usdcUnits(-9_499_950n),
        unrealizedPnlUsdPips: usdPips(-95_000n),
        unrealizedPnlBps: rateBps(-4_750n),
        netUnrealizedPnlUsdcUnits: usdcUnits(-13_230_002n),
        netUnrealizedPnlUsdPips: usdPips(-132_301n),
        netUnrealizedPnlBps: rateBps(-6_616n),
        positionValueUsdcUnits: usdcUnits(54_000_000n),
        positionValueUsdPips: usdPips(540_000n),
      },
      risk: {
        // Liquidation at 0.3999: 501 of the 1,001 pips up to the mark of the opening.
        healthBps: rateBps(5_004n),
        currentLiquidationPricePips: pricePips(3_999n),
        liquidationThresholdUsdcUnits: usdcUnits(47_992_702n),
        liquidationBufferBps: rateBps(1_113n),
        liquidationFeeBps: rateBps(100n),
        marginBufferUsdcUnits: usdcUnits(6_007_298n),
        marginBufferUsdPips: usdPips(60_072n),
      },
      fees: {
        lifetimeFeeAprBps: rateBps(1_000n),
        accruedLifetimeFeeUsdcUnits: usdcUnits(4_000_000n),
        accruedLifetimeFeeUsdPips: usdPips(40_000n),
        pendingLifetimeFeeUsdcUnits: usdcUnits(30_001n),
        pendingLifetimeFeeUsdPips: usdPips(301n),
        accruedVenueFeeUsdcUnits: usdcUnits(2_500_050n),
        accruedVenueFeeUsdPips: usdPips(25_001n),
        totalFeesUsdcUnits: usdcUnits(7_730_052n),
        totalFeesUsdPips: usdPips(77_303n),
      },
    });
  });

  test('net is unrealized less origination, pending and venue fees', () => {
    const { current } = valueOpenPosition(position);
    const { originationFeeUsdcUnits: o, pendingLifetimeFeeUsdcUnits: d } = position.ledger ?? {
      originationFeeUsdcUnits: usdcUnits(0n),
      pendingLifetimeFeeUsdcUnits: usdcUnits(0n),
    };
    expect(raw(current.netUnrealizedPnlUsdcUnits)).toBe(
      raw(current.unrealizedPnlUsdcUnits) - raw(o) - raw(d) - 2_500_050n,
    );
  });

  test('pending: the quote, no PnL, full health, nothing recorded yet', () => {
    for (const pending of [
      { ...position, fill: null },
      { ...position, fill: null, ledger: null },
    ]) {
      const figures = valueOpenPosition({ ...pending, structuralLeverageBps: terms.leverageBps });
      expect(figures.entry).toMatchObject({
        collateralUsdcUnits: terms.collateralUsdcUnits,
        notionalUsdcUnits: terms.notionalUsdcUnits,
        originationFeeUsdcUnits: terms.originationFeeUsdcUnits,
        positionTokenUnits: terms.positionTokenUnits,
        effectiveEntryPricePips: null,
        effectiveSlippageBps: null,
        initialFillBps: null,
      });
      expect(figures.current).toMatchObject({
        unrealizedPnlUsdcUnits: usdcUnits(0n),
        netUnrealizedPnlUsdcUnits: usdcUnits(0n),
        remainingBps: null,
        bookLeverageBps: leverageBps(40_000n),
      });
      expect(figures.risk).toMatchObject({ healthBps: rateBps(10_000n) });
      expect(figures.fees).toMatchObject({
        accruedLifetimeFeeUsdcUnits: usdcUnits(0n),
        totalFeesUsdcUnits: terms.originationFeeUsdcUnits,
      });
    }
  });

  test('a filled order is filled, whatever the cent it left', () => {
    const { fill } = position;
    if (fill === null) throw new Error('filled');
    const complete = { ...fill, spentUsdcUnits: usdcUnits(99_995_000n), isComplete: true };
    const { entry } = valueOpenPosition({ ...position, fill: complete });
    expect(entry.initialFillBps).toBe(rateBps(10_000n));
  });

  test('slippage is rounded against the user, whichever way the fill went', () => {
    const { fill } = position;
    if (fill === null) throw new Error('filled');
    const slippageAt = (deliveredTokenUnits: bigint): readonly bigint[] => {
      const delivered = { ...fill, deliveredTokenUnits: tokenUnits(deliveredTokenUnits) };
      const { entry } = valueOpenPosition({
        ...position,
        terms: { ...terms, entryPricePips: pricePips(4_700n) },
        fill: delivered,
      });
      return [raw(entry.effectiveEntryPricePips ?? pricePips(0n)), raw(entry.effectiveSlippageBps ?? rateBps(0n))];
    };
    // 101 pips above 4,700 are 214.9 bps, 33 below are 70.2.
    expect(slippageAt(166_631_000n)).toEqual([4_802n, 218n]);
    expect(slippageAt(171_416_330n)).toEqual([4_667n, -70n]);
  });

  test('health runs from the mark of the opening to liquidation, and is full without debt', () => {
    const at = (mark: bigint): bigint =>
      raw(valueOpenPosition({ ...position, markPricePips: pricePips(mark) }).risk.healthBps);
    expect([at(3_998n), at(3_999n), at(4_000n), at(4_999n), at(5_000n), at(9_999n)]).toEqual([
      0n,
      0n,
      9n,
      9_990n,
      10_000n,
      10_000n,
    ]);
    const { ledger } = position;
    if (ledger === null) throw new Error('open');
    const free = { ...position, ledger: { ...ledger, principalUsdcUnits: usdcUnits(0n) } };
    const { risk } = valueOpenPosition({ ...free, markPricePips: pricePips(0n) });
    expect(risk).toMatchObject({
      healthBps: rateBps(10_000n),
      currentLiquidationPricePips: pricePips(0n),
      liquidationBufferBps: rateBps(0n),
      marginBufferUsdcUnits: usdcUnits(0n),
    });
  });

  test('an insolvent position has no market leverage and no collateral left', () => {
    const { current, risk } = valueOpenPosition({ ...position, markPricePips: pricePips(3_000n) });
    expect(current.marketLeverageBps).toBeNull();
    expect(current.effectiveCollateralUsdcUnits).toBe(usdcUnits(0n));
    expect(risk.liquidationBufferBps).toBe(rateBps(-3_330n));
  });
});

describe('valueClosedPosition', () => {
  const closed: ClosedPosition = {
    closeReason: 'liquidated',
    entryCollateralUsdcUnits: usdcUnits(20_000_000n),
    repaidMarginUsdcUnits: usdcUnits(5_000_000n),
    proceedsUsdcUnits: usdcUnits(12_000_050n),
    originationFeeUsdcUnits: usdcUnits(1_200_001n),
    openTradingFeeUsdcUnits: usdcUnits(2_000_000n),
    saleTradingFeeUsdcUnits: usdcUnits(500_050n),
    collectedLifetimeFeeUsdcUnits: usdcUnits(30_001n),
    collectedLiquidationFeeUsdcUnits: usdcUnits(400_000n),
  };

  test('every figure of one position, worked out by hand', () => {
    expect(valueClosedPosition(closed)).toEqual({
      result: {
        proceedsUsdcUnits: usdcUnits(12_000_050n),
        proceedsUsdPips: usdPips(120_000n),
        realizedPnlUsdcUnits: usdcUnits(-12_999_950n),
        realizedPnlUsdPips: usdPips(-130_000n),
        netRealizedPnlUsdcUnits: usdcUnits(-16_199_951n),
        netRealizedPnlUsdPips: usdPips(-162_000n),
        netRealizedPnlBps: rateBps(-6_480n),
        collectedLifetimeFeeUsdcUnits: usdcUnits(30_001n),
        collectedLifetimeFeeUsdPips: usdPips(301n),
        collectedLiquidationFeeUsdcUnits: usdcUnits(400_000n),
        collectedLiquidationFeeUsdPips: usdPips(4_000n),
      },
      fees: {
        totalLifetimeFeeUsdcUnits: usdcUnits(30_001n),
        totalLifetimeFeeUsdPips: usdPips(301n),
        totalVenueFeeUsdcUnits: usdcUnits(2_500_050n),
        totalVenueFeeUsdPips: usdPips(25_001n),
        totalFeesUsdcUnits: usdcUnits(4_130_052n),
        // 12,001 + 301 + 4,000 + 25,001: the pips shown.
        totalFeesUsdPips: usdPips(41_303n),
      },
    });
  });

  test('cancelled and reverted positions return the collateral: no PnL, no fees', () => {
    for (const closeReason of ['cancelled', 'reverted'] as const) {
      const { result, fees } = valueClosedPosition({
        ...closed,
        closeReason,
        proceedsUsdcUnits: usdcUnits(25_000_000n),
      });
      expect(result).toMatchObject({
        proceedsUsdcUnits: usdcUnits(25_000_000n),
        realizedPnlUsdcUnits: usdcUnits(0n),
        netRealizedPnlUsdcUnits: usdcUnits(0n),
        netRealizedPnlBps: rateBps(0n),
      });
      expect(fees).toMatchObject({ totalFeesUsdcUnits: usdcUnits(0n), totalFeesUsdPips: usdPips(0n) });
    }
    const nothing = { ...closed, entryCollateralUsdcUnits: usdcUnits(0n), repaidMarginUsdcUnits: usdcUnits(0n) };
    expect(valueClosedPosition(nothing).result.netRealizedPnlBps).toBe(rateBps(0n));
  });
});

describe('leverage and time', () => {
  test('book leverage counts collateral and principal', () => {
    const ledger = { collateralUsdcUnits: usdcUnits(30n), principalUsdcUnits: usdcUnits(20n) };
    expect(raw(bookLeverageOf(ledger))).toBe(16_666n);
  });

  test('effective leverage is weighted by time and rounded down', () => {
    const spans = [
      { fromSeconds: 100, leverageBps: leverageBps(40_000n) },
      { fromSeconds: 110, leverageBps: leverageBps(20_000n) },
      { fromSeconds: 130, leverageBps: leverageBps(10_000n) },
    ];
    expect(raw(effectiveLeverageOf(spans, 133))).toBe(25_151n);
    expect(raw(effectiveLeverageOf(spans.slice(0, 1), 133))).toBe(40_000n);
    expect(raw(effectiveLeverageOf(spans.slice(0, 1), 100))).toBe(40_000n);
    expect(() => effectiveLeverageOf([], 1)).toThrow(RangeError);
  });

  test('minutes to the close', () => {
    expect(timeToCloseMinutesOf(null, 5)).toBeNull();
    expect(timeToCloseMinutesOf(180_000, 60_001)).toBe(1);
    expect(timeToCloseMinutesOf(1, 60_000)).toBe(0);
  });
});

test('a fresh ledger owes no lifetime fee and has paid no sale', () => {
  const { fill } = position;
  if (fill === null) throw new Error('filled');
  const ledger = openedLedgerOf(terms, fill, {
    spentUsdcUnits: usdcUnits(82_000_000n),
    tradeUsdcUnits: usdcUnits(80_000_000n),
    tradingFeeUsdcUnits: usdcUnits(2_000_000n),
    principalUsdcUnits: usdcUnits(60_000_000n),
    poolRefundUsdcUnits: usdcUnits(15_000_000n),
    originationFeeUsdcUnits: usdcUnits(1_200_001n),
    userRefundUsdcUnits: usdcUnits(7_000_000n),
  });
  expect(ledger).toEqual({
    tokenUnits: fill.deliveredTokenUnits,
    principalUsdcUnits: usdcUnits(60_000_000n),
    collateralUsdcUnits: usdcUnits(20_000_000n),
    pendingLifetimeFeeUsdcUnits: usdcUnits(0n),
    originationFeeUsdcUnits: usdcUnits(1_200_001n),
    openTradingFeeUsdcUnits: usdcUnits(2_000_000n),
    saleTradingFeeUsdcUnits: usdcUnits(0n),
  });
});

describe('unwinding', () => {
  const sale = (target: bigint, price: bigint, debt = 40_000_000n): bigint =>
    raw(
      unwindTokensOf({
        debtUsdcUnits: usdcUnits(debt),
        heldTokenUnits: tokenUnits(100_000_000n),
        targetDebtPricePips: pricePips(target),
        netSalePricePips: pricePips(price),
      }),
    );

  test('sells (D − n·d′) / (g − d′), so that the rest owes the target per token', () => {
    expect(sale(3_000n, 5_000n)).toBe(50_000_000n);
    expect(sale(3_000n, 5_100n)).toBe(47_619_048n);
    expect(sale(0n, 5_000n)).toBe(80_000_000n);
  });

  test('nothing when the target holds, everything when the price cannot reach it', () => {
    expect(sale(4_000n, 5_000n)).toBe(0n);
    expect(sale(3_000n, 3_000n)).toBe(100_000_000n);
    expect(sale(0n, 3_000n)).toBe(100_000_000n);
  });

  test('planned rungs end at collateral × (L′ − 1)', () => {
    expect(raw(plannedPrincipalOf(usdcUnits(20_000_001n), leverageBps(17_500n)))).toBe(15_000_000n);
    expect(raw(plannedPrincipalOf(usdcUnits(20_000_001n), leverageBps(5_000n)))).toBe(0n);
    const tokens = (target: bigint, price: bigint): bigint =>
      raw(
        plannedUnwindTokensOf({
          principalUsdcUnits: usdcUnits(40_000_000n),
          targetPrincipalUsdcUnits: usdcUnits(target),
          heldTokenUnits: tokenUnits(100_000_000n),
          netSalePricePips: pricePips(price),
        }),
      );
    expect(tokens(15_000_000n, 4_999n)).toBe(50_010_003n);
    expect(tokens(40_000_000n, 4_999n)).toBe(0n);
    expect(tokens(0n, 3_000n)).toBe(100_000_000n);
    expect(tokens(0n, 0n)).toBe(100_000_000n);
  });
});
