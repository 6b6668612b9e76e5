import type { Position } from '@core/position';
import { compare, raw } from '@core/pricing';

/**
 * Whether a forced sale is behind what became of a position between two records of it. What a user repays or closes is
 * none, and neither are payouts. A liquidation says so. A part that the user sold leaves the structural leverage as it
 * was, and margin sells nothing. Of what ended as `closed` a close was asked for, or the debt was repaid by the user.
 */
export function isForcedSale(before: Position, after: Position): boolean {
  if (after.chainState === 'liquidated') return true;
  const hasSold = compare(after.tokenUnits, before.tokenUnits) < 0;
  if (after.chainState === 'open') return hasSold && after.leverageChangedAtMs !== before.leverageChangedAtMs;
  const isAsked = before.closeRequestedTokenUnits !== null || after.closeRequestedAtMs !== before.closeRequestedAtMs;
  const isRepaidByUser = raw(after.repaidMarginUsdcUnits) > raw(before.repaidMarginUsdcUnits);
  return after.chainState === 'closed' && !isAsked && !isRepaidByUser;
}
