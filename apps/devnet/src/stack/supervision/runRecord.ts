import { existsSync, readFileSync, rmSync } from 'node:fs';
import { FriendlyError, replaceFile } from '@core/runtime';
import { z } from 'zod';
import type { StateFolder } from '../state/stateFolder.ts';
import { endProcess, recordedStateOf } from './processes.ts';

const runSchema = z.object({
  runnerPid: z.number().int().positive(),
  /** Command line of the runner, which distinguishes it from another program with its id. */
  runnerCommand: z.string(),
  children: z.record(z.string(), z.object({ pid: z.number().int().positive(), command: z.string() })),
});

export type RunRecord = z.infer<typeof runSchema>;

const graceMs = 5_000;

/** Write the runner and its processes. */
export function writeRun(file: string, run: RunRecord): void {
  replaceFile(file, `${JSON.stringify(run, null, 2)}\n`);
}

function readRun(file: string): RunRecord | null {
  if (!existsSync(file)) return null;
  try {
    const parsed = runSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    // A truncated record is ignored; ports and data folder are checked anyway.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Clear the leftovers of a killed runner: its programs and the stack file.
 *
 * @returns Names of the ended programs.
 * @throws FriendlyError when a runner is alive in this folder, or a process may be one of its programs.
 */
export async function recoverFolder(folder: StateFolder): Promise<readonly string[]> {
  const run = readRun(folder.run);
  const ended: string[] = [];
  if (run !== null) {
    const runner = { pid: run.runnerPid, command: run.runnerCommand };
    if (runner.pid !== process.pid && recordedStateOf('the runner', runner) === 'running') {
      throw new FriendlyError(
        `A stack is already running from ${folder.root} (process ${run.runnerPid}): ` +
          `stop it with Ctrl-C or \`kill ${run.runnerPid}\` first.`,
      );
    }
    for (const [name, child] of Object.entries(run.children)) {
      if (recordedStateOf(name, child) === 'gone') continue;
      ended.push(name);
      await endProcess(child.pid, graceMs);
    }
  }
  rmSync(folder.stack, { force: true });
  rmSync(folder.run, { force: true });
  return ended;
}
