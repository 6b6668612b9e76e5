import { type PolicyConfig } from '@core/policy';
import {
  decidePosition,
  nextUnwindRefusal,
  type OrderAction,
  type PositionAction,
  type PositionObservation,
  type UnwindRefusal,
  type Wait,
} from '@core/position';
import type { Lease, StepStore } from '@core/store';
import { inPositionSpan } from '@core/tracing';
import { vaultAbi } from '@core/vault';
import type { Logger } from 'pino';
import { encodeFunctionData } from 'viem';
import type { BatchSender } from '../transactions/batchSender.ts';
import { type Intent, isCall, type PositionInputs, readInputs, unfinishedStates } from '../transactions/intents.ts';
import type { CallOf, CallOperation } from '../transactions/intentTable.ts';
import type { SendOutcome, TransactionSender } from '../transactions/transactionSender.ts';
import { postOf, type VenueOrders } from '../transactions/venueOrders.ts';
import type { DuePositions, Pause } from './duePositions.ts';
import { isOverOnChain } from './isOverOnChain.ts';
import { type ObservedPosition, type ObserverDependencies, observedOf, observePosition } from './observePosition.ts';
import { type AuthorizationResult, type Authorizer, authorizationsOf, orderPostOf } from './orderAuthorizer.ts';
import type { PositionRecorder } from './positionRecorder.ts';
import type { BookReader } from './readBook.ts';
import type { PositionCall, RefusedCalls } from './refusedCalls.ts';

type RefusedOutcome = Exclude<SendOutcome, { readonly kind: 'included' }>;
type UnwindAction = Extract<OrderAction, { readonly purpose: 'unwind' }>;
/** Cause of a refused unwind: the answer of the price signers, or the vault's refusal. */
type RefusalCause = Pick<UnwindRefusal, 'reason' | 'notBeforeMs'> & { readonly isTransient: boolean };
/** Wait for the next attempt of a call that the vault refused. */
type VaultRefusal = Wait & { readonly untilMs: number };

/** Outcome of a step: `advanced` when another may follow at once, `idle` when the position needs none. */
export type StepResult = 'advanced' | 'idle' | Pause;

export interface StepDependencies extends ObserverDependencies {
  readonly steps: StepStore;
  readonly sender: Pick<TransactionSender, 'resume' | 'send'>;
  readonly batches: Pick<BatchSender, 'resume'>;
  readonly orders: Pick<VenueOrders, 'post' | 'follow' | 'endFilled' | 'pauseMsOf'>;
  readonly authorizer: Authorizer;
  readonly recorder: PositionRecorder;
  readonly readBook: BookReader;
  readonly refusedCalls: Pick<RefusedCalls, 'remainingMs' | 'record'>;
  readonly due: Pick<DuePositions, 'needsStep' | 'refusalOf' | 'recordRefusal'>;
  readonly policy: PolicyConfig;
  readonly logger: Logger;
}

/**
 * One step of a position: read, observe, decide and act once. Unfinished transactions come first, then the live order
 * at the venue, then at most one decided action. Everything is read again each time, so the next step resumes after a
 * crash anywhere.
 */
export class PositionStep {
  readonly #dependencies: StepDependencies;

