import {
  decidePosition,
  type ExecutionConfig,
  type Position,
  type PositionObservation,
  type Wait,
} from '@core/position';
import type { Lease, MarketRecord } from '@core/store';
import { type Intent, type Intents, isCall, unfinishedStates } from '../transactions/intents.ts';
import type { TransactionSender } from '../transactions/transactionSender.ts';
import type { ExecuteAction } from './executeAction.ts';
import type { FollowOrder } from './followOrder.ts';
import type { ObservePosition } from './observePosition.ts';

/** A wait as a duration: decisions are made on chain time, waiting is done on the process's own clock. */
export interface Pause {
  readonly reason: string;
  readonly durationMs: number;
  /** A person is asked for. */
  readonly isAlert: boolean;
}

/** Takes a position one step forward; a pause when there is nothing to do. */
export type AdvancePosition = (record: Position, market: MarketRecord, lease: Lease) => Promise<Pause | null>;

export interface AdvanceOptions {
  readonly unfinished: { readonly intents: Intents; readonly sender: TransactionSender };
  readonly observe: ObservePosition;
  readonly follow: FollowOrder;
  readonly execute: ExecuteAction;
  readonly config: ExecutionConfig;
}

/**
 * Takes a position as far as it goes now: unfinished effects first, then the venue's side of a live order, then at most
 * one decided action. Everything is read anew each time, so a crash anywhere is continued by the next call.
 */
export function positionAdvancer({ unfinished, observe, follow, execute, config }: AdvanceOptions): AdvancePosition {
  return async (record, market, lease) => {
    const intents = await finishTransactions(unfinished, record.positionKey);
    const first = await observe(record, market, intents);
    if (first === null) {
      return null;
    }
    const followed = await follow(first, lease);
    if (typeof followed === 'object') return pauseOf(followed, first.observation);
    const seen = followed ? await observe(record, market, null) : first;
    if (seen === null) {
      return null;
    }
    const decision = decidePosition(seen.observation, config);
    const wait = decision.kind === 'wait' ? decision : await execute(seen, decision.action, lease);
    return wait === null ? null : pauseOf(wait, seen.observation);
  };
}

function pauseOf({ reason, untilMs }: Wait, { nowMs, unwind: { advice } }: PositionObservation): Pause {
  const isAlert = advice.kind === 'wait' && advice.isAlert && advice.reason === reason;
  return { reason, durationMs: untilMs === null ? 0 : Math.max(0, untilMs - nowMs), isAlert };
}

/**
 * Transactions that a crash or a slow chain left half-way come before any new decision. The intents as they are then;
 * null when some were finished, so that they have to be read again.
 */
async function finishTransactions(
  { intents, sender }: AdvanceOptions['unfinished'],
  positionKey: string,
): Promise<readonly Intent[] | null> {
  const recent = await intents.recent(positionKey);
  const halfWay = recent.filter(isCall).filter(({ state }) => unfinishedStates.includes(state));
  for (const intent of halfWay) await sender.resume(intent);
  return halfWay.length === 0 ? recent : null;
}
