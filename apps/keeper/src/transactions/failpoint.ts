import { failpointAt } from '@core/runtime';

/** Moments of an external effect at which a process may die; tests kill it at each one. */
export const failpointMoments = [
  'after_intent',
  'after_sign',
  'after_broadcast',
  'after_receipt',
  'before_record',
] as const;
type FailpointMoment = (typeof failpointMoments)[number];

/** Called whenever an operation reaches such a moment. */
export type Failpoint = (operation: string, moment: FailpointMoment) => void;

export const noFailpoint: Failpoint = () => undefined;

/** Kill the process when an operation reaches the named `operation:moment`; null never does. */
export function failpointNamed(name: string | null): Failpoint {
  const failpoint = failpointAt(name);
  return (operation, moment) => failpoint(`${operation}:${moment}`);
}
