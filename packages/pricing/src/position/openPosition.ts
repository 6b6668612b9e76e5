import { lifetimeFeeOf } from '../fees/lifetimeFee.ts';
import { liquidationPriceOf, liquidationThresholdOf } from '../liquidation/liquidationPrice.ts';
import { add, divide, max, multiplyDivide, subtract } from '../units/arithmetic.ts';
import { leverageOf, priceOf, ratioOf, toUsdPips, valueOf, wholeBps } from '../units/conversion.ts';
import { type RateBps, rateBps, raw, type UsdcUnits, usdcUnits, usdPips } from '../units/quantity.ts';
import type {
  CurrentFigures,
  EntryFigures,
  OpenFeeFigures,
  OpeningFill,
  OpenPosition,
  OpenPositionFigures,
  PositionLedger,
  PositionTerms,
  RiskFigures,
} from './openPositionFigures.ts';

const nothing = usdcUnits(0n);

/**
 * Figures of the opening: collateral and origination fee scaled by the share spent and rounded up, the notional as
 * spent, the effective price rounded up, its slippage against the quote rounded up (positive is worse for the user),
 * the filled share rounded down. The same for open and closed positions.
 */
export function entryFiguresOf(terms: PositionTerms, fill: OpeningFill | null): EntryFigures {
  const notional = fill === null ? terms.notionalUsdcUnits : fill.spentUsdcUnits;
  const scaled = (whole: UsdcUnits): UsdcUnits =>
    fill === null ? whole : multiplyDivide(whole, raw(fill.spentUsdcUnits), raw(terms.notionalUsdcUnits), 'up');
  const collateral = scaled(terms.collateralUsdcUnits);
  const origination = scaled(terms.originationFeeUsdcUnits);
  const effective = fill === null ? null : priceOf(fill.spentUsdcUnits, fill.deliveredTokenUnits, 'up');
  return {
    collateralUsdcUnits: collateral,
    collateralUsdPips: toUsdPips(collateral, 'down'),
    notionalUsdcUnits: notional,
    notionalUsdPips: toUsdPips(notional, 'down'),
    leverageBps: terms.leverageBps,
    pricePips: terms.entryPricePips,
    effectiveEntryPricePips: effective,
    effectiveSlippageBps:
      effective === null ? null : ratioOf(subtract(effective, terms.entryPricePips), terms.entryPricePips, 'up'),
    positionTokenUnits: fill === null ? terms.positionTokenUnits : fill.deliveredTokenUnits,
    initialFillBps: fill === null ? null : initialFillOf(terms, fill),
    originationFeeUsdcUnits: origination,
    originationFeeUsdPips: toUsdPips(origination, 'up'),
  };
}

function initialFillOf(terms: PositionTerms, fill: OpeningFill): RateBps {
  return fill.isComplete ? rateBps(wholeBps) : ratioOf(fill.spentUsdcUnits, terms.notionalUsdcUnits, 'down');
}

/** The ledger a pending position is shown with: the quote, nothing paid yet. */
function pendingLedgerOf(terms: PositionTerms): PositionLedger {
  return {
    tokenUnits: terms.positionTokenUnits,
    principalUsdcUnits: subtract(terms.notionalUsdcUnits, terms.collateralUsdcUnits),
    collateralUsdcUnits: terms.collateralUsdcUnits,
    pendingLifetimeFeeUsdcUnits: nothing,
    originationFeeUsdcUnits: terms.originationFeeUsdcUnits,
    openTradingFeeUsdcUnits: nothing,
    saleTradingFeeUsdcUnits: nothing,
  };
}

/**
 * Values an open-type position at a mark and a moment. Figures and rounding are those of DEFINITIONS 4: value and
 * liquidation price down, debt and fees up, PnL towards minus infinity.
 * @throws RangeError when seconds are not whole, or the collateral basis is 0.
 */
export function valueOpenPosition(position: OpenPosition): OpenPositionFigures {
  const { terms, fill, markPricePips } = position;
  const isPending = fill === null || position.ledger === null;
  const ledger = isPending || position.ledger === null ? pendingLedgerOf(terms) : position.ledger;
  const accrued = isPending
    ? nothing
    : lifetimeFeeOf({
        principalUsdcUnits: ledger.principalUsdcUnits,
        lifetimeFeeAprBps: terms.lifetimeFeeAprBps,
        elapsedSeconds: position.elapsedSeconds,
      });
  const value = valueOf(ledger.tokenUnits, markPricePips, 'down');
  return {
    entry: entryFiguresOf(terms, fill),
    current: currentFiguresOf({ position, ledger, accrued, value, isPending }),
    risk: riskFiguresOf({ position, ledger, accrued, value, isPending }),
    fees: feeFiguresOf(terms, ledger, accrued),
  };
}

interface Valuation {
  readonly position: OpenPosition;
  readonly ledger: PositionLedger;
  readonly accrued: UsdcUnits;
  readonly value: UsdcUnits;
  readonly isPending: boolean;
}

