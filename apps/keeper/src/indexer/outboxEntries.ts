import {
  type CustomerEvent,
  customerEventsOf,
  type FoldContext,
  type Position,
  type PositionEvent,
} from '@core/position';
import { type EventMarket, eventIdOf, type OutboxEntry, positionPayloadOf } from '@core/store';
import { keccak256, toHex } from 'viem';

/**
 * The customer events that a position's events make from a block on. Each carries the position as it was right after
 * its event, and an id that depends on the transaction only: a block that comes back after a reorganisation says
 * nothing twice.
 */
export function outboxEntriesOf(
  events: readonly PositionEvent[],
  { fromBlock, context, market }: { fromBlock: bigint; context: FoldContext; market: EventMarket | null },
): readonly OutboxEntry[] {
  const counts = new Map<string, number>();
  return customerEventsOf(events, fromBlock, context).map((event) => {
    const name = event.type === 'notification' ? event.code : event.type;
    const count = (counts.get(`${event.transactionHash}:${name}`) ?? 0) + 1;
    counts.set(`${event.transactionHash}:${name}`, count);
    // One call may bring several of a kind: each has its number in the transaction.
    const seed = `${event.transactionHash}:${name}${count === 1 ? '' : `:${count}`}`;
    return entryOf({
      type: event.type,
      position: event.position,
      seed,
      nowMs: event.atMs,
      payload: payloadOf(event, market),
    });
  });
}

function payloadOf(event: CustomerEvent, market: EventMarket | null): unknown {
  if (event.type !== 'notification') return positionPayloadOf(event.position, market);
  const { code, reason, position } = event;
  return { code, params: { position_id: position.id, reason } };
}

/** An outbox entry about a position; `seed` makes its id. */
export function entryOf({
  type,
  position,
  seed,
  nowMs,
  payload,
}: {
  readonly type: string;
  readonly position: Position;
  readonly seed: string;
  readonly nowMs: number;
  readonly payload: unknown;
}): OutboxEntry {
  return {
    id: eventIdOf(keccak256(toHex(`${position.positionKey}:${seed}`))),
    type,
    partnerId: position.partnerId,
    walletAddress: position.walletAddress,
    positionId: position.id,
    marketId: position.marketId,
    payload,
    createdAtMs: nowMs,
  };
}
