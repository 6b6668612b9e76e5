import type { Position } from '@core/position';
import { createId } from '../ids.ts';
import type { EventMarket, OutboxEntry, PositionPayload } from '../outbox/outbox.ts';

/** The event of a position that something beside the chain's events changed: once, in the transaction that did. */
export function positionEntryOf({
  type,
  position,
  market,
  nowMs,
}: {
  readonly type: string;
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

/** What a position's event carries: of its market only what its presentation takes. */
export function positionPayloadOf(position: Position, market: EventMarket | null): PositionPayload {
  if (market === null) return { position, market };
  const { ticker, title, status, closeTimeMs, payoutNumerators, payoutDenominator } = market;
  return { position, market: { ticker, title, status, closeTimeMs, payoutNumerators, payoutDenominator } };
}
