import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { failedTaskOf, RoomOutput } from './run/roomOutput.ts';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Runs one turbo task (`test`, `gen`, `build`) in every room. Two rooms at a time: the chain, the database and the test
 * runners of a room share the machine's cores with those of another. What failed is said once more at the end.
 */
// Turbo must never start this script again: without its workspace it would, and every start would start another.
if (process.env['TURBO_HASH'] !== undefined) throw new Error('turbo ran a root script: it did not see the workspace');

const [task = 'test', ...args] = process.argv.slice(2);
const turbo = spawn('turbo', ['run', task, '--concurrency=2', '--ui=stream', '--continue', ...args], {
  cwd: repositoryRoot,
  stdio: ['inherit', 'pipe', 'pipe'],
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
});
const output = new RoomOutput();
const failed = new Set<string>();
for (const stream of [turbo.stdout, turbo.stderr]) {
  createInterface({ input: stream }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    output.add(line);
    const failure = failedTaskOf(line);
    if (failure !== null) failed.add(failure);
  });
}
const [status]: (number | null)[] = await once(turbo, 'close');
process.stdout.write(output.failures(failed));
process.exitCode = status ?? 1;
