import {
  add,
  compare,
  isZero,
  min,
  multiplyDivide,
  pricePips,
  subtract,
  type TokenUnits,
  type UsdcUnits,
} from '@core/pricing';
import type { OpeningFailureReason } from '../states/openingFailure.ts';
import type { ExecutionConfig } from './executionConfig.ts';
import { act, awaitEnd, awaitEvent, type PositionDecision, soonerOf, type Wait, wait } from './positionAction.ts';
import type { PositionObservation } from './positionObservation.ts';
import { unwindRetryAtMs } from './unwindRetry.ts';

/** An order that is due; its size follows from the book. */
export type DueOrder =
  | {
      readonly kind: 'due';
      readonly purpose: 'open';
      readonly orderType: 'FOK' | 'FAK';
      readonly notionalUsdcUnits: UsdcUnits;
    }
  | {
      readonly kind: 'due';
      readonly purpose: 'close';
      readonly tokenUnits: TokenUnits;
      /** Wait of an unwind meanwhile. */
      readonly unwind: Wait | null;
    }
  | { readonly kind: 'due'; readonly purpose: 'liquidate'; readonly tokenUnits: TokenUnits };

type Seen = PositionObservation;
type Step = PositionDecision | DueOrder;

/** The decision as far as it goes without the book. */
export function decideStep(observation: Seen, config: ExecutionConfig): Step {
  if (observation.state !== 'pending' && observation.state !== 'open') return awaitEvent('ended', observation.nowMs);
  return observation.state === 'pending' ? decidePending(observation, config) : decideOpen(observation, config);
}

const noPrice = pricePips(0n);

/** A wait for the end of a delay since the last attempt; null when it is over. */
function delayOf(lastAttemptAtMs: number | null, nowMs: number, delayMs: number): Wait | null {
  const endsAtMs = lastAttemptAtMs === null ? nowMs : lastAttemptAtMs + delayMs;
  return nowMs >= endsAtMs ? null : wait('retry_delay', endsAtMs);
}

/** Return the wait for an order that may still fill: the venue has not ended it and its time is not over. */
function aliveOf({ liveOrder, nowMs }: Seen): Wait | null {
  const isAlive = liveOrder !== null && !liveOrder.isTerminalAtVenue && nowMs <= liveOrder.validUntilMs;
  return isAlive ? awaitEnd(liveOrder, nowMs) : null;
}

/**
 * True when an order's time is over and the next one did not take its place: its allowances stay on until it is ended,
 * so an opening is then ended with what it has.
 */
function isOverdue({ liveOrder, nowMs }: Seen, config: ExecutionConfig): boolean {
  return liveOrder !== null && nowMs > liveOrder.validUntilMs + config.retryDelayMs;
}

/** Spent on tokens so far: by orders that ended and by the live one. */
export function filledSoFarOf({ opening, liveOrder }: Seen): UsdcUnits {
  return liveOrder === null ? opening.filledUsdcUnits : add(opening.filledUsdcUnits, liveOrder.filledUsdcUnits);
}

function refundOf({ callCounts }: Seen, reason: OpeningFailureReason | null): PositionDecision {
  return act({ kind: 'refund', reason, attempt: callCounts.refund + 1 });
}

function finalizeOf({ liveOrder, callCounts }: Seen): PositionDecision {
  return act({ kind: 'finalize', purpose: liveOrder?.purpose ?? 'none', attempt: callCounts.finalize + 1 });
}

/** Failures that a smaller size could have prevented: a missed floor where a part was allowed. */
const helpedBySize: ReadonlySet<OpeningFailureReason> = new Set([
  'order_not_filled',
  'price_moved',
  'liquidity_insufficient',
]);

function failureOf({ allowPartialFill, unfilledReason }: Seen['opening']): OpeningFailureReason {
  return allowPartialFill && helpedBySize.has(unfilledReason) ? 'floor_missed' : unfilledReason;
}

