import { spawnSync } from 'node:child_process';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Runs one turbo task (`test`, `gen`, `build`) in every room. Two rooms at a time: the chain, the database and the test
 * runners of a room share the machine's cores with those of another.
 */
// Turbo must never start this script again: without its workspace it would, and every start would start another.
if (process.env['TURBO_HASH'] !== undefined) throw new Error('turbo ran a root script: it did not see the workspace');

const [task = 'test', ...args] = process.argv.slice(2);
const ended = spawnSync('turbo', ['run', task, '--concurrency=2', '--ui=stream', '--continue', ...args], {
  cwd: repositoryRoot,
  stdio: 'inherit',
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
});
process.exitCode = ended.status ?? 1;
