import { raw, subtract, toUsdPips, type UsdcUnits, type UsdPips, usdcUnits, usdPips } from '@core/pricing';
import type { Position } from '../record/position.ts';
import { isActiveStatus } from '../states/transitions.ts';

/** Amounts of a position that count against the caps. */
export interface PositionAmounts {
  readonly activeNotionalUsdPips: UsdPips;
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  readonly lentBorrowUsdcUnits: UsdcUnits;
}

/**
 * Return the amounts of a position that count against the caps now: entry notional while it is active (as quoted while
 * pending, pips rounded down), the borrow the pool still has to lend, and the principal it has lent.
 */
export function positionUsageOf(position: Position): PositionAmounts {
  const isActive = isActiveStatus(position.status);
  const isLent = position.livePurpose !== null || raw(position.principalUsdcUnits) > 0n;
  const notional = position.spentUsdcUnits ?? position.quotedNotionalUsdcUnits;
  const isPending = position.chainState === 'pending';
  return {
    activeNotionalUsdPips: isActive ? toUsdPips(notional, 'down') : usdPips(0n),
    pendingBorrowUsdcUnits: isPending && !isLent ? quotedBorrowOf(position) : usdcUnits(0n),
    lentBorrowUsdcUnits: isActive ? position.principalUsdcUnits : usdcUnits(0n),
  };
}

/** Return the loan of the pool to an opening: the quoted notional without the collateral. */
export function quotedBorrowOf(position: Position): UsdcUnits {
  return subtract(position.quotedNotionalUsdcUnits, position.quotedCollateralUsdcUnits);
}
