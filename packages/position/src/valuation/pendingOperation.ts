import { compare, type TokenUnits } from '@core/pricing';
import type { Position } from '../record/position.ts';

/** Operation in progress for a position. */
export interface PendingOperation {
  readonly type: 'close' | 'partial_close' | 'unwind' | 'liquidation' | 'cancel';
  readonly requestedAtMs: number;
  /** Of a partial close. */
  readonly tokenUnits: TokenUnits | null;
}

/** Return the pending operation: an order to lower debt first, then the user's request; null without one. */
export function pendingOperationOf(position: Position): PendingOperation | null {
  const { livePurpose, liveAuthorizedAtMs, cancelRequestedAtMs, closeRequestedAtMs, closeRequestedTokenUnits } =
    position;
  if (liveAuthorizedAtMs !== null && (livePurpose === 'liquidate' || livePurpose === 'unwind')) {
    const type = livePurpose === 'liquidate' ? 'liquidation' : 'unwind';
    return { type, requestedAtMs: liveAuthorizedAtMs, tokenUnits: null };
  }
  if (cancelRequestedAtMs !== null) return { type: 'cancel', requestedAtMs: cancelRequestedAtMs, tokenUnits: null };
  if (closeRequestedAtMs === null || closeRequestedTokenUnits === null) return null;
  return compare(closeRequestedTokenUnits, position.tokenUnits) >= 0
    ? { type: 'close', requestedAtMs: closeRequestedAtMs, tokenUnits: null }
    : { type: 'partial_close', requestedAtMs: closeRequestedAtMs, tokenUnits: closeRequestedTokenUnits };
}
