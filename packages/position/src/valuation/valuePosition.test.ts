import { leverageBps, pricePips, rateBps, raw, tokenUnits, usdcUnits, usdPips } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { sampleNowMs, samplePosition } from '../../testing/samples.ts';
import type { Position } from '../record/position.ts';
import type { ClosedFigures, OpenFigures } from './figures.ts';
import { valuePosition } from './valuePosition.ts';

const yearMs = 31_536_000_000;
const nowMs = sampleNowMs + yearMs;

/** Opened at 80 % of its size at 0.505, unwound once, for a year at the same principal. */
const position = samplePosition(1, {
  leverageBps: leverageBps(40_000n),
  quotedCollateralUsdcUnits: usdcUnits(25_000_000n),
  quotedNotionalUsdcUnits: usdcUnits(100_000_000n),
  entryPricePips: pricePips(5_000n),
  quotedTokenUnits: tokenUnits(200_000_000n),
  quotedOriginationFeeUsdcUnits: usdcUnits(1_500_001n),
  lifetimeFeeAprBps: rateBps(1_000n),
  liquidationFeeBps: rateBps(100n),
  exitBufferBps: rateBps(800n),
  contractMinFillBps: rateBps(2_000n),
  spentUsdcUnits: usdcUnits(80_000_000n),
  openedTokenUnits: tokenUnits(158_415_841n),
  openedMarkPricePips: pricePips(5_000n),
  tokenUnits: tokenUnits(120_000_000n),
  principalUsdcUnits: usdcUnits(40_000_000n),
  collateralUsdcUnits: usdcUnits(20_000_000n),
  pendingLifetimeFeeUsdcUnits: usdcUnits(30_001n),
  originationFeeUsdcUnits: usdcUnits(1_200_001n),
  openVenueFeeUsdcUnits: usdcUnits(2_000_000n),
  saleVenueFeeUsdcUnits: usdcUnits(500_050n),
  structuralLeverageBps: leverageBps(30_000n),
  openedAtMs: sampleNowMs,
  principalChangedAtMs: sampleNowMs,
  leverageChangedAtMs: sampleNowMs,
});

function openFiguresAt(mark: bigint, changes: Partial<Position> = {}): OpenFigures {
  const figures = valuePosition({ ...position, ...changes }, { markPricePips: pricePips(mark), nowMs });
  if (figures.kind !== 'open') throw new Error('the position is open');
  return figures;
}

