import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { FriendlyError } from './friendlyError.ts';
import { commandOf, endProcess, isAlive } from './processes.ts';
import type { StateFolder } from './stateFolder.ts';
import { writePrivately } from './writePrivately.ts';

const runSchema = z.object({
  runnerPid: z.number().int().positive(),
  /** Command line of the runner, so that another program with its number is not taken for it. */
  runnerCommand: z.string(),
  children: z.record(z.string(), z.object({ pid: z.number().int().positive(), command: z.string() })),
});

export type RunRecord = z.infer<typeof runSchema>;

const graceMs = 5_000;

/** Writes who runs here and what it has started. */
export function writeRun(file: string, run: RunRecord): void {
  writePrivately(file, `${JSON.stringify(run, null, 2)}\n`);
}

function readRun(file: string): RunRecord | null {
  if (!existsSync(file)) return null;
  try {
    const parsed = runSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    // A record cut off by a full disk tells nothing; the ports and the data folder are checked anyway.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const isSame = (pid: number, command: string) => isAlive(pid) && commandOf(pid) === command;

/**
 * Clears what a killed runner left: processes it had started, its twin file, a lock of PostgreSQL whose server is gone.
 * @throws FriendlyError when a runner is alive in this folder.
 */
export async function recoverFolder(folder: StateFolder): Promise<readonly string[]> {
  const run = readRun(folder.run);
  const ended: string[] = [];
  if (run !== null) {
    if (run.runnerPid !== process.pid && isSame(run.runnerPid, run.runnerCommand)) {
      throw new FriendlyError(
        `A stack is already running from ${folder.root} (process ${run.runnerPid}): stop it with Ctrl-C or \`kill ${run.runnerPid}\` first.`,
      );
    }
    for (const [name, child] of Object.entries(run.children)) {
      if (!isSame(child.pid, child.command)) continue;
      ended.push(name);
      await endProcess(child.pid, graceMs);
    }
  }
  await releasePostgres(folder.postgres, ended);
  rmSync(folder.stack, { force: true });
  rmSync(folder.run, { force: true });
  return ended;
}

/** Stops a server that still holds the data folder, and drops a lock that names a process of another kind. */
async function releasePostgres(dataDir: string, ended: string[]): Promise<void> {
  const lock = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return;
  const command = commandOf(pid);
  if (command === null) return;
  if (command.includes('postgres') && command.includes(dataDir)) {
    ended.push('postgres');
    await endProcess(pid, graceMs);
    return;
  }
  // The number was given to another program since: the server would refuse to start for ever.
  rmSync(lock, { force: true });
}
