import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { failedTaskOf, RoomOutput, roomOfTask } from './run/roomOutput.ts';
import { shownProcesses, tasksAmong } from './run/stuckProcesses.ts';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Runs one turbo task (`test`, `gen`, `build`) in every room. Three rooms at a time: one compiles, and of the others
 * most wait for a chain's next block or for a process that starts again. What failed is said once more at the end.
 *
 * The files whose tests fail beside two other rooms on a busy machine are tested once more, alone: what fails then is
 * red, and what passes is named as unsteady, to be mended.
 */
// Turbo must never start this script again: without its workspace it would, and every start would start another.
if (process.env['TURBO_HASH'] !== undefined) throw new Error('turbo ran a root script: it did not see the workspace');

/** Compiled modules: tests start the same programs some hundred times. */
const compileCache = join(repositoryRoot, 'node_modules/.cache/node-compile');

/** After so long without a line from any room nothing ends by itself any more: the longest file takes two thirds. */
const silenceMs = 10 * 60_000;

interface Run {
  readonly status: number;
  readonly failed: ReadonlySet<string>;
  readonly output: RoomOutput;
}

/** @param files Test files to run; all when there are none. */
async function runTurbo(args: readonly string[], files: readonly string[] = []): Promise<Run> {
  const passedOn = files.length === 0 ? [] : ['--', ...files];
  const turbo = spawn('turbo', ['run', ...args, '--ui=stream', '--continue', ...passedOn], {
    cwd: repositoryRoot,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NODE_COMPILE_CACHE: compileCache },
  });
  const output = new RoomOutput();
  const failed = new Set<string>();
  const silence = setInterval(() => endWhatIsStuck(), silenceMs);
  for (const stream of [turbo.stdout, turbo.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      silence.refresh();
      process.stdout.write(`${line}\n`);
      output.add(line);
      const failure = failedTaskOf(line);
      if (failure !== null) failed.add(failure);
    });
  }
  const [status]: (number | null)[] = await once(turbo, 'close');
  clearInterval(silence);
  process.stdout.write(output.failures(failed));
  return { status: status ?? 1, failed, output };
}

/** Names what still runs and kills it: its room fails, or its task ends at last when only a child was left behind. */
function endWhatIsStuck(): void {
  process.stdout.write('\n── no room has printed a line for ten minutes; killed is what still ran:\n');
  for (const { pid, command } of tasksAmong(shownProcesses(), { pid: process.pid, root: repositoryRoot })) {
    process.stdout.write(`${pid} ${command}\n`);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile, with the one above it.
    }
  }
}

const [task = 'test', ...args] = process.argv.slice(2);
const first = await runTurbo([task, '--concurrency=3', ...args]);
const isRetried = task === 'test' && first.failed.size > 0 && [...first.failed].every((one) => one.endsWith(':test'));
process.exitCode = first.status;
if (isRetried) {
  process.exitCode = 0;
  for (const failed of first.failed) {
    const room = roomOfTask(failed);
    const files = first.output.failedFilesOf(failed);
    process.stdout.write(`\n── once more, alone: ${room} ${files.join(' ')}\n`);
    const { status } = await runTurbo([task, '--only', '--concurrency=1', `--filter=${room}`], files);
    if (status === 0) process.stdout.write(`\n── ${room} is unsteady: it failed beside other rooms only\n`);
    else process.exitCode = status;
  }
}
