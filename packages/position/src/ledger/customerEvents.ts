import { compare, isZero } from '@core/pricing';
import type { Position } from '../record/position.ts';
import type { OpeningFailureReason } from '../states/openingFailure.ts';
import type { FoldContext } from './createdPosition.ts';
import { positionsAfter } from './foldPosition.ts';
import type { EventNamed, PositionEvent } from './positionEvent.ts';

/** Customer events that the events of the chain make. */
export type PositionEventType = `position.${
  | 'created'
  | 'opening'
  | 'opened'
  | 'close_requested'
  | 'closed'
  | 'partial_close_requested'
  | 'partial_close_initiated'
  | 'partial_closed'
  | 'partial_close_aborted'
  | 'force_unwound'
  | 'liquidated'
  | 'settled'
  | 'reverted'
  | 'cancelled'}`;

/** Notification of a customer: a position right after the event that changed it. */
export type CustomerEvent = {
  readonly position: Position;
  readonly transactionHash: string;
  readonly atMs: number;
} & (
  | { readonly type: PositionEventType }
  | {
      readonly type: 'notification';
      readonly code: 'PARTIAL_OPEN_FLOOR_MISSED' | 'ORDER_FULFILLMENT_FAILED';
      readonly reason: OpeningFailureReason;
    }
);

/** The customer events that a position's events make from a block on, in the order of the chain. */
export function customerEventsOf(
  events: readonly PositionEvent[],
  fromBlock: bigint,
  context: FoldContext,
): readonly CustomerEvent[] {
  const positions = positionsAfter(events, context);
  return positions.flatMap((after, index) => {
    const event = events[index];
    return event === undefined || event.blockNumber < fromBlock
      ? []
      : [...positionEventsOf(event, positions[index - 1] ?? null, after), ...failureOf(event, after)];
  });
}

function positionEventsOf(event: PositionEvent, before: Position | null, after: Position): readonly CustomerEvent[] {
  const aborted = isRequestLost(event, before, after) ? partialCloseAborted : null;
  const types: readonly (PositionEventType | null)[] = [typeOf(event, before, after), aborted];
  return types.filter((type) => type !== null).map((type): CustomerEvent => ({ type, ...placeOf(event, after) }));
}

function placeOf({ transactionHash, blockTimeMs }: PositionEvent, position: Position) {
  return { position, transactionHash, atMs: blockTimeMs };
}

const partialCloseAborted = 'position.partial_close_aborted';

/** A sale of ours left so little beside the request that no order can serve it: it needs a new one. */
function isRequestLost(event: PositionEvent, before: Position | null, after: Position): boolean {
  return (
    event.name === 'PositionReduced' &&
    event.args.purpose !== 'close' &&
    after.chainState === 'open' &&
    before !== null &&
    before.closeRequestedTokenUnits !== null &&
    after.closeRequestedTokenUnits === null
  );
}

/** Return the notification of a failed opening. A refund requested by the user needs none. */
function failureOf(event: PositionEvent, position: Position): readonly CustomerEvent[] {
  const reason = position.failureReason;
  if (event.name !== 'PositionRefunded' || reason === null) return [];
  const code = reason === 'floor_missed' ? 'PARTIAL_OPEN_FLOOR_MISSED' : 'ORDER_FULFILLMENT_FAILED';
  return [{ type: 'notification', code, reason, ...placeOf(event, position) }];
}

function typeOf(event: PositionEvent, before: Position | null, after: Position): PositionEventType | null {
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
    case 'OrderFilled':
    case 'CancelRequested':
    case 'MarginAdded':
    case 'Claimed':
    case 'PaymentDeferred':
      return null;
  }
}

/** A close order for less than what is held. */
function isPartOrder(before: Position | null): boolean {
  return before?.livePurpose === 'close' && isPartRequested(before);
}

function isPartRequested(position: Position): boolean {
  const request = position.closeRequestedTokenUnits;
  return request !== null && compare(request, position.tokenUnits) < 0;
}

function authorizedTypeOf(event: EventNamed<'OrderAuthorized'>, before: Position | null): PositionEventType | null {
  const purpose = event.args.purpose;
  if (purpose === 'open') {
    return before?.openedMarkPricePips === null ? 'position.opening' : null;
  }
  return purpose === 'close' && before !== null && isPartRequested(before) ? 'position.partial_close_initiated' : null;
}

function requestedTypeOf(after: Position): PositionEventType | null {
  if (after.closeRequestedTokenUnits === null) {
    return null;
  }
  return isPartRequested(after) ? 'position.partial_close_requested' : 'position.close_requested';
}

function reducedTypeOf(event: EventNamed<'PositionReduced'>, after: Position): PositionEventType | null {
  if (after.chainState === 'closed') {
    return 'position.closed';
  }
  if (after.chainState === 'liquidated') {
    return 'position.liquidated';
  }
  if (isZero(event.args.soldTokenUnits)) return null;
  return event.args.purpose === 'close' ? 'position.partial_closed' : 'position.force_unwound';
}
