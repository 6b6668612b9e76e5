import { compare, isZero } from '@core/pricing';
import { PositionState } from '@core/vault';
import type { AttestationRequest } from './attestationRequest.ts';
import type { ObservedPosition } from './observePosition.ts';

/** Why a position does not need the attestation that is asked for; null when it does. */
export type PositionRefusal =
  | 'position_unknown'
  | 'position_state'
  | 'position_cancelled'
  | 'market_resolved'
  | 'size_out_of_range';

/**
 * The signer's own check of the position: an attestation is made only for a position that can use it, in a size it
 * has. (The contract checks again; this keeps signatures from lying about that nobody asked for.)
 */
export function positionRefusalOf(position: ObservedPosition, request: AttestationRequest): PositionRefusal | null {
  if (position.state === PositionState.None) return 'position_unknown';
  if (position.isResolved) return 'market_resolved';
  if (request.purpose === 'open') {
    if (position.state !== PositionState.Pending) return 'position_state';
    return position.isCancelRequested ? 'position_cancelled' : null;
  }
  if (position.state !== PositionState.Open) return 'position_state';
  if (compare(request.size, position.heldTokenUnits) > 0) return 'size_out_of_range';
  if (request.purpose === 'close' && isZero(position.closeTokenUnits)) return 'position_state';
  if (request.purpose === 'close' && compare(request.size, position.closeTokenUnits) > 0) return 'size_out_of_range';
  return null;
}
