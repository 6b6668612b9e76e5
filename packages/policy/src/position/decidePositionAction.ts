import { add, compare, isZero, min, multiplyDivide, subtract, type UsdcUnits } from '@core/pricing';
import type { ExecutionConfig, PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import type { OpeningFailureReason, PositionAction, PositionObservation } from './positionAction.ts';
import type { OrderPurpose } from './transitions.ts';

/**
 * What to do for a position now: at most one action, or nothing to wait. Opening: FOK up to three times five seconds
 * apart, then a refund; a partial opening takes its floor first and then what it gets until its window ends. Open: what
 * is resolved is settled, what has reached its liquidation price is sold, and what its owner asked for is closed. A live
 * order is never disturbed before it ended at the venue or on time, and never left standing after its time. Applying
 * the decided action to the observation gives one for which nothing is decided.
 */
export function decidePositionAction(
  seen: PositionObservation,
  config: PolicyConfig = policyDefaults,
): readonly PositionAction[] {
  if (seen.state !== 'pending' && seen.state !== 'open') return [];
  if (!seen.isKnownQuote) return [{ kind: 'freeze', reason: 'unknown_quote', ...baseOf(seen, 'freeze', 0) }];
  return seen.state === 'pending' ? decidePending(seen, config.execution) : decideOpen(seen, config.execution);
}

function baseOf(seen: PositionObservation, operation: string, attempt: number) {
  return { positionKey: seen.positionKey, idempotencyKey: `${seen.positionKey}:${operation}:${attempt}` };
}

function isDelayOver(lastAttemptAtMs: number | null, nowMs: number, delayMs: number): boolean {
  return lastAttemptAtMs === null || nowMs - lastAttemptAtMs >= delayMs;
}

/** True while an order may still fill: the venue has not ended it and its time is not over. */
function isOrderAlive(seen: PositionObservation): boolean {
  const { liveOrder, nowMs } = seen;
  return liveOrder !== null && !liveOrder.isTerminalAtVenue && nowMs <= liveOrder.validUntilMs;
}

/**
 * True when an order's time is over and the next one did not take its place: its allowances stay on until it is ended,
 * so an opening is then ended with what it has.
 */
function isOverdue({ liveOrder, nowMs }: PositionObservation, config: ExecutionConfig): boolean {
  return liveOrder !== null && nowMs > liveOrder.validUntilMs + config.retryDelayMs;
}

function filledSoFarOf(seen: PositionObservation): UsdcUnits {
  const { filledUsdcUnits } = seen.opening;
  return seen.liveOrder === null ? filledUsdcUnits : add(filledUsdcUnits, seen.liveOrder.filledUsdcUnits);
}

function refundOf(seen: PositionObservation, reason: OpeningFailureReason | null): readonly PositionAction[] {
  return [{ kind: 'refund', reason, ...baseOf(seen, 'refund', 0) }];
}

function finalizeOf(seen: PositionObservation, attempt: number): readonly PositionAction[] {
  const purpose = seen.liveOrder?.purpose ?? 'none';
  return [{ kind: 'finalize', purpose, ...baseOf(seen, `finalize_${purpose}`, attempt) }];
}

function decidePending(seen: PositionObservation, config: ExecutionConfig): readonly PositionAction[] {
  if (isOrderAlive(seen)) return [];
  const { opening, nowMs } = seen;
  const filled = filledSoFarOf(seen);
  const isWindowOver = nowMs >= opening.windowEndsAtMs;
  const isOver = isWindowOver || isOverdue(seen, config);
  const isStopped = opening.isCancelRequested || isOver || !seen.isMarketTradable;
  const complete = multiplyDivide(opening.notionalUsdcUnits, config.completeFillBps, 10_000n, 'down');
  if (!isZero(filled)) {
    // A partial opening goes on for the rest of its size; whatever filled of an atomic one opens.
    const isDone = !opening.allowPartialFill || compare(filled, complete) >= 0 || isStopped;
    return isDone ? finalizeOf(seen, opening.attemptCount) : decideRest(seen, filled, config);
  }
  if (opening.isCancelRequested) return refundOf(seen, null);
  if (!seen.isMarketTradable) return refundOf(seen, 'market_resolved');
  const isExhausted = opening.attemptCount >= config.maxOpenAttempts;
  if (isOver || isExhausted) return refundOf(seen, opening.allowPartialFill ? 'floor_missed' : 'order_not_filled');
  if (!isDelayOver(opening.lastAttemptAtMs, nowMs, config.retryDelayMs)) return [];
  const attempt = opening.attemptCount + 1;
  return [
    {
      kind: 'authorize_open',
      orderType: 'FOK',
      notionalUsdcUnits: opening.floorUsdcUnits,
      attempt,
      ...baseOf(seen, 'open', attempt),
    },
  ];
}

function decideRest(seen: PositionObservation, filled: UsdcUnits, config: ExecutionConfig): readonly PositionAction[] {
  const { opening, nowMs } = seen;
  if (!isDelayOver(opening.lastAttemptAtMs, nowMs, config.retryDelayMs)) return [];
  const attempt = opening.attemptCount + 1;
  return [
    {
      kind: 'authorize_open',
      orderType: 'FAK',
      notionalUsdcUnits: subtract(opening.notionalUsdcUnits, filled),
      attempt,
      ...baseOf(seen, 'open', attempt),
    },
  ];
}

function attemptCountOf({ closing, liquidation }: PositionObservation, purpose: OrderPurpose): number {
  return purpose === 'liquidate' ? liquidation.attemptCount : closing.attemptCount;
}

/** Everything that is held, in as many orders as the book takes; it comes before what the owner asked for. */
function decideLiquidation(seen: PositionObservation, config: ExecutionConfig): readonly PositionAction[] {
  const { closing, liquidation, nowMs } = seen;
  if (!isDelayOver(liquidation.lastAttemptAtMs, nowMs, config.liquidationRetryDelayMs)) return [];
  const attempt = liquidation.attemptCount + 1;
  return [{ kind: 'liquidate', tokenUnits: closing.heldTokenUnits, attempt, ...baseOf(seen, 'liquidate', attempt) }];
}

function decideOpen(seen: PositionObservation, config: ExecutionConfig): readonly PositionAction[] {
  const { closing, nowMs } = seen;
  // Payouts end a position whatever order is left: settling books it first.
  if (seen.arePayoutsKnown) return [{ kind: 'settle', ...baseOf(seen, 'settle', 0) }];
  if (isOrderAlive(seen)) return [];
  if (seen.liveOrder !== null) return finalizeOf(seen, attemptCountOf(seen, seen.liveOrder.purpose));
  if (seen.liquidation.isDue && seen.isMarketTradable) return decideLiquidation(seen, config);
  const requested = closing.requestedTokenUnits;
  if (requested === null || isZero(requested) || closing.isDeferred) return [];
  if (!seen.isMarketTradable) return [{ kind: 'defer_close', ...baseOf(seen, 'defer_close', 0) }];
  if (!isDelayOver(closing.lastAttemptAtMs, nowMs, config.retryDelayMs)) return [];
  const attempt = closing.attemptCount + 1;
  return [
    {
      kind: 'authorize_close',
      tokenUnits: min(requested, closing.heldTokenUnits),
      minPricePips: closing.minPricePips,
      attempt,
      ...baseOf(seen, 'close', attempt),
    },
  ];
}
