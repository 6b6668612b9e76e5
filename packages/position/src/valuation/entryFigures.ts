import {
  isZero,
  max,
  multiplyDivide,
  priceOf,
  type RateBps,
  rateBps,
  ratioOf,
  raw,
  subtract,
  toUsdPips,
  type UsdcUnits,
} from '@core/pricing';
import type { Position } from '../record/position.ts';
import type { EntryFigures } from './figures.ts';

const wholeBps = 10_000n;
/** Sizes in hundredths of a token leave up to one cent of a complete fill unspent. */
const centUsdcUnits = 10_000n;

/**
 * Return the figures of the opening. Collateral and origination fee are scaled by the share spent and rounded up, the
 * notional is as spent, and the filled share is rounded down. The effective price and its slippage against the quote
 * are rounded up; a positive slippage is worse for the user. A pending position has the figures of its quote.
 */
export function entryFiguresOf(position: Position): EntryFigures {
  const { spentUsdcUnits: spent, openedTokenUnits: opened, entryPricePips } = position;
  const notional = spent ?? position.quotedNotionalUsdcUnits;
  const scaled = (whole: UsdcUnits): UsdcUnits =>
    multiplyDivide(whole, raw(notional), raw(position.quotedNotionalUsdcUnits), 'up');
  const collateral = scaled(position.quotedCollateralUsdcUnits);
  const origination = scaled(position.quotedOriginationFeeUsdcUnits);
  const effective = spent === null || opened === null ? null : priceOf(spent, opened, 'up');
  return {
    collateralUsdcUnits: collateral,
    collateralUsdPips: toUsdPips(collateral, 'down'),
    notionalUsdcUnits: notional,
    notionalUsdPips: toUsdPips(notional, 'down'),
    leverageBps: position.leverageBps,
    pricePips: entryPricePips,
    effectiveEntryPricePips: effective,
    // An unknown quote has no price to hold the fill against.
    effectiveSlippageBps:
      effective === null || isZero(entryPricePips)
        ? null
        : ratioOf(subtract(effective, entryPricePips), entryPricePips, 'up'),
    positionTokenUnits: opened ?? position.quotedTokenUnits,
    initialFillBps: spent === null ? null : initialFillOf(position, spent),
    originationFeeUsdcUnits: origination,
    originationFeeUsdPips: toUsdPips(origination, 'up'),
    openLatencyMs: position.openedAtMs === null ? null : position.openedAtMs - position.createdAtMs,
  };
}

function initialFillOf(position: Position, spent: UsdcUnits): RateBps {
  const { quotedNotionalUsdcUnits: notional, contractMinFillBps } = position;
  const isComplete = raw(contractMinFillBps) === wholeBps || raw(subtract(notional, spent)) <= centUsdcUnits;
  // The vault opens nothing below the minimum fill; sizes in hundredths of a token round the money spent below it.
  return isComplete ? rateBps(wholeBps) : max(ratioOf(spent, notional, 'down'), contractMinFillBps);
}
