import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** True while the process exists; one of another user counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a process, or null when it does not exist. */
export function commandOf(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

/** Waits until the process is gone; false when it is still there after the time. */
export async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const endMs = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() >= endMs) return false;
    await delay(50);
  }
  return true;
}

/** Asks the process to end, and ends it when it does not. A process that is gone already is no failure. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  if (!signal(pid, 'SIGTERM')) return;
  if (await isGoneWithin(pid, graceMs)) return;
  signal(pid, 'SIGKILL');
  await isGoneWithin(pid, graceMs);
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
