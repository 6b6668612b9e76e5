import type { ExecutionConfig } from './executionConfig.ts';
import type { UnwindSale } from './unwindAdvice.ts';

/**
 * Sale for a debt that resulted in no order. The process that requested it remembers it; a new process requests it
 * again.
 */
export interface UnwindRefusal {
  readonly atMs: number;
  readonly reason: string;
  /** Fields by which one sale differs from another. */
  readonly sale: Pick<UnwindSale, 'rung' | 'isHardExit'>;
  /** Refusals in a row of such a sale; those that pass by themselves do not count. */
  readonly lastingCount: number;
  /** Earliest time of the next request, where the vault refused the authorisation; absent where the signers refused. */
  readonly notBeforeMs?: number;
}

/** A refusal longer ago belongs to another unwind. More than the longest delay, so that a row is seen as one. */
export const unwindRefusalLifeMs = 60_000;

/** The refusal of a sale, counted on from the one before. */
export function nextUnwindRefusal(
  before: UnwindRefusal | null,
  { isTransient, ...refusal }: Omit<UnwindRefusal, 'lastingCount'> & { readonly isTransient: boolean },
): UnwindRefusal {
  const isInRow = before !== null && isAlike(before.sale, refusal.sale) && isAlive(before, refusal.atMs);
  return { ...refusal, lastingCount: (isInRow ? before.lastingCount : 0) + (isTransient ? 0 : 1) };
}

/**
 * Return the time at which a sale may be requested after a refusal. The delay doubles with every lasting one in a row
 * up to the longest: a sale comes at most twice as late as it was refused, and signers that never consent are not
 * flooded. A hard exit has its own pace, and so has a sale that the vault refused. Another cause, rung or deadline is
 * another sale and is requested at once.
 */
export function unwindRetryAtMs(
  refusal: UnwindRefusal | null,
  { sale, nowMs }: { readonly sale: UnwindSale; readonly nowMs: number },
  config: ExecutionConfig,
): number {
  if (refusal === null || !isAlike(refusal.sale, sale) || !isAlive(refusal, nowMs)) return nowMs;
  const shortestMs = sale.retryAtMs - nowMs;
  if (refusal.notBeforeMs !== undefined) return Math.max(refusal.atMs + shortestMs, refusal.notBeforeMs);
  if (sale.isHardExit) return refusal.atMs + shortestMs;
  // Past thirty doublings the longest delay is reached with any setting.
  const doublings = Math.min(Math.max(0, refusal.lastingCount - 1), 30);
  const longestMs = Math.max(shortestMs, config.maxUnwindRetryDelayMs);
  return refusal.atMs + Math.min(shortestMs * 2 ** doublings, longestMs);
}

function isAlike(last: UnwindRefusal['sale'], next: UnwindRefusal['sale']): boolean {
  return last.rung === next.rung && last.isHardExit === next.isHardExit;
}

function isAlive({ atMs }: UnwindRefusal, nowMs: number): boolean {
  return nowMs - atMs <= unwindRefusalLifeMs;
}
