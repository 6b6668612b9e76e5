import { readdirSync, readFileSync } from 'node:fs';

/** A process of a turbo task that still runs. */
export interface TaskProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Every process that a turbo task started, however far down and whether or not its parent still runs: turbo's tasks
 * carry its hash in their environment and hand it on. Empty where the system has no /proc.
 */
export function processesOfTasks(procFolder = '/proc'): readonly TaskProcess[] {
  return pidsIn(procFolder).flatMap((pid) => {
    try {
      const environment = readFileSync(`${procFolder}/${pid}/environ`, 'utf8').split('\0');
      if (!environment.some((entry) => entry.startsWith('TURBO_HASH='))) return [];
      const command = readFileSync(`${procFolder}/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid, command }];
    } catch {
      // It ended meanwhile, or belongs to another user.
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
