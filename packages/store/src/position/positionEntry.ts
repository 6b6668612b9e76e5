import type { Position } from '@core/position';
import { createId } from '../ids.ts';
import type { EventMarket, OutboxEntry, PositionEventType, PositionPayload } from '../outbox/outbox.ts';

/** The event of a position that something beside the chain's events changed: once, in the transaction that did. */
export function positionEntryOf({
  type,
  position,
  market,
  nowMs,
}: {
  readonly type: PositionEventType;
  readonly position: Position;
  readonly market: EventMarket | null;
  readonly nowMs: number;
}): OutboxEntry {
  return {
    id: createId('evt', nowMs),
    type,
    partnerId: position.partnerId,
    walletAddress: position.walletAddress,
    positionId: position.id,
    marketId: position.marketId,
    payload: positionPayloadOf(position, market),
    createdAtMs: nowMs,
  };
}

/** Return the payload of a position's event, with only those fields of its market that its presentation needs. */
export function positionPayloadOf(position: Position, market: EventMarket | null): PositionPayload {
  if (market === null) return { position, market };
  const { ticker, title, status, closeTimeMs, payoutNumerators, payoutDenominator } = market;
  return { position, market: { ticker, title, status, closeTimeMs, payoutNumerators, payoutDenominator } };
}
