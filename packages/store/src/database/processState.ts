import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Result of a search for a process; `unknown` when one has the id and its command line cannot be read. */
export type ProcessState = 'running' | 'gone' | 'unknown';

/** Flag of the kernel's own threads in `/proc/<pid>/stat`. */
const kernelThread = 0x00_20_00_00;

/** Return true while the process exists, also as another user's. A process that ended and was not reaped is gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !/^[ZX]$/.test(statOf(pid)?.[0] ?? '');
}

/** Return the command line of a process, or null when it does not exist or cannot be read. */
export function commandOf(pid: number): string | null {
  // Without `ps`, as in small images, Linux still has its files.
  if (existsSync('/proc/self/cmdline')) {
    return readOrNull(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
  }
  return readOrNull(() => execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }));
}

/** Search for a process with an id and a command line: another program may have got the id of one that ended. */
export function processStateOf(pid: number, isCommand: (command: string) => boolean): ProcessState {
  if (!isAlive(pid)) return 'gone';
  const command = commandOf(pid);
  if (command !== null) return isCommand(command) ? 'running' : 'gone';
  const isOfKernel = (Number(statOf(pid)?.[6]) & kernelThread) !== 0;
  return isOfKernel || !isAlive(pid) ? 'gone' : 'unknown';
}

function readOrNull(read: () => string): string | null {
  try {
    return read().trim() || null;
  } catch {
    // The caller decides: the process has ended, or it is hidden, or the program that would show it is missing.
    return null;
  }
}

/** Return the fields of `/proc/<pid>/stat` from the state on; the name before them may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  return readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    ?.split(') ')
    .at(-1)
    ?.split(' ');
}
