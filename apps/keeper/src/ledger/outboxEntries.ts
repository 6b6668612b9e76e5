import { orderPurposes } from '@core/policy';
import { compare } from '@core/pricing';
import { eventIdOf, type OutboxEntry, type PositionRecord } from '@core/store';
import { keccak256, toHex } from 'viem';
import { type FoldContext } from './createdPosition.ts';
import { foldPosition } from './foldPosition.ts';
import type { PlacedEvent } from './ledgerEvent.ts';

/**
 * The customer events that a position's chain events make from a block on. Each carries the position as it was right after its
 * event, and an id that depends on the transaction only: a block that comes back after a reorganisation says nothing twice.
 */
export function outboxEntriesOf(
  events: readonly PlacedEvent[],
  fromBlock: bigint,
  context: FoldContext,
): readonly OutboxEntry[] {
  const entries: OutboxEntry[] = [];
  for (const [index, event] of events.entries()) {
    if (event.blockNumber < fromBlock) {
      continue;
    }
    const before = foldPosition(events.slice(0, index), context)?.position ?? null;
    const after = foldPosition(events.slice(0, index + 1), context)?.position ?? null;
    if (after !== null) {
      entries.push(...positionEntriesOf(event, before, after), ...failureOf(event, after));
    }
  }
  return entries;
}

function positionEntriesOf(
  event: PlacedEvent,
  before: PositionRecord | null,
  after: PositionRecord,
): readonly OutboxEntry[] {
  const types = [typeOf(event, before, after), isRequestLost(event, before, after) ? partialCloseAborted : null];
  return types
    .filter((type) => type !== null)
    .map((type) =>
      entryOf({ type, position: after, seed: `${event.transactionHash}:${type}`, nowMs: event.blockTimeMs }),
    );
}

const partialCloseAborted = 'position.partial_close_aborted';

/** A sale of ours left so little beside what was asked for that no order can serve the request: it needs a new one. */
function isRequestLost(event: PlacedEvent, before: PositionRecord | null, after: PositionRecord): boolean {
  return (
    event.name === 'PositionReduced' &&
    orderPurposes[event.args.purpose] !== 'close' &&
    after.chainState === 'open' &&
    before !== null &&
    before.closeRequestedTokenUnits !== null &&
    after.closeRequestedTokenUnits === null
  );
}

/** The word of a failed opening. A refund that the owner asked for needs none. */
function failureOf(event: PlacedEvent, position: PositionRecord): readonly OutboxEntry[] {
  const reason = position.failureReason;
  if (event.name !== 'PositionRefunded' || reason === null) {
    return [];
  }
  const code = reason === 'floor_missed' ? 'PARTIAL_OPEN_FLOOR_MISSED' : 'ORDER_FULFILLMENT_FAILED';
  const payload = { code, params: { position_id: position.id, reason } };
  const seed = `${event.transactionHash}:${code}`;
  return [entryOf({ type: 'notification', position, seed, nowMs: event.blockTimeMs, payload })];
}

/** An outbox entry about a position; `seed` makes its id. */
export function entryOf({
  type,
  position,
  seed,
  nowMs,
  payload = position,
}: {
  readonly type: string;
  readonly position: PositionRecord;
  readonly seed: string;
  readonly nowMs: number;
  readonly payload?: unknown;
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

function typeOf(event: PlacedEvent, before: PositionRecord | null, after: PositionRecord): string | null {
  switch (event.name) {
    case 'PositionCreated':
      return 'position.created';
    case 'OrderAuthorized':
      return authorizedTypeOf(event, before);
    case 'OrderEnded':
      return isPartOrder(before) && event.args.filledMakerAmount === 0n ? partialCloseAborted : null;
    case 'PositionOpened':
      return 'position.opened';
    case 'CloseRequested':
      return requestedTypeOf(after);
    case 'PositionReduced':
      return reducedTypeOf(event, after);
    case 'PositionExited':
      return 'position.closed';
    case 'PositionSettled':
      return 'position.settled';
    case 'PositionRefunded':
      return after.chainState === 'cancelled' ? 'position.cancelled' : 'position.reverted';
    default:
      return null;
  }
}

/** A close order for less than what is held. */
function isPartOrder(before: PositionRecord | null): boolean {
  return before?.livePurpose === 'close' && isPartRequested(before);
}

function isPartRequested(position: PositionRecord): boolean {
  const asked = position.closeRequestedTokenUnits;
  return asked !== null && compare(asked, position.tokenUnits) < 0;
}

function authorizedTypeOf(
  event: Extract<PlacedEvent, { name: 'OrderAuthorized' }>,
  before: PositionRecord | null,
): string | null {
  const purpose = orderPurposes[event.args.purpose];
  if (purpose === 'open') {
    return before?.openedMarkPricePips === null ? 'position.opening' : null;
  }
  return purpose === 'close' && before !== null && isPartRequested(before) ? 'position.partial_close_initiated' : null;
}

function requestedTypeOf(after: PositionRecord): string | null {
  if (after.closeRequestedTokenUnits === null) {
    return null;
  }
  return isPartRequested(after) ? 'position.partial_close_requested' : 'position.close_requested';
}

function reducedTypeOf(event: Extract<PlacedEvent, { name: 'PositionReduced' }>, after: PositionRecord): string {
  if (after.chainState === 'closed') {
    return 'position.closed';
  }
  if (after.chainState === 'liquidated') {
    return 'position.liquidated';
  }
  return orderPurposes[event.args.purpose] === 'close' ? 'position.partial_closed' : 'position.force_unwound';
}
