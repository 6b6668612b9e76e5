import { nextTimeOfDay } from '@core/runtime';

/** Start of test stacks in UTC: an hour and a quarter have just begun, and no market day ends for hours. */
export const steadyTimeOfDay = '18:05';

/**
 * Return the next start time of test stacks: the same time of day in every run, so that the same markets are listed
 * with the same remaining time.
 *
 * @param nowMs Unix milliseconds; the machine's clock by default.
 */
export function steadyStart(nowMs: number = Date.now()): Date {
  return new Date(nextTimeOfDay(steadyTimeOfDay, nowMs / 1_000) * 1_000);
}
