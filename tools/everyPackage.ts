import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { failedTaskOf, PackageOutput } from './run/packageOutput.ts';
import { shownProcesses, tasksAmong } from './run/stuckProcesses.ts';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Runs one turbo task (`test`, `test:long`, `gen`, `build`) in every package, two at a time: one compiles while the
 * other mostly waits for blocks or restarts. The last lines of each failed package are printed again at the end.
 * Failures are never retried.
 */
// Turbo outside its workspace would start this script again, and each start another.
if (process.env['TURBO_HASH'] !== undefined) throw new Error('turbo ran a root script: it did not see the workspace');

/** Cache of compiled modules: tests start the same programs some hundred times. */
const compileCache = join(repositoryRoot, 'node_modules/.cache/node-compile');

/** Silence of all packages after which they count as stuck: a file takes a minute at most. */
const silenceMs = 10 * 60_000;

/** Runs the task and returns the status of turbo. */
async function runTurbo(args: readonly string[]): Promise<number> {
  const turbo = spawn('turbo', ['run', ...args, '--ui=stream', '--continue'], {
    cwd: repositoryRoot,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NODE_COMPILE_CACHE: compileCache },
  });
  const output = new PackageOutput();
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
  return status ?? 1;
}

/** Print and kill the processes of running tasks. Their package fails, or ends if only a child was left. */
function endWhatIsStuck(): void {
  process.stdout.write('\n── no package has printed a line for ten minutes; killed processes:\n');
  for (const { pid, command } of tasksAmong(shownProcesses(), { pid: process.pid, root: repositoryRoot })) {
    process.stdout.write(`${pid} ${command}\n`);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with its parent.
    }
  }
}

const [task = 'test', ...args] = process.argv.slice(2);
process.exitCode = await runTurbo([task, '--concurrency=2', ...args]);