  constructor(dependencies: StepDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param isFirst False after a step that advanced: an open position is then followed to its end. */
  async run(
    positionKey: string,
    { lease, isFirst }: { readonly lease: Lease; readonly isFirst: boolean },
  ): Promise<StepResult> {
    const { policy, readBook } = this.#dependencies;
    const inputs = await this.#read(positionKey, isFirst);
    if (inputs === null) return 'idle';
    const observed = await observePosition(this.#dependencies, inputs);
    if (observed === null) return 'advanced';
    const current = await this.#follow(observed, lease);
    if (current === null) return 'advanced';
    if ('kind' in current) return pauseOf(current, observed.observation);
    const { observation, record } = current;
    const decision = await decidePosition(observation, policy.execution, async (complete) =>
      complete(await readBook(record.venueTokenId)),
    );
    const wait = decision.kind === 'wait' ? decision : await this.#act(current, decision.action, lease);
    return wait === null ? 'advanced' : pauseOf(wait, observation);
  }

  /**
   * Read the inputs, and first complete transactions that a crash or a slow chain interrupted. Null for a position
   * that needs no step: frozen, unknown, or open without a due debt.
   */
  async #read(positionKey: string, isFirst: boolean): Promise<PositionInputs | null> {
    const { steps, sender, batches, due } = this.#dependencies;
    const inputs = await readInputs(steps, positionKey);
    if (inputs === null || !due.needsStep(inputs.record, isFirst)) return null;
    const unfinished = inputs.intents.filter(({ plan, state }) => {
      return (plan.kind === 'transaction' || plan.kind === 'member') && unfinishedStates.includes(state);
    });
    if (unfinished.length === 0) return inputs;
    for (const intent of unfinished) {
      if (isCall(intent)) await sender.resume(intent);
      else if (intent.plan.kind === 'member') await batches.resume(intent, intent.plan.batch);
    }
    return readInputs(steps, positionKey);
  }

  /**
   * Post an authorised order that did not reach the venue, or read its status. Return the position as observed after
   * that, a wait while the venue refuses orders, and null when the node is behind.
   */
  async #follow(observed: ObservedPosition, lease: Lease): Promise<ObservedPosition | Wait | null> {
    const { orders, steps } = this.#dependencies;
    const { chain, intents, record } = observed;
    const live = chain.liveOrder;
    if (live === null) return observed;
    const posted = postOf(intents, live.orderHash);
    // Also after its window: the intent of a filled order ends before its position is finalised.
    if (isOverOnChain(chain, posted)) {
      if (posted === null) return observed;
      const ended = await orders.endFilled(posted);
      const latest = intents.map((intent): Intent => (intent.id === ended.id ? ended : intent));
      return observedOf(this.#dependencies, { ...observed, intents: latest });
    }
    if (chain.blockTimeMs > live.validUntilMs) return observed;
    const intent = posted === null || posted.state === 'prepared' ? await this.#post(observed, lease) : posted;
    if (intent === null) return observed;
    if (intent.state === 'prepared') {
      // The vault's window is limited: its end must not be missed.
      const endsAtMs = Math.min(chain.blockTimeMs + orders.pauseMsOf(live.orderHash), live.validUntilMs + 1_000);
      return { kind: 'wait', reason: 'venue_refuses', untilMs: endsAtMs };
    }
    const { state } = await orders.follow(intent);
    if (state !== 'dropped' && state !== 'final') return observed;
    // The venue ended the order: the chain may have its fill by now.
    const inputs = await readInputs(steps, record.positionKey);
    return inputs && observePosition(this.#dependencies, inputs);
  }

  /** Post the live order; null when it is not ours, for example one of another deployment. */
  async #post({ chain, intents, record }: ObservedPosition, lease: Lease) {
    const liveHash = chain.liveOrder?.orderHash;
    const authorization = authorizationsOf(intents).find(({ orderHash }) => orderHash === liveHash);
    return authorization === undefined
      ? null
      : this.#dependencies.orders.post(orderPostOf(record, authorization, lease));
  }

  /** Execute an action. Return a wait when it had no effect, or when the end of its order is awaited. */
  #act(current: ObservedPosition, action: PositionAction, lease: Lease): Promise<Wait | null> {
    const facts = 'purpose' in action ? { purpose: action.purpose } : {};
    const span = { name: `act ${action.kind}`, facts };
    return inPositionSpan(current.record.positionKey, span, () => this.#execute(current, action, lease));
  }

  async #execute(current: ObservedPosition, action: PositionAction, lease: Lease): Promise<Wait | null> {
    const { recorder } = this.#dependencies;
    switch (action.kind) {
      case 'order':
        return this.#order(current, action, lease);
      case 'record_miss':
        await recorder.recordMiss(current, { attempt: action.attempt, reason: action.reason, lease });
        return null;
      case 'finalize': {
        const operation = `finalize_${action.purpose}` as const;
        return this.#call(current, { operation, function: 'finalize', details: {}, attempt: action.attempt, lease });
      }
      case 'refund': {
        const details = { reason: action.reason };
        return this.#call(current, {
          operation: 'refund',
          function: 'finalize',
          details,
          attempt: action.attempt,
          lease,
        });
      }
      case 'settle':
        return this.#call(current, {
          operation: 'settle',
          function: 'settle',
          details: {},
          attempt: action.attempt,
          lease,
        });
      case 'defer_close':
        await recorder.deferClose(current, lease);
        return null;
    }
  }

  /**
   * Authorise an order. A refused unwind yields: the next step starts at once and considers other due actions. An
   * opening and a close have pauses of their own after each attempt.
   */
  async #order(current: ObservedPosition, action: OrderAction, lease: Lease): Promise<Wait | null> {
    const { authorizer, recorder, refusedCalls } = this.#dependencies;
    if (action.purpose === 'open' && action.progress !== null) await recorder.notify(current, action.progress);
    const { positionKey } = current.record;
    const call = { positionKey, operation: `authorize_${action.purpose}` } as const;
    const isLiquidation = action.purpose === 'liquidate';
    const paused = isLiquidation ? this.#pauseOf(current, call) : null;
    if (paused !== null) return paused;
    const outcome = await authorizer.authorize(current, action, lease);
    if (outcome?.kind === 'miss') {
      await recorder.recordMiss(current, { attempt: action.attempt, reason: outcome.reason, lease });
    }
    const refusal = outcome?.kind === 'not_authorized' ? this.#recordCall(current, call, outcome.outcome) : null;
    if (isAuthorized(outcome)) refusedCalls.record(call, { kind: 'included' });
    if (action.purpose === 'unwind') this.#recordUnwind(current, action, causeOf(outcome, refusal));
    if (isLiquidation && refusal !== null) return refusal;
    return outcome?.kind === 'wait' ? outcome : null;
  }

  /** Record the refusal of an unwind; null when it was authorised, or waits. */
  #recordUnwind({ record, observation }: ObservedPosition, action: UnwindAction, cause: RefusalCause | null): void {
    const { due } = this.#dependencies;
    const { rung, isHardExit } = action;
    const { positionKey } = record;
    const refusal = cause && { ...cause, atMs: observation.nowMs, sale: { rung, isHardExit } };
    due.recordRefusal(positionKey, refusal && nextUnwindRefusal(due.refusalOf(positionKey), refusal));
  }

  /** Return the rest of the pause of a call that the vault refused; null when it may be tried. */
  #pauseOf({ observation }: ObservedPosition, call: PositionCall): Wait | null {
    const remainingMs = this.#dependencies.refusedCalls.remainingMs(call);
    return remainingMs > 0 ? { kind: 'wait', reason: 'vault_refuses', untilMs: observation.nowMs + remainingMs } : null;
  }

  /** Record a refused call, and return the wait for its next attempt. */
  #recordCall({ observation }: ObservedPosition, call: PositionCall, outcome: RefusedOutcome): VaultRefusal {
    const pauseMs = this.#dependencies.refusedCalls.record(call, outcome) ?? 0;
    return { kind: 'wait', reason: 'vault_refuses', untilMs: observation.nowMs + pauseMs };
  }

  /** Send a vault call that needs no consent. A refused one is tried again in its row, after a growing pause. */
  async #call<Name extends CallOperation>(
    current: ObservedPosition,
    call: {
      readonly operation: Name;
      readonly function: 'finalize' | 'settle';
      readonly details: Omit<CallOf<Name>['details'], 'decidedAtMs'>;
      readonly attempt: number;
      readonly lease: Lease;
    },
  ): Promise<Wait | null> {
    const { sender, chain: settings, refusedCalls, logger } = this.#dependencies;
    const { positionKey } = current.record;
    const { operation, attempt, lease, details } = call;
    const paused = this.#pauseOf(current, { positionKey, operation });
    if (paused !== null) return paused;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: call.function, args: [positionKey] });
    const decided = { ...details, decidedAtMs: current.chain.blockTimeMs };
    const plan = { kind: 'transaction', to: settings.contracts.vault, data, details: decided } as CallOf<Name>;
    const outcome = await sender.send({ subject: positionKey, operation, attempt, plan, lease });
    logger.info({ positionKey, operation, outcome: outcome.kind }, 'vault called');
    if (outcome.kind !== 'included') return this.#recordCall(current, { positionKey, operation }, outcome);
    refusedCalls.record({ positionKey, operation }, outcome);
    return null;
  }
}

/** Return true for an order that was authorised, whether it was posted yet or not. */
function isAuthorized(outcome: AuthorizationResult): boolean {
  return outcome === null || (outcome.kind === 'wait' && outcome.reason === 'order_alive');
}

function causeOf(outcome: AuthorizationResult, refusal: VaultRefusal | null): RefusalCause | null {
  if (refusal !== null) return { reason: refusal.reason, isTransient: false, notBeforeMs: refusal.untilMs };
  return outcome?.kind === 'refused' ? { reason: outcome.reason, isTransient: outcome.isTransient } : null;
}

function pauseOf({ reason, untilMs }: Wait, { nowMs, unwind: { advice } }: PositionObservation): Pause {
  const isAlert = advice.kind === 'wait' && advice.isAlert && advice.reason === reason;
  return { reason, durationMs: untilMs === null ? 0 : Math.max(0, untilMs - nowMs), isAlert };
}
