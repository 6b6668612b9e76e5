import { failpointAt } from '@core/runtime';

/** Moments of an effect at which a process may die; tests kill it at each one. */
export const failpointMoments = ['after_intent', 'after_send', 'before_end'] as const;

/** Called whenever an effect, such as `fill` or `post`, reaches such a moment. */
export type Failpoint = (effect: string, moment: (typeof failpointMoments)[number]) => void;

/** Kill the process when an effect reaches the named `effect:moment`; null never does. */
export function failpointNamed(name: string | null): Failpoint {
  const failpoint = failpointAt(name);
  return (effect, moment) => failpoint(`${effect}:${moment}`);
}
