const firstMs = 250;
const longestMs = 15_000;

/** Pause before a program is started again: twice as long after each failure in a row, up to a quarter of a minute. */
export function restartPauseMs(failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures, 10));
}
