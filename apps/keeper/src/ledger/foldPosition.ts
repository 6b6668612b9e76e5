import { closeReasonOf, positionStates, positionStatusOf } from '@core/policy';
import { raw } from '@core/pricing';
import type { PositionProjection } from '@core/store';
import { sellableRequestOf } from '../orders/closeRequest.ts';
import { applyEvent } from './applyEvent.ts';
import { createdPositionOf, type FoldContext } from './createdPosition.ts';
import type { PlacedEvent } from './ledgerEvent.ts';
import { transactionGroupsOf } from './transactionGroups.ts';
import { deferredPaymentsOf } from './userPayment.ts';

/**
 * The position that a history of events makes, with its transactions, unwinds and partial closes. Pure and complete: the
 * same events give the same projection, and those before a creation give null. History is refolded whole after each new
 * event, so a reorganisation needs nothing but forgetting the events it took away.
 */
export function foldPosition(events: readonly PlacedEvent[], context: FoldContext): PositionProjection | null {
  const [created, ...later] = events;
  if (created?.name !== 'PositionCreated') {
    return null;
  }
  let projection: PositionProjection = {
    position: createdPositionOf(created, context),
    transactions: [],
    unwinds: [],
    partialCloses: [],
  };
  const deferredOf = deferredPaymentsOf(later);
  for (const event of later) {
    projection = applyEvent(projection, event, deferredOf(event));
  }
  return {
    ...projection,
    position: concluded(projection, context),
    transactions: transactionGroupsOf(events),
  };
}

/** Status and reasons follow from the state and from what is known beside the chain's events. */
function concluded({ position }: PositionProjection, context: FoldContext): PositionProjection['position'] {
  const state = position.chainState;
  const isEnded = closeReasonOf(state) !== null;
  const asked = position.closeRequestedTokenUnits;
  const closeRequestedTokenUnits = asked === null ? null : sellableRequestOf(asked, position.tokenUnits);
  const status = positionStatusOf({
    state,
    livePurpose: position.livePurpose ?? 'none',
    isCloseRequested: closeRequestedTokenUnits !== null && context.closeDeferredAtMs === null,
    arePayoutsKnown: context.arePayoutsKnown,
  });
  if (status === null || !positionStates.includes(state)) {
    throw new Error(`position ${position.positionKey} has no status in state ${state}`);
  }
  return {
    ...position,
    status,
    closeRequestedTokenUnits,
    closeReason: closeReasonOf(state),
    failureReason: state === 'reverted' ? context.refundReason : null,
    closeDeferredAtMs: raw(position.tokenUnits) === 0n || isEnded ? null : context.closeDeferredAtMs,
  };
}
