import type { CrashPoint } from '../config.ts';

/**
 * Ends the process at a named point as a power cut would: no handler runs, nothing is flushed. Only tests name a
 * point; without one this does nothing.
 */
export function crashAt(named: CrashPoint | null): (point: CrashPoint) => void {
  return (point) => {
    if (point === named) process.kill(process.pid, 'SIGKILL');
  };
}
