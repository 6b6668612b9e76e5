import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError } from '@core/runtime';
import { isAlive, type ProcessState, processStateOf } from '@core/store';

/** Return the code of an error of the system; undefined for any other error. */
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Process as it was recorded; its command line is empty when it could not be read. */
interface RecordedProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Search for a process of an earlier start.
 *
 * @param name Name for the reader.
 * @throws FriendlyError when a process has its id and cannot be distinguished from it.
 */
export function recordedStateOf(name: string, { pid, command }: RecordedProcess): Exclude<ProcessState, 'unknown'> {
  const state = processStateOf(pid, (found) => found === command);
  const isCertain = command !== '' && state !== 'unknown';
  if (isCertain || !isAlive(pid)) return state === 'running' ? 'running' : 'gone';
  throw new FriendlyError(`Process ${pid} may be ${name} of the last start and cannot be inspected: end it first.`);
}

/** Longest wait until the system has removed a killed process and its ports. */
const killedMs = 5_000;

/** Wait until the process is gone. Returns false when it still exists after the time. */
export async function isGoneWithin(pid: number, timeoutMs: number): Promise<boolean> {
  const endMs = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() >= endMs) return false;
    await delay(50);
  }
  return true;
}

/** Ask the process to end, and kill it after the grace period. A process that is gone is no failure. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  if (!signal(pid, 'SIGTERM')) return;
  if (await isGoneWithin(pid, graceMs)) return;
  signal(pid, 'SIGKILL');
  await isGoneWithin(pid, killedMs);
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}
