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
 * A room whose tests fail beside two others on a busy machine is tested once more, alone: what fails then is red, and
 * what passes is named as unsteady, to be mended.
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
}

async function runTurbo(args: readonly string[]): Promise<Run> {
  const turbo = spawn('turbo', ['run', ...args, '--ui=stream', '--continue'], {
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
  return { status: status ?? 1, failed };
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
if (isRetried) {
  const rooms = [...first.failed].map(roomOfTask);
  process.stdout.write(`\n── once more, alone: ${rooms.join(', ')}\n`);
  const alone = await runTurbo([task, '--only', '--concurrency=1', ...rooms.map((room) => `--filter=${room}`)]);
  const unsteady = alone.status === 0 ? rooms : rooms.filter((room) => !alone.failed.has(`${room}:test`));
  for (const room of unsteady) process.stdout.write(`\n── ${room} is unsteady: it failed beside other rooms only\n`);
  process.exitCode = alone.status;
} else {
  process.exitCode = first.status;
}
