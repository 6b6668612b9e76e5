import { add, subtract } from '../units/arithmetic.ts';
import { ratioOf, toUsdPips } from '../units/conversion.ts';
import { type RateBps, rateBps, raw, type UsdcUnits, type UsdPips, usdcUnits, usdPips } from '../units/quantity.ts';

/** How a position ended. */
export type CloseReason = 'closed' | 'settled' | 'liquidated' | 'cancelled' | 'reverted';

/** Whole-life totals of a finished position, unscaled by partial closes (DEFINITIONS 5). */
export interface ClosedPosition {
  readonly closeReason: CloseReason;
  /** `entry.collateral`: net of what a partial fill refunded. */
  readonly entryCollateralUsdcUnits: UsdcUnits;
  /** Principal and fees the user repaid out of pocket: added margin, exit by repaying. */
  readonly repaidMarginUsdcUnits: UsdcUnits;
  /** USDC paid or credited to the user after opening; of a cancelled or reverted position the refunded collateral. */
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly openTradingFeeUsdcUnits: UsdcUnits;
  readonly saleTradingFeeUsdcUnits: UsdcUnits;
  /** What the waterfall took. */
  readonly collectedLifetimeFeeUsdcUnits: UsdcUnits;
  /** What the waterfall took. */
  readonly collectedLiquidationFeeUsdcUnits: UsdcUnits;
}

/** Result of a finished position. */
export interface ResultFigures {
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly proceedsUsdPips: UsdPips;
  readonly realizedPnlUsdcUnits: UsdcUnits;
  readonly realizedPnlUsdPips: UsdPips;
  readonly netRealizedPnlUsdcUnits: UsdcUnits;
  readonly netRealizedPnlUsdPips: UsdPips;
  readonly netRealizedPnlBps: RateBps;
  readonly collectedLifetimeFeeUsdcUnits: UsdcUnits;
  readonly collectedLifetimeFeeUsdPips: UsdPips;
  readonly collectedLiquidationFeeUsdcUnits: UsdcUnits;
  readonly collectedLiquidationFeeUsdPips: UsdPips;
}

/** Fees of a whole life. Pips rounded up, and the total is the sum of the pips shown. */
export interface ClosedFeeFigures {
  readonly totalLifetimeFeeUsdcUnits: UsdcUnits;
  readonly totalLifetimeFeeUsdPips: UsdPips;
  readonly totalVenueFeeUsdcUnits: UsdcUnits;
  readonly totalVenueFeeUsdPips: UsdPips;
  readonly totalFeesUsdcUnits: UsdcUnits;
  readonly totalFeesUsdPips: UsdPips;
}

/** Every computed figure of a closed-type position (specification, Position; DEFINITIONS 5). */
export interface ClosedPositionFigures {
  readonly result: ResultFigures;
  readonly fees: ClosedFeeFigures;
}

const nothing = usdcUnits(0n);

/**
 * Figures of a finished position. Realized PnL is proceeds less what was put in (collateral and repaid margin); net
 * also less origination and opening fees, the only ones not already taken out of the proceeds: so net is everything
 * received less everything paid. PnL towards minus infinity, fees up. Cancelled or reverted: no PnL, no fees.
 */
export function valueClosedPosition(position: ClosedPosition): ClosedPositionFigures {
  const isRefunded = position.closeReason === 'cancelled' || position.closeReason === 'reverted';
  const kept = (fee: UsdcUnits): UsdcUnits => (isRefunded ? nothing : fee);
  const origination = kept(position.originationFeeUsdcUnits);
  const openTrading = kept(position.openTradingFeeUsdcUnits);
  const lifetime = kept(position.collectedLifetimeFeeUsdcUnits);
  const liquidation = kept(position.collectedLiquidationFeeUsdcUnits);
  const venue = add(openTrading, kept(position.saleTradingFeeUsdcUnits));

  const basis = add(position.entryCollateralUsdcUnits, position.repaidMarginUsdcUnits);
  const realized = isRefunded ? nothing : subtract(position.proceedsUsdcUnits, basis);
  const net = subtract(subtract(realized, origination), openTrading);
  const parts = [origination, lifetime, liquidation, venue];
  return {
    result: {
      proceedsUsdcUnits: position.proceedsUsdcUnits,
      proceedsUsdPips: toUsdPips(position.proceedsUsdcUnits, 'down'),
      realizedPnlUsdcUnits: realized,
      realizedPnlUsdPips: toUsdPips(realized, 'down'),
      netRealizedPnlUsdcUnits: net,
      netRealizedPnlUsdPips: toUsdPips(net, 'down'),
      netRealizedPnlBps: raw(basis) === 0n ? rateBps(0n) : ratioOf(net, basis, 'down'),
      collectedLifetimeFeeUsdcUnits: lifetime,
      collectedLifetimeFeeUsdPips: toUsdPips(lifetime, 'up'),
      collectedLiquidationFeeUsdcUnits: liquidation,
      collectedLiquidationFeeUsdPips: toUsdPips(liquidation, 'up'),
    },
    fees: {
      totalLifetimeFeeUsdcUnits: lifetime,
      totalLifetimeFeeUsdPips: toUsdPips(lifetime, 'up'),
      totalVenueFeeUsdcUnits: venue,
      totalVenueFeeUsdPips: toUsdPips(venue, 'up'),
      totalFeesUsdcUnits: parts.reduce((total, part) => add(total, part), nothing),
      totalFeesUsdPips: parts.reduce((total, part) => add(total, toUsdPips(part, 'up')), usdPips(0n)),
    },
  };
}