function currentFiguresOf({ position, ledger, accrued, value, isPending }: Valuation): CurrentFigures {
  const { principalUsdcUnits: principal, collateralUsdcUnits: collateral } = ledger;
  const equity = subtract(subtract(subtract(value, principal), accrued), ledger.pendingLifetimeFeeUsdcUnits);
  const effectiveCollateral = max(nothing, equity);
  const sold = subtract(add(value, ledger.saleTradingFeeUsdcUnits), principal);
  const unrealized = isPending ? nothing : subtract(subtract(sold, accrued), collateral);
  const opening = add(ledger.originationFeeUsdcUnits, ledger.openTradingFeeUsdcUnits);
  const net = isPending ? nothing : subtract(subtract(equity, collateral), opening);
  const book = add(collateral, principal);
  const hasEquity = raw(equity) > 0n;
  return {
    bookLeverageBps: leverageOf(book, collateral),
    leverageBps: position.structuralLeverageBps,
    marketLeverageBps: hasEquity ? leverageOf(value, equity) : null,
    markPricePips: position.markPricePips,
    notionalUsdcUnits: book,
    notionalUsdPips: toUsdPips(book, 'down'),
    positionTokenUnits: ledger.tokenUnits,
    remainingBps: position.fill === null ? null : ratioOf(ledger.tokenUnits, position.fill.deliveredTokenUnits, 'down'),
    collateralUsdcUnits: collateral,
    collateralUsdPips: toUsdPips(collateral, 'down'),
    effectiveCollateralUsdcUnits: effectiveCollateral,
    effectiveCollateralUsdPips: toUsdPips(effectiveCollateral, 'down'),
    unrealizedPnlUsdcUnits: unrealized,
    unrealizedPnlUsdPips: toUsdPips(unrealized, 'down'),
    unrealizedPnlBps: ratioOf(unrealized, collateral, 'down'),
    netUnrealizedPnlUsdcUnits: net,
    netUnrealizedPnlUsdPips: toUsdPips(net, 'down'),
    netUnrealizedPnlBps: ratioOf(net, collateral, 'down'),
    positionValueUsdcUnits: value,
    positionValueUsdPips: toUsdPips(value, 'down'),
  };
}

function riskFiguresOf({ position, ledger, accrued, value, isPending }: Valuation): RiskFigures {
  const { terms, fill, markPricePips } = position;
  const debt = {
    principalUsdcUnits: ledger.principalUsdcUnits,
    feesUsdcUnits: add(accrued, ledger.pendingLifetimeFeeUsdcUnits),
  };
  const liquidationPricePips = liquidationPriceOf({ ...debt, ...terms, tokenUnits: ledger.tokenUnits });
  const threshold = liquidationThresholdOf(debt, terms);
  const mark = raw(markPricePips);
  const marginBuffer = max(nothing, subtract(value, threshold));
  const health =
    isPending || fill === null || raw(ledger.principalUsdcUnits) === 0n
      ? wholeBps
      : healthOf({ mark, liquidation: raw(liquidationPricePips), reference: raw(fill.markPricePips) });
  return {
    healthBps: rateBps(health),
    currentLiquidationPricePips: liquidationPricePips,
    liquidationThresholdUsdcUnits: threshold,
    liquidationBufferBps: rateBps(
      mark === 0n ? 0n : divide((mark - raw(liquidationPricePips)) * wholeBps, mark, 'down'),
    ),
    liquidationFeeBps: terms.liquidationFeeBps,
    marginBufferUsdcUnits: marginBuffer,
    marginBufferUsdPips: toUsdPips(marginBuffer, 'down'),
  };
}

/** 0 at or below the liquidation price, 10,000 at or above the mark of the opening, in between the share of the way. */
function healthOf({ mark, liquidation, reference }: Readonly<Record<'mark' | 'liquidation' | 'reference', bigint>>) {
  if (mark <= liquidation) return 0n;
  if (mark >= reference) return wholeBps;
  return ((mark - liquidation) * wholeBps) / (reference - liquidation);
}

function feeFiguresOf(terms: PositionTerms, ledger: PositionLedger, accrued: UsdcUnits): OpenFeeFigures {
  const venue = add(ledger.openTradingFeeUsdcUnits, ledger.saleTradingFeeUsdcUnits);
  const parts = [ledger.originationFeeUsdcUnits, accrued, ledger.pendingLifetimeFeeUsdcUnits, venue];
  return {
    lifetimeFeeAprBps: terms.lifetimeFeeAprBps,
    accruedLifetimeFeeUsdcUnits: accrued,
    accruedLifetimeFeeUsdPips: toUsdPips(accrued, 'up'),
    pendingLifetimeFeeUsdcUnits: ledger.pendingLifetimeFeeUsdcUnits,
    pendingLifetimeFeeUsdPips: toUsdPips(ledger.pendingLifetimeFeeUsdcUnits, 'up'),
    accruedVenueFeeUsdcUnits: venue,
    accruedVenueFeeUsdPips: toUsdPips(venue, 'up'),
    totalFeesUsdcUnits: parts.reduce((total, part) => add(total, part), nothing),
    totalFeesUsdPips: parts.reduce((total, part) => add(total, toUsdPips(part, 'up')), usdPips(0n)),
  };
}
