import { add, isZero, rateBps, ratioOf, subtract, toUsdPips, type UsdcUnits, usdcUnits, usdPips } from '@core/pricing';
import { refundedCollateralOf } from '../ledger/refundedCollateral.ts';
import type { Position } from '../record/position.ts';
import type { CloseReason } from '../states/transitions.ts';
import { entryFiguresOf } from './entryFigures.ts';
import type { ClosedFeeFigures, EntryFigures, ResultFigures } from './figures.ts';

const nothing = usdcUnits(0n);

/** Figures of a finished position, with those of its entry. */
interface FinishedFigures {
  readonly entry: EntryFigures;
  readonly result: ResultFigures;
  readonly fees: ClosedFeeFigures;
}

/**
 * Figures of a finished position (DEFINITIONS 5), from whole-life totals that partial closes do not scale. Realized PnL
 * is proceeds less what was put in (collateral and repaid margin); net also less origination and opening fees, the only
 * ones not already taken out of the proceeds: so net is everything received less everything paid. PnL towards minus
 * infinity, fees up.
 */
export function closedFiguresOf(position: Position, closeReason: CloseReason): FinishedFigures {
  return closeReason === 'cancelled' || closeReason === 'reverted'
    ? refundedFiguresOf(position)
    : endedFiguresOf(position);
}

/** Cancelled or reverted: collateral and origination fee were returned, no PnL, no fees. */
function refundedFiguresOf(position: Position): FinishedFigures {
  const entry = { ...entryFiguresOf(position), originationFeeUsdcUnits: nothing, originationFeeUsdPips: usdPips(0n) };
  const proceeds = refundedCollateralOf(position, position.refundedUsdcUnits);
  const figures = { entry, proceeds, realized: nothing, net: nothing, basis: nothing };
  return finishedFiguresOf(position, figures, {
    origination: nothing,
    lifetime: nothing,
    liquidation: nothing,
    venue: nothing,
  });
}

function endedFiguresOf(position: Position): FinishedFigures {
  const entry = entryFiguresOf(position);
  const basis = add(entry.collateralUsdcUnits, position.repaidMarginUsdcUnits);
  const proceeds = position.proceedsUsdcUnits;
  const realized = subtract(proceeds, basis);
  const opening = add(position.totalOriginationFeeUsdcUnits, position.totalOpenVenueFeeUsdcUnits);
  const net = subtract(realized, opening);
  return finishedFiguresOf(
    position,
    { entry, proceeds, realized, net, basis },
    {
      origination: position.totalOriginationFeeUsdcUnits,
      lifetime: position.collectedLifetimeFeeUsdcUnits,
      liquidation: position.collectedLiquidationFeeUsdcUnits,
      venue: add(position.totalOpenVenueFeeUsdcUnits, position.totalSaleVenueFeeUsdcUnits),
    },
  );
}

function finishedFiguresOf(
  position: Position,
  {
    entry,
    proceeds,
    realized,
    net,
    basis,
  }: { readonly entry: EntryFigures } & Readonly<Record<'proceeds' | 'realized' | 'net' | 'basis', UsdcUnits>>,
  fees: Readonly<Record<'origination' | 'lifetime' | 'liquidation' | 'venue', UsdcUnits>>,
): FinishedFigures {
  const parts = [fees.origination, fees.lifetime, fees.liquidation, fees.venue];
  return {
    entry,
    result: {
      proceedsUsdcUnits: proceeds,
      proceedsUsdPips: toUsdPips(proceeds, 'down'),
      realizedPnlUsdcUnits: realized,
      realizedPnlUsdPips: toUsdPips(realized, 'down'),
      netRealizedPnlUsdcUnits: net,
      netRealizedPnlUsdPips: toUsdPips(net, 'down'),
      netRealizedPnlBps: isZero(basis) ? rateBps(0n) : ratioOf(net, basis, 'down'),
      collectedLifetimeFeeUsdcUnits: fees.lifetime,
      collectedLifetimeFeeUsdPips: toUsdPips(fees.lifetime, 'up'),
      collectedLiquidationFeeUsdcUnits: fees.liquidation,
      collectedLiquidationFeeUsdPips: toUsdPips(fees.liquidation, 'up'),
    },
    fees: {
      lifetimeFeeAprBps: position.lifetimeFeeAprBps,
      totalLifetimeFeeUsdcUnits: fees.lifetime,
      totalLifetimeFeeUsdPips: toUsdPips(fees.lifetime, 'up'),
      totalVenueFeeUsdcUnits: fees.venue,
      totalVenueFeeUsdPips: toUsdPips(fees.venue, 'up'),
      totalFeesUsdcUnits: parts.reduce((total, part) => add(total, part), nothing),
      totalFeesUsdPips: parts.reduce((total, part) => add(total, toUsdPips(part, 'up')), usdPips(0n)),
    },
  };
}
