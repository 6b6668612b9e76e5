import type { AttestationRefusalCode, AttestationRequest } from '@core/attestation';
import { compare, isZero } from '@core/pricing';
import type { PositionTerms } from '@core/vault';

/**
 * Return the refusal of a request that the position cannot use; null when it can. The contract checks again: without
 * this check a signature could exist for an order that no position needs.
 */
export function positionRefusalOf(
  position: PositionTerms,
  request: Pick<AttestationRequest, 'purpose' | 'tokenUnits'>,
): AttestationRefusalCode | null {
  if (position.state === 'none') return 'position_unknown';
  // Once the result is known the tokens are redeemed, no longer sold.
  if (position.isDecided) return 'market_resolved';
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
