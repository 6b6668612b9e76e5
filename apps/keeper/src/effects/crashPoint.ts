/** Moments of an outside effect at which a process may die; each is survived (tests kill it there for real). */
export const crashPoints = ['after_intent', 'after_sign', 'after_broadcast', 'after_receipt', 'before_record'] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** Called whenever an operation reaches such a moment. */
export type Reach = (operation: string, point: CrashPoint) => void;

export const reachNothing: Reach = () => undefined;

/**
 * Kills this very process, unblockably, when `operation:point` is the one named. For the recovery tests: a name nobody
 * sets costs one comparison.
 */
export function crashAt(name: string | undefined): Reach {
  if (name === undefined || name === '') {
    return reachNothing;
  }
  return (operation, point) => {
    if (`${operation}:${point}` === name) {
      process.kill(process.pid, 'SIGKILL');
    }
  };
}
