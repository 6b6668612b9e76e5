import type { Hex } from '../record/hex.ts';
import type { PositionTransaction, TransactionGroup } from '../record/positionHistory.ts';
import type { OrderPurpose } from '../states/transitions.ts';
import type { PositionEvent } from './positionEvent.ts';

/** Groups whose transactions send something to the exchange: only they show the venue's own transactions. */
const routedGroups: ReadonlySet<TransactionGroup> = new Set(['open', 'close', 'liquidation', 'settle', 'force_unwind']);

const groupOfPurpose: Readonly<Record<OrderPurpose, TransactionGroup>> = {
  none: 'close',
  open: 'open',
  close: 'close',
  unwind: 'force_unwind',
  liquidate: 'liquidation',
};

/**
 * Return the transactions by the nine groups of the specification. A transaction appears once in a group; the venue's
 * matches are with the authorisation whose order they filled. Added margin is in none.
 */
export function transactionGroupsOf(events: readonly PositionEvent[]): readonly PositionTransaction[] {
  const matches = matchesByOrder(events);
  const groups = new Map<string, PositionTransaction>();
  for (const event of events) {
    for (const group of groupsOf(event, events)) {
      const key = `${group}:${event.transactionHash}`;
      const before = groups.get(key);
      const more = event.name === 'OrderAuthorized' ? (matches.get(event.args.orderHash) ?? []) : [];
      const exchangeTransactionHashes = [...new Set([...(before?.exchangeTransactionHashes ?? []), ...more])];
      groups.set(key, {
        group,
        transactionHash: event.transactionHash,
        blockNumber: before?.blockNumber ?? event.blockNumber,
        logIndex: before?.logIndex ?? event.logIndex,
        routed: routedGroups.has(group),
        exchangeTransactionHashes,
      });
    }
  }
  return [...groups.values()];
}

function matchesByOrder(events: readonly PositionEvent[]): ReadonlyMap<string, readonly Hex[]> {
  const matches = new Map<string, Hex[]>();
  for (const event of events) {
    if (event.name === 'OrderFilled') {
      matches.set(event.args.orderHash, [...(matches.get(event.args.orderHash) ?? []), event.transactionHash]);
    }
  }
  return matches;
}

function groupsOf(event: PositionEvent, events: readonly PositionEvent[]): readonly TransactionGroup[] {
  switch (event.name) {
    case 'PositionCreated':
    case 'PositionOpened':
      return ['open'];
    case 'OrderAuthorized':
    case 'OrderEnded':
      // The end of an opening order that brought nothing belongs to the refund it is part of.
      return isRefundTransaction(event, events) ? [] : [groupOfPurpose[event.args.purpose]];
    case 'PositionReduced':
      return [groupOfPurpose[event.args.purpose]];
    case 'CloseRequested':
    case 'PositionExited':
      return ['close'];
    case 'CancelRequested':
      return isRefundTransaction(event, events) ? [] : ['cancel_request'];
    case 'PositionRefunded':
      return [event.args.state === 'cancelled' ? 'cancel' : 'revert'];
    case 'PositionSettled':
      return ['settle', 'redemption'];
    case 'Claimed':
      return ['redemption'];
    case 'OrderFilled':
    case 'MarginAdded':
    case 'PaymentDeferred':
      return [];
  }
}

function isRefundTransaction(event: PositionEvent, events: readonly PositionEvent[]): boolean {
  return events.some(
    ({ name, transactionHash }) => name === 'PositionRefunded' && transactionHash === event.transactionHash,
  );
}
