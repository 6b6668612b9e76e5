const firstMs = 250;
const longestMs = 15_000;

/** Return the pause before a restart: doubled after each failure in a row, up to 15 s. */
export function restartPauseMs(failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures, 10));
}
