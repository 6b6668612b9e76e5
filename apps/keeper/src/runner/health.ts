/** How a task has been doing; health is decided from it. */
export interface TaskHealth {
  readonly name: string;
  readonly intervalMs: number;
  /** Milliseconds since the last run that succeeded or found its lock held elsewhere; since the start when none did. */
  readonly silenceMs: number;
}

/** A run may take a while (a slow chain, many positions): below this a silence means nothing. */
const toleratedSilenceMs = 15_000;

/** Silent for less than two intervals, or for a short time at all. */
export function isHealthy({ silenceMs, intervalMs }: TaskHealth): boolean {
  return silenceMs < Math.max(2 * intervalMs, toleratedSilenceMs);
}