describe('an open position', () => {
  test('every figure of one position, worked out by hand', () => {
    expect(openFiguresAt(4_500n)).toEqual({
      kind: 'open',
      status: 'open',
      effectiveLeverageBps: leverageBps(30_000n),
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
        openLatencyMs: sampleNowMs - position.createdAtMs,
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
        // A fifth of what was delivered, rounded up; all but 5 tokens.
        minPartialCloseTokenUnits: tokenUnits(31_683_169n),
        maxPartialCloseTokenUnits: tokenUnits(115_000_000n),
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
    const { current } = openFiguresAt(4_500n);
    const { originationFeeUsdcUnits: o, pendingLifetimeFeeUsdcUnits: d } = position;
    expect(raw(current.netUnrealizedPnlUsdcUnits)).toBe(
      raw(current.unrealizedPnlUsdcUnits) - raw(o) - raw(d) - 2_500_050n,
    );
  });

  test('pending: the quote, no PnL, full health, nothing recorded yet', () => {
    const unopened = {
      status: 'pending',
      chainState: 'pending',
      spentUsdcUnits: null,
      openedTokenUnits: null,
    } as const;
    // The pool lends with the first order, before anything is measured.
    for (const lent of [0n, 75_000_000n]) {
      const principalUsdcUnits = usdcUnits(lent);
      const books = { tokenUnits: tokenUnits(0n), openedAtMs: null, principalChangedAtMs: null, principalUsdcUnits };
      const figures = openFiguresAt(4_500n, { ...unopened, ...books, structuralLeverageBps: position.leverageBps });
      expect(figures.entry).toMatchObject({
        collateralUsdcUnits: position.quotedCollateralUsdcUnits,
        notionalUsdcUnits: position.quotedNotionalUsdcUnits,
        originationFeeUsdcUnits: position.quotedOriginationFeeUsdcUnits,
        positionTokenUnits: position.quotedTokenUnits,
        effectiveEntryPricePips: null,
        effectiveSlippageBps: null,
        initialFillBps: null,
      });
      expect(figures.current).toMatchObject({
        unrealizedPnlUsdcUnits: usdcUnits(0n),
        netUnrealizedPnlUsdcUnits: usdcUnits(0n),
        remainingBps: null,
        bookLeverageBps: leverageBps(40_000n),
        minPartialCloseTokenUnits: tokenUnits(0n),
        maxPartialCloseTokenUnits: tokenUnits(0n),
      });
      expect(figures.risk).toMatchObject({ healthBps: rateBps(10_000n) });
      expect(figures.fees).toMatchObject({
        accruedLifetimeFeeUsdcUnits: usdcUnits(0n),
        totalFeesUsdcUnits: position.quotedOriginationFeeUsdcUnits,
      });
      expect(figures.effectiveLeverageBps).toBe(position.leverageBps);
    }
  });

  test('a filled order counts as complete, also with a cent unspent', () => {
    const fillOf = (changes: Partial<Position>) => openFiguresAt(4_500n, changes).entry.initialFillBps;
    expect(fillOf({ spentUsdcUnits: usdcUnits(99_995_000n) })).toBe(rateBps(10_000n));
    expect(fillOf({ spentUsdcUnits: usdcUnits(99_989_999n) })).toBe(rateBps(9_998n));
    // The vault counts shares: the money spent may be a unit below the minimum fill.
    expect(fillOf({ spentUsdcUnits: usdcUnits(19_999_000n) })).toBe(rateBps(2_000n));
    // An atomic order fills whole or not at all.
    expect(fillOf({ contractMinFillBps: rateBps(10_000n) })).toBe(rateBps(10_000n));
  });

  test('slippage is rounded against the user, whichever way the fill went', () => {
    const slippageAt = (deliveredTokenUnits: bigint): readonly bigint[] => {
      const { entry } = openFiguresAt(4_500n, {
        entryPricePips: pricePips(4_700n),
        openedTokenUnits: tokenUnits(deliveredTokenUnits),
      });
      return [raw(entry.effectiveEntryPricePips ?? pricePips(0n)), raw(entry.effectiveSlippageBps ?? rateBps(0n))];
    };
    // 101 pips above 4,700 are 214.9 bps, 33 below are 70.2.
    expect(slippageAt(166_631_000n)).toEqual([4_802n, 218n]);
    expect(slippageAt(171_416_330n)).toEqual([4_667n, -70n]);
  });

  test('health runs from the mark of the opening to liquidation, and is full without debt', () => {
    const at = (mark: bigint): bigint => raw(openFiguresAt(mark).risk.healthBps);
    expect([at(3_998n), at(3_999n), at(4_000n), at(4_999n), at(5_000n), at(9_999n)]).toEqual([
      0n,
      0n,
      9n,
      9_990n,
      10_000n,
      10_000n,
    ]);
    const { risk } = openFiguresAt(0n, { principalUsdcUnits: usdcUnits(0n) });
    expect(risk).toMatchObject({
      healthBps: rateBps(10_000n),
      currentLiquidationPricePips: pricePips(0n),
      liquidationBufferBps: rateBps(0n),
      marginBufferUsdcUnits: usdcUnits(0n),
    });
  });

  test('an insolvent position has no market leverage and no collateral left', () => {
    const { current, risk } = openFiguresAt(3_000n);
    expect(current.marketLeverageBps).toBeNull();
    expect(current.effectiveCollateralUsdcUnits).toBe(usdcUnits(0n));
    expect(risk.liquidationBufferBps).toBe(rateBps(-3_330n));
  });

  test('without a mark the one of the opening is shown, and before it the price of the quote', () => {
    const markOf = (changes: Partial<Position>) => {
      const figures = valuePosition({ ...position, ...changes }, { markPricePips: null, nowMs });
      return figures.kind === 'open' ? figures.current.markPricePips : null;
    };
    expect(markOf({ openedMarkPricePips: pricePips(4_321n) })).toBe(pricePips(4_321n));
    expect(markOf({ openedMarkPricePips: null })).toBe(position.entryPricePips);
  });
});

describe('a finished position', () => {
  const closedPosition: Position = {
    ...position,
    status: 'liquidated',
    chainState: 'liquidated',
    closeReason: 'liquidated',
    closedAtMs: nowMs,
    leverageBpsSeconds: 25_000n * BigInt(yearMs / 1_000),
    leverageChangedAtMs: nowMs,
    repaidMarginUsdcUnits: usdcUnits(5_000_000n),
    proceedsUsdcUnits: usdcUnits(12_000_050n),
    totalOriginationFeeUsdcUnits: usdcUnits(1_200_001n),
    totalOpenVenueFeeUsdcUnits: usdcUnits(2_000_000n),
    totalSaleVenueFeeUsdcUnits: usdcUnits(500_050n),
    collectedLifetimeFeeUsdcUnits: usdcUnits(30_001n),
    collectedLiquidationFeeUsdcUnits: usdcUnits(400_000n),
  };
  const closedFiguresOf = (changes: Partial<Position> = {}): ClosedFigures => {
    const figures = valuePosition({ ...closedPosition, ...changes }, { markPricePips: null, nowMs: nowMs + yearMs });
    if (figures.kind !== 'closed') throw new Error('the position is finished');
    return figures;
  };

  test('every figure of one position, worked out by hand', () => {
    expect(closedFiguresOf()).toEqual({
      kind: 'closed',
      status: 'liquidated',
      closeReason: 'liquidated',
      // Until the end, not until now.
      effectiveLeverageBps: leverageBps(25_000n),
      entry: openFiguresAt(4_500n).entry,
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
        lifetimeFeeAprBps: rateBps(1_000n),
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
      // 25 of collateral, 1.500001 of origination and 3.5 for the venue.
      const refund = { status: 'cancelled', closeReason, refundedUsdcUnits: usdcUnits(30_000_001n) } as const;
      const { entry, result, fees } = closedFiguresOf({ ...refund, spentUsdcUnits: null, openedTokenUnits: null });
      expect(entry).toMatchObject({ originationFeeUsdcUnits: usdcUnits(0n), originationFeeUsdPips: usdPips(0n) });
      expect(result).toMatchObject({
        proceedsUsdcUnits: usdcUnits(25_000_000n),
        realizedPnlUsdcUnits: usdcUnits(0n),
        netRealizedPnlUsdcUnits: usdcUnits(0n),
        netRealizedPnlBps: rateBps(0n),
      });
      expect(fees).toMatchObject({ totalFeesUsdcUnits: usdcUnits(0n), totalFeesUsdPips: usdPips(0n) });
    }
    const nothing = { spentUsdcUnits: usdcUnits(0n), repaidMarginUsdcUnits: usdcUnits(0n) };
    expect(closedFiguresOf({ ...nothing, openedTokenUnits: null }).result.netRealizedPnlBps).toBe(rateBps(0n));
  });
});