function decidePending(observation: Seen, config: ExecutionConfig): Step {
  const alive = aliveOf(observation);
  if (alive !== null) return alive;
  const { opening, nowMs } = observation;
  const fill = filledSoFarOf(observation);
  const isOver = nowMs >= opening.windowEndsAtMs || isOverdue(observation, config);
  const retryDelay = delayOf(opening.lastAttemptAtMs, nowMs, config.retryDelayMs);
  if (!isZero(fill)) {
    // A partial opening continues for the rest of its size; any fill of an atomic one opens.
    const complete = multiplyDivide(opening.notionalUsdcUnits, config.completeFillBps, 10_000n, 'down');
    const isStopped = opening.isCancelRequested || isOver || !observation.isMarketTradable || !observation.isKnownQuote;
    // Unfilled grants of rests would end the quotes of a category.
    const isTried = opening.attemptCount >= (config.maxPartialAttempts ?? Number.POSITIVE_INFINITY);
    const isDone = !opening.allowPartialFill || compare(fill, complete) >= 0 || isTried || isStopped;
    if (isDone) return finalizeOf(observation);
    const notionalUsdcUnits = subtract(opening.notionalUsdcUnits, fill);
    return retryDelay ?? { kind: 'due', purpose: 'open', orderType: 'FAK', notionalUsdcUnits };
  }
  if (opening.isCancelRequested) return refundOf(observation, null);
  // Nothing is lent on terms of which this service has no record: the quote was lost, or signed elsewhere.
  if (!observation.isKnownQuote) return refundOf(observation, 'order_not_allowed');
  if (!observation.isMarketTradable) return refundOf(observation, 'market_resolved');
  if (isOver || opening.attemptCount >= config.maxOpenAttempts) {
    return refundOf(observation, failureOf(opening));
  }
  return retryDelay ?? { kind: 'due', purpose: 'open', orderType: 'FOK', notionalUsdcUnits: opening.floorUsdcUnits };
}

/**
 * An order that repays the debt, of the size that the risk policy gives, or what it waits for; null with nothing due.
 * A wait, also for price signers that refused, does not hold up a close: that repays debt too.
 */
function unwindOf(
  { closing, unwind, nowMs, isMarketTradable }: Seen,
  config: ExecutionConfig,
): PositionDecision | null {
  const { advice, attemptCount, refusal } = unwind;
  if (advice.kind === 'wait') return wait(advice.reason, advice.untilMs);
  if (advice.kind === 'none' || !isMarketTradable) return null;
  const dueAtMs = unwindRetryAtMs(refusal, { sale: advice, nowMs }, config);
  if (refusal !== null && nowMs < dueAtMs) return wait(refusal.reason, dueAtMs);
  const { tokenUnits, tickPricePips, retryAtMs, reason, rung, isHardExit, isBelowDebt } = advice;
  const { heldTokenUnits, debtUsdcUnits } = closing;
  return act({
    kind: 'order',
    purpose: 'unwind',
    orderType: 'FOK',
    tokenUnits,
    attempt: attemptCount + 1,
    retryAtMs,
    reason,
    rung,
    isHardExit,
    isBelowDebt,
    // The signer's limit alone bounds the price: it is made for this size and moves with the book.
    bounds: { tokenUnits, heldTokenUnits, minPricePips: noPrice, tickPricePips, debtUsdcUnits },
  });
}

/** Return the next step of an open position by urgency: liquidation, then unwind, then the user's request. */
function decideOpen(observation: Seen, config: ExecutionConfig): Step {
  const { closing, liquidation, nowMs } = observation;
  // Payouts end a position with any live order: settling books the order first.
  if (observation.arePayoutsKnown) return act({ kind: 'settle', attempt: observation.callCounts.settle + 1 });
  const alive = aliveOf(observation);
  if (alive !== null) return alive;
  if (observation.liveOrder !== null) return finalizeOf(observation);
  if (liquidation.isDue && observation.isMarketTradable) {
    // Everything that is held, in as many orders as the book takes.
    const due = { kind: 'due', purpose: 'liquidate', tokenUnits: closing.heldTokenUnits } as const;
    return delayOf(liquidation.lastAttemptAtMs, nowMs, config.liquidationRetryDelayMs) ?? due;
  }
  const unwind = unwindOf(observation, config);
  if (unwind?.kind === 'act') return unwind;
  const requested = closing.requestedTokenUnits;
  if (requested === null || isZero(requested) || closing.isDeferred) return unwind ?? wait('nothing_due', null);
  if (!observation.isMarketTradable) return act({ kind: 'defer_close' });
  const due = { kind: 'due', purpose: 'close', tokenUnits: min(requested, closing.heldTokenUnits), unwind } as const;
  const delay = delayOf(closing.attempts.at(-1)?.decidedAtMs ?? null, nowMs, config.retryDelayMs);
  return delay === null ? due : soonerOf(unwind, delay);
}
