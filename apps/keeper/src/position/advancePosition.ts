import { decidePositionAction, type PositionAction } from '@core/policy';
import type { IntentRecord, Lease, MarketRecord, PositionRecord } from '@core/store';
import { vaultAbi } from '@core/vault';
import { isVenueFault } from '@core/venue';
import { encodeFunctionData, type Hex } from 'viem';
import { type LaneOutcome, planOf } from '../effects/transactionLane.ts';
import { VenueOrders } from '../effects/venueOrders.ts';
import { type OrderedPurpose, orderedPurposes } from '../orders/venueOrder.ts';
import type { KeeperPorts } from '../ports.ts';
import { projectSubjects } from '../tasks/projectSubjects.ts';
import type { AuthorizationDetails } from './authorizeOrder.ts';
import { closePosition } from './closePosition.ts';
import { liquidatePosition } from './liquidatePosition.ts';
import { notifyOwner } from './notifyOwner.ts';
import { observePosition, type PositionSight, postOf, unfinishedStates } from './observePosition.ts';
import { openPosition } from './openPosition.ts';
import { failureReasonOf } from './refusals.ts';

/**
 * Takes a position as far as it goes now: unfinished effects first, then the venue's side of a live order, then at most
 * one decided action. Everything is read anew each time, so a crash anywhere is continued by the next call.
 */
export async function advancePosition(
  ports: KeeperPorts,
  subject: { readonly record: PositionRecord; readonly market: MarketRecord },
  lease: Lease,
): Promise<void> {
  const { record, market } = subject;
  await finishTransactions(ports, record.positionKey);
  const sight = await observePosition(ports, record, market);
  if (sight === null) {
    return;
  }
  const followed = await tendOrder(ports, sight, lease);
  const [action] = decidePositionAction(followed.observation, ports.policy);
  if (action !== undefined) {
    await act(ports, followed, { action, lease });
  }
}

/** Transactions that a crash or a slow chain left half-way come before any new decision. */
async function finishTransactions(ports: KeeperPorts, positionKey: string): Promise<void> {
  const intents = await ports.store.intents.ofSubject(positionKey);
  for (const intent of intents) {
    if (isTransaction(intent) && unfinishedStates.includes(intent.state)) {
      await ports.lane.drive(intent);
    }
  }
}

function isTransaction({ plan }: IntentRecord): boolean {
  return typeof plan === 'object' && plan !== null && 'kind' in plan && plan.kind === 'transaction';
}

/** Posts an authorised order that the venue does not have yet, or asks what became of it; then looks again. */
async function tendOrder(ports: KeeperPorts, sight: PositionSight, lease: Lease): Promise<PositionSight> {
  const live = sight.chain.liveOrder;
  if (live === null || sight.chain.blockTimeMs > live.validUntilMs) {
    return sight;
  }
  const orders = new VenueOrders({
    intents: ports.store.intents,
    venue: ports.venue,
    clock: ports.clock,
    lockName: lease.name,
    owner: ports.venueOwner,
    reach: ports.reach,
  });
  const posted = postOf(sight.intents, live.orderHash);
  const intent =
    posted === null || posted.state === 'prepared' ? await postOrder(ports, sight, { orders, lease }) : posted;
  if (intent === null) {
    return sight;
  }
  const followed = await orders.follow(intent);
  if (followed.state === 'dropped' || followed.state === 'final') {
    return (await observePosition(ports, sight.record, sight.market)) ?? sight;
  }
  return sight;
}

/** Null when the order is none of ours, for example one that another deployment authorised. */
async function postOrder(
  ports: KeeperPorts,
  sight: PositionSight,
  { orders, lease }: { readonly orders: VenueOrders; readonly lease: Lease },
): Promise<IntentRecord | null> {
  const { liveOrder } = sight.chain;
  const authorization = sight.intents.find(
    (intent) => isTransaction(intent) && detailsOf(intent).orderHash === liveOrder?.orderHash,
  );
  if (authorization === undefined) {
    return null;
  }
  const { order, orderHash, orderType, attempt } = detailsOf(authorization);
  const operation = `post_${orderedPurposeOf(authorization)}` as const;
  const subject = sight.record.positionKey;
  try {
    return await orders.post({ subject, operation, attempt, order, orderHash, orderType, lease });
  } catch (error) {
    if (isVenueFault(error) && error.kind === 'frozen') {
      await ports.store.positions.freeze(subject, error.code);
      ports.metrics.frozen.inc();
    }
    throw error;
  }
}

