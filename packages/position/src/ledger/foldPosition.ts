import { raw } from '@core/pricing';
import { sellableRequestOf } from '../orders/closeRequest.ts';
import type { Position } from '../record/position.ts';
import type { PositionHistory } from '../record/positionHistory.ts';
import { closeReasonOf, isTerminal, positionStatusOf } from '../states/transitions.ts';
import { applyEvent } from './applyEvent.ts';
import type { UnwindOrder } from './besideEvent.ts';
import { createdPositionOf, type FoldContext } from './createdPosition.ts';
import { withLedgerRow } from './ledgerRow.ts';
import type { PositionEvent } from './positionEvent.ts';
import { transactionGroupsOf } from './transactionGroups.ts';
import { deferredPaymentsOf } from './userPayment.ts';

/**
 * The position that a history of events makes, with its transactions, unwinds, partial closes and ledger. Pure and
 * complete: the same events give the same position, and those before a creation give null. History is refolded whole
 * after each new event, so a reorganisation needs nothing but forgetting the events it took away.
 */
export function foldPosition(events: readonly PositionEvent[], context: FoldContext): PositionHistory | null {
  const history = historiesOf(events, context).at(-1);
  return history === undefined
    ? null
    : { ...history, position: concluded(history.position, context), transactions: transactionGroupsOf(events) };
}

/** The position as it was right after each of its events; empty before a creation. */
export function positionsAfter(events: readonly PositionEvent[], context: FoldContext): readonly Position[] {
  return historiesOf(events, context).map(({ position }) => concluded(position, context));
}

function historiesOf(events: readonly PositionEvent[], context: FoldContext): readonly PositionHistory[] {
  const [created, ...later] = events;
  if (created?.name !== 'PositionCreated') return [];
  const deferredOf = deferredPaymentsOf(later);
  const position = createdPositionOf(created, context);
  const blank = { position, transactions: [], unwinds: [], partialCloses: [], ledger: [] };
  let history: PositionHistory = withLedgerRow(blank, created, null);
  const histories = [history];
  let unwindOrder: UnwindOrder | null = null;
  for (const event of later) {
    if (event.name === 'OrderAuthorized') {
      unwindOrder = context.unwindOrders.get(event.args.orderHash.toLowerCase()) ?? null;
    }
    const applied = applyEvent(history, event, { deferredUsdcUnits: deferredOf(event), unwindOrder });
    history = withLedgerRow(applied, event, unwindOrder?.reason ?? null);
    histories.push(history);
  }
  return histories;
}

/** Status and reasons follow from the state and from what is known beside the chain's events. */
function concluded(position: Position, context: FoldContext): Position {
  const state = position.chainState;
  const request = position.closeRequestedTokenUnits;
  const closeRequestedTokenUnits = request === null ? null : sellableRequestOf(request, position.tokenUnits);
  const status = positionStatusOf({
    state,
    livePurpose: position.livePurpose ?? 'none',
    isCloseRequested: closeRequestedTokenUnits !== null && context.closeDeferredAtMs === null,
    arePayoutsKnown: context.arePayoutsKnown,
  });
  if (status === null) throw new Error(`position ${position.positionKey} has no status in state ${state}`);
  return {
    ...position,
    status,
    closeRequestedTokenUnits,
    closeReason: closeReasonOf(state),
    failureReason: state === 'reverted' ? context.refundReason : null,
    closeDeferredAtMs: raw(position.tokenUnits) === 0n || isTerminal(state) ? null : context.closeDeferredAtMs,
  };
}
