import { compare, isZero } from '@core/pricing';
import type { AttestationRefusalCode, AttestationRequest, PositionTerms } from '@core/vault';

/**
 * Why a position does not need the attestation that is asked for; null when it does. An attestation is made only for a
 * position that can use it, in a size it has. (The contract checks again; without this check a signature could exist
 * for an order that no position needs.)
 */
export function positionRefusalOf(position: PositionTerms, request: AttestationRequest): AttestationRefusalCode | null {
  if (position.state === 'none') return 'position_unknown';
  // Once payouts are reported the tokens are redeemed, no longer sold.
  if (position.payoutDenominator > 0n) return 'market_resolved';
  if (request.purpose === 'open') {
    if (position.state !== 'pending') return 'position_state';
    return position.isCancelRequested ? 'position_cancelled' : null;
  }
  if (position.state !== 'open') return 'position_state';
  if (compare(request.tokenUnits, position.bookedTokenUnits) > 0) return 'size_out_of_range';
  if (request.purpose === 'close' && isZero(position.closeTokenUnits)) return 'position_state';
  if (request.purpose === 'close' && compare(request.tokenUnits, position.closeTokenUnits) > 0) {
    return 'size_out_of_range';
  }
  return null;
}
