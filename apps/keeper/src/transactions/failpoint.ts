import { failpointAt } from '@core/runtime';

/** Moments of an outside effect at which a process may die; each is survived (tests kill it there for real). */
export const failpointMoments = [
  'after_intent',
  'after_sign',
  'after_broadcast',
  'after_receipt',
  'before_record',
] as const;
type FailpointMoment = (typeof failpointMoments)[number];

/** Called whenever an operation comes to such a moment. */
export type Failpoint = (operation: string, moment: FailpointMoment) => void;

export const noFailpoint: Failpoint = () => undefined;

/** Kills this very process when an operation comes to the named `operation:moment`; null never does. */
export function failpointNamed(name: string | null): Failpoint {
  const failpoint = failpointAt(name);
  return (operation, moment) => failpoint(`${operation}:${moment}`);
}
