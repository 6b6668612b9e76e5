import { readdirSync, readFileSync } from 'node:fs';

/** A process of a turbo task that still runs. */
export interface TaskProcess {
  readonly pid: number;
  readonly command: string;
}

/** A process as the system shows it. */
export interface ShownProcess extends TaskProcess {
  /** Ticks after the start of the system. */
  readonly startedAt: number;
  /** `NAME=value` each. */
  readonly environment: readonly string[];
}

/**
 * Return the processes that tasks of this run started, at any depth and also without a living parent. Tasks of turbo
 * carry its hash in their environment. Programs with an environment of their own are recognised by the checkout they
 * run from, if they are younger than this run; an older local stack is not touched.
 */
export function tasksAmong(
  processes: readonly ShownProcess[],
  own: { readonly pid: number; readonly root: string },
): readonly TaskProcess[] {
  const ownStart = processes.find(({ pid }) => pid === own.pid)?.startedAt ?? Number.POSITIVE_INFINITY;
  return processes.filter(({ pid, command, startedAt, environment }) => {
    if (pid === own.pid || /(?:^|[\s\/])turbo(?:\s|$)/v.test(command)) return false;
    const isOfRoot = command.includes(own.root) && startedAt > ownStart;
    return isOfRoot || environment.some((entry) => entry.startsWith('TURBO_HASH='));
  });
}

/** Return every process that this user can inspect; none where the system has no /proc. */
export function shownProcesses(procFolder = '/proc'): readonly ShownProcess[] {
  return pidsIn(procFolder).flatMap((pid) => {
    try {
      const read = (name: string): string => readFileSync(`${procFolder}/${pid}/${name}`, 'utf8');
      const command = read('cmdline').replaceAll('\0', ' ').trim();
      // The fields follow the program's name, which is in brackets and may hold anything.
      const startedAt = Number(read('stat').split(') ').at(-1)?.split(' ')[19]);
      return [{ pid, command, startedAt, environment: read('environ').split('\0') }];
    } catch {
      // The process has ended or belongs to another user.
      return [];
    }
  });
}

function pidsIn(procFolder: string): readonly number[] {
  try {
    return readdirSync(procFolder)
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid));
  } catch {
    return [];
  }
}
