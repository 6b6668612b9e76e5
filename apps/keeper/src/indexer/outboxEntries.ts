import {
  type CustomerEvent,
  customerEventsOf,
  type FoldContext,
  type Position,
  type PositionEvent,
} from '@core/position';
import { type EventContent, type EventMarket, eventIdOf, type OutboxEntry, positionPayloadOf } from '@core/store';
import { keccak256, toHex } from 'viem';

/**
 * Return the customer events of a position from a block on. Each carries the position right after its event, and an id
 * that depends on the transaction only: a block that returns after a reorganisation repeats no event.
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
    // One transaction may have several events of a kind: each has its own number.
    const seed = `${event.transactionHash}:${name}${count === 1 ? '' : `:${count}`}`;
    return entryOf({ content: contentOf(event, market), position: event.position, seed, nowMs: event.atMs });
  });
}

function contentOf(event: CustomerEvent, market: EventMarket | null): EventContent {
  if (event.type !== 'notification') return { type: event.type, payload: positionPayloadOf(event.position, market) };
  const { type, code, reason, position } = event;
  return { type, payload: { code, params: { position_id: position.id, reason } } };
}

/** Build an outbox entry of a position; `seed` determines its id. */
export function entryOf({
  content,
  position,
  seed,
  nowMs,
}: {
  readonly content: EventContent;
  readonly position: Position;
  readonly seed: string;
  readonly nowMs: number;
}): OutboxEntry {
  return {
    ...content,
    id: eventIdOf(keccak256(toHex(`${position.positionKey}:${seed}`))),
    partnerId: position.partnerId,
    walletAddress: position.walletAddress,
    positionId: position.id,
    marketId: position.marketId,
    createdAtMs: nowMs,
  };
}
