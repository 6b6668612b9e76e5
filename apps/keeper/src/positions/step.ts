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
import { type Intent, isCall, type PositionInputs, readInputs, unfinishedStates } from '../transactions/intents.ts';
import type { CallOf, CallOperation } from '../transactions/intentTable.ts';
import type { TransactionSender } from '../transactions/transactionSender.ts';
import { postOf, type VenueOrders } from '../transactions/venueOrders.ts';
import type { DuePositions, Pause } from './duePositions.ts';
import { isOverOnChain } from './isOverOnChain.ts';
import { type ObservedPosition, type ObserverDependencies, observedOf, observePosition } from './observePosition.ts';
import { type AuthorizationResult, type Authorizer, authorizationsOf, orderPostOf } from './orderAuthorizer.ts';
import type { PositionRecorder } from './positionRecorder.ts';
import type { BookReader } from './readBook.ts';

type UnwindAction = Extract<OrderAction, { readonly purpose: 'unwind' }>;
type RefusedOrder = Extract<AuthorizationResult, { readonly kind: 'refused' }>;

/** Outcome of a step: `advanced` when another may follow at once, `idle` when the position needs none. */
export type StepResult = 'advanced' | 'idle' | Pause;

export interface StepDependencies extends ObserverDependencies {
  readonly steps: StepStore;
  readonly sender: Pick<TransactionSender, 'resume' | 'send'>;
  readonly orders: Pick<VenueOrders, 'post' | 'follow' | 'endFilled' | 'pauseMsOf'>;
  readonly authorizer: Authorizer;
  readonly recorder: PositionRecorder;
  readonly readBook: BookReader;
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
    const { steps, sender, due } = this.#dependencies;
    const inputs = await readInputs(steps, positionKey);
    if (inputs === null || !due.needsStep(inputs.record, isFirst)) return null;
    const unfinished = inputs.intents.filter(isCall).filter(({ state }) => unfinishedStates.includes(state));
    if (unfinished.length === 0) return inputs;
    for (const intent of unfinished) await sender.resume(intent);
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

  /** Authorise an order. A refused unwind yields: the next step starts at once and considers other due actions. */
  async #order(current: ObservedPosition, action: OrderAction, lease: Lease): Promise<Wait | null> {
    const { authorizer, recorder, due } = this.#dependencies;
    const { positionKey } = current.record;
    if (action.purpose === 'open' && action.progress !== null) await recorder.notify(current, action.progress);
    const outcome = await authorizer.authorize(current, action, lease);
    if (outcome?.kind === 'miss') {
      await recorder.recordMiss(current, { attempt: action.attempt, reason: outcome.reason, lease });
    }
    if (action.purpose === 'unwind') {
      const isRefused = outcome?.kind === 'refused';
      const refusal = isRefused ? this.#refusalOf(current, { action, outcome }) : null;
      due.recordRefusal(positionKey, refusal);
    }
    return outcome?.kind === 'wait' ? outcome : null;
  }

  #refusalOf(
    { record, observation }: ObservedPosition,
    { action, outcome }: { readonly action: UnwindAction; readonly outcome: RefusedOrder },
  ): UnwindRefusal {
    const { rung, isHardExit } = action;
    const { reason, isTransient } = outcome;
    const refusal = { atMs: observation.nowMs, reason, isTransient, sale: { rung, isHardExit } };
    return nextUnwindRefusal(this.#dependencies.due.refusalOf(record.positionKey), refusal);
  }

  /** Send a vault call that needs no consent. A refused one is retried in the next step, as a new attempt. */
  async #call<Name extends CallOperation>(
    { record, chain }: ObservedPosition,
    call: {
      readonly operation: Name;
      readonly function: 'finalize' | 'settle';
      readonly details: Omit<CallOf<Name>['details'], 'decidedAtMs'>;
      readonly attempt: number;
      readonly lease: Lease;
    },
  ): Promise<null> {
    const { sender, chain: settings, logger } = this.#dependencies;
    const { positionKey } = record;
    const { operation, attempt, lease, details } = call;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: call.function, args: [positionKey] });
    const decided = { ...details, decidedAtMs: chain.blockTimeMs };
    const plan = { kind: 'transaction', to: settings.contracts.vault, data, details: decided } as CallOf<Name>;
    const outcome = await sender.send({ subject: positionKey, operation, attempt, plan, lease });
    logger.info({ positionKey, operation, outcome: outcome.kind }, 'vault called');
    return null;
  }
}

function pauseOf({ reason, untilMs }: Wait, { nowMs, unwind: { advice } }: PositionObservation): Pause {
  const isAlert = advice.kind === 'wait' && advice.isAlert && advice.reason === reason;
  return { reason, durationMs: untilMs === null ? 0 : Math.max(0, untilMs - nowMs), isAlert };
}
