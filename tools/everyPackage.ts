import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type FailedTask, failedTaskOf, PackageOutput } from './run/packageOutput.ts';
import { runAgain } from './run/secondTry.ts';
import { shownProcesses, tasksAmong } from './run/stuckProcesses.ts';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Runs one turbo task (`test`, `test:real`, `test:long`, `gen`, `build`) in every package, two at a time: one compiles
 * while the other mostly waits for blocks or restarts. The last lines of each failed package are printed again at the
 * end. A failed test file is run once more, alone, after all others; what passes only then is named in the last lines.
 * `--once` turns that off.
 */
// Turbo outside its workspace would start this script again, and each start another.
if (process.env['TURBO_HASH'] !== undefined) throw new Error('turbo ran a root script: it did not see the workspace');

/** Cache of compiled modules: tests start the same programs some hundred times. */
const compileCache = join(repositoryRoot, 'node_modules/.cache/node-compile');

/** Silence of all packages after which they count as stuck: a file takes a minute at most. */
const silenceMs = 10 * 60_000;

interface TurboRun {
  readonly status: number;
  readonly failed: readonly FailedTask[];
}

/** Runs the task in all packages. */
async function runTurbo(args: readonly string[]): Promise<TurboRun> {
  const turbo = spawn('turbo', ['run', ...args, '--ui=stream', '--continue'], {
    cwd: repositoryRoot,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NODE_COMPILE_CACHE: compileCache },
  });
  const output = new PackageOutput();
  const failed = new Map<string, FailedTask>();
  const silence = setInterval(() => endWhatIsStuck(), silenceMs);
  for (const stream of [turbo.stdout, turbo.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      silence.refresh();
      process.stdout.write(`${line}\n`);
      output.add(line);
      const failure = failedTaskOf(line);
      if (failure !== null) failed.set(failure.task, failure);
    });
  }
  const [status]: (number | null)[] = await once(turbo, 'close');
  clearInterval(silence);
  process.stdout.write(output.failures(failed.keys()));
  return { status: status ?? 1, failed: [...failed.values()] };
}

/** Run failed tests once more and print what passes only then. Returns the status of the whole run. */
function secondTries(task: string, { status, failed }: TurboRun, resultsFolder: string): number {
  const isKnown = failed.length > 0 && failed.every(({ script }) => script === task);
  if (status === 0 || !isKnown) return status;
  const tries = failed.map(({ script, folder }) => ({ folder, lines: runAgain(folder, script, resultsFolder) }));
  process.stdout.write('\n');
  for (const { folder, lines } of tries) {
    process.stdout.write(lines === null ? `failed twice: ${folder}\n` : lines.map((line) => `${line}\n`).join(''));
  }
  return tries.some(({ lines }) => lines === null) ? status : 0;
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

const [task = 'test', ...given] = process.argv.slice(2);
const args = given.filter((word) => word !== '--once');
const resultsFolder = mkdtempSync(join(tmpdir(), 'test-results-'));
process.env['TEST_RESULTS'] = resultsFolder;
const run = await runTurbo([task, '--concurrency=2', ...args]);
const isTest = task.startsWith('test') && args.length === given.length;
process.exitCode = isTest ? secondTries(task, run, resultsFolder) : run.status;
rmSync(resultsFolder, { recursive: true, force: true });
