/** Progress of a task, from which health is decided. */
export interface TaskHealth {
  readonly name: string;
  readonly intervalMs: number;
  /**
   * Milliseconds since the last run that succeeded or whose lock another keeper held; since the start before the first.
   */
  readonly silenceMs: number;
}

/** Longest silence without meaning: a run may take a while (a slow chain, many positions). */
const toleratedSilenceMs = 15_000;

/** Return true while the silence is below two intervals or the tolerance. */
export function isHealthy({ silenceMs, intervalMs }: TaskHealth): boolean {
  return silenceMs < Math.max(2 * intervalMs, toleratedSilenceMs);
}
