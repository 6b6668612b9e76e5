import { type PricePips, raw, type TokenUnits } from '@core/pricing';
import type { ExecutionConfig } from './executionConfig.ts';

/** An order that was authorised, or would be, to serve a close request. */
export interface CloseAttempt {
  readonly decidedAtMs: number;
  /** Tokens still requested; a fill lowers them. */
  readonly requestedTokenUnits: TokenUnits;
  readonly minPricePips: PricePips;
  /** Tokens of the request that the bids took at that moment. */
  readonly reachTokenUnits: TokenUnits;
}

/** A book that takes twice as much, or half, is another book; less is the noise of every second. */
const reachFactor = 2n;

/**
 * Return whether the next order for a close may be sent. The delay doubles with every order in a row that served the
 * same request on about the same book and sold nothing, up to the longest one. Another request, or another reach of the
 * book, starts again. `made` are the orders of the position, oldest first; the last 32 decide as all do.
 */
export function isCloseRetryDue(made: readonly CloseAttempt[], next: CloseAttempt, config: ExecutionConfig): boolean {
  const last = made.at(-1);
  if (last === undefined) return true;
  const delayMs = closeRetryDelayMs(fruitlessCountOf(made, next), config);
  return next.decidedAtMs - last.decidedAtMs >= delayMs;
}

/** 5 s, 10 s, 20 s … 5 min by default. */
export function closeRetryDelayMs(fruitlessCount: number, config: ExecutionConfig): number {
  const { retryDelayMs, maxCloseRetryDelayMs } = config;
  // Past thirty doublings the longest delay is reached with any setting.
  const doublings = Math.min(Math.max(0, fruitlessCount - 1), 30);
  return Math.min(retryDelayMs * 2 ** doublings, maxCloseRetryDelayMs);
}

function fruitlessCountOf(made: readonly CloseAttempt[], next: CloseAttempt): number {
  return made.length - 1 - made.findLastIndex((attempt) => !isAlike(attempt, next));
}

function isAlike(made: CloseAttempt, next: CloseAttempt): boolean {
  const [before, now] = [raw(made.reachTokenUnits), raw(next.reachTokenUnits)];
  const isSameReach = now < before * reachFactor && before < now * reachFactor;
  return (
    raw(made.requestedTokenUnits) === raw(next.requestedTokenUnits) &&
    raw(made.minPricePips) === raw(next.minPricePips) &&
    isSameReach
  );
}