function orderedPurposeOf({ operation }: IntentRecord): OrderedPurpose {
  const purpose = orderedPurposes.find((candidate) => operation === `authorize_${candidate}`);
  if (purpose === undefined) throw new Error(`${operation} authorises no order`);
  return purpose;
}

function detailsOf(intent: IntentRecord): AuthorizationDetails {
  return planOf(intent).details as AuthorizationDetails;
}

async function act(
  ports: KeeperPorts,
  sight: PositionSight,
  { action, lease }: { readonly action: PositionAction; readonly lease: Lease },
): Promise<void> {
  const call = (operation: string, functionName: 'finalize' | 'settle', details: object): Promise<LaneOutcome> =>
    callVault(ports, sight, { operation, functionName, details, lease });
  switch (action.kind) {
    case 'authorize_open':
      await notifyRetry(ports, sight);
      return openPosition(ports, sight, { action, lease });
    case 'authorize_close':
      return closePosition(ports, sight, { action, lease });
    case 'finalize':
      await call(`finalize_${action.purpose}`, 'finalize', {});
      return undefined;
    case 'refund': {
      const reason = failureReasonOf(action.reason, sight.intents);
      await call('refund', 'finalize', { reason });
      return undefined;
    }
    case 'settle':
      await call('settle', 'settle', {});
      return undefined;
    case 'defer_close':
      return deferClose(ports, sight, lease);
    case 'freeze':
      await ports.store.positions.freeze(sight.record.positionKey, action.reason);
      ports.metrics.frozen.inc();
      return undefined;
    case 'liquidate':
      return liquidatePosition(ports, sight, { action, lease });
    case 'unwind':
      throw new Error('the decision to unwind has no effect yet');
  }
}

/** An attempt after the first one: the part that is filled grows, or nothing was filled yet. */
async function notifyRetry(ports: KeeperPorts, sight: PositionSight): Promise<void> {
  const { attemptCount } = sight.observation.opening;
  if (attemptCount > 0) {
    const isFilling = sight.chain.heldTokenUnits > 0n;
    await notifyOwner(ports, sight, isFilling ? 'PARTIAL_OPEN_PROGRESS' : 'ORDER_FULFILLMENT_RETRYING');
  }
}

/** A call that only needs the key. A refused one is tried again later, as a new attempt. */
async function callVault(
  ports: KeeperPorts,
  sight: PositionSight,
  call: {
    readonly operation: string;
    readonly functionName: 'finalize' | 'settle';
    readonly details: object;
    readonly lease: Lease;
  },
): Promise<LaneOutcome> {
  const { operation, functionName, details, lease } = call;
  const positionKey = sight.record.positionKey as Hex;
  const outcome = await ports.lane.send({
    subject: positionKey,
    operation,
    attempt: sight.intents.filter((intent) => intent.operation === operation).length + 1,
    to: ports.contracts.vault,
    data: encodeFunctionData({ abi: vaultAbi, functionName, args: [positionKey] }),
    details: { ...details, decidedAtMs: sight.chain.blockTimeMs },
    lease,
  });
  ports.logger.info({ positionKey, operation, outcome: outcome.kind }, 'vault called');
  return outcome;
}

/** A close that met a resolved market: the tokens wait for settlement, and the position says so. */
async function deferClose(ports: KeeperPorts, sight: PositionSight, lease: Lease): Promise<void> {
  const { store, clock } = ports;
  const { positionKey } = sight.record;
  const { intent } = await store.intents.prepare({
    subject: positionKey,
    operation: 'defer_close',
    attempt: 1,
    plan: { kind: 'none', details: { decidedAtMs: sight.chain.blockTimeMs } },
    lockName: lease.name,
    fenceToken: lease.fenceToken,
    nowMs: clock.nowMs(),
  });
  await store.intents.change({ id: intent.id, from: ['prepared'], to: 'final', nowMs: clock.nowMs() });
  await store.transaction((unit) => projectSubjects(ports, unit, { subjects: [positionKey], fromBlock: null }));
}
