import type { Position } from '@core/position';
import { compare, raw } from '@core/pricing';

/**
 * Return true when a forced sale explains the change between two records of a position. Repayments and closes of the
 * user do not count, and neither do payouts. A liquidation is explicit. A partial sale by the user leaves the
 * structural leverage unchanged, and added margin sells nothing. A position that ended as `closed` without a close
 * request or a repayment by the user was sold by force.
 */
export function isForcedSale(before: Position, after: Position): boolean {
  if (after.chainState === 'liquidated') return true;
  const hasSold = compare(after.tokenUnits, before.tokenUnits) < 0;
  if (after.chainState === 'open') return hasSold && after.leverageChangedAtMs !== before.leverageChangedAtMs;
  const isAsked = before.closeRequestedTokenUnits !== null || after.closeRequestedAtMs !== before.closeRequestedAtMs;
  const isRepaidByUser = raw(after.repaidMarginUsdcUnits) > raw(before.repaidMarginUsdcUnits);
  return after.chainState === 'closed' && !isAsked && !isRepaidByUser;
}
