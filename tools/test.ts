import { spawnSync } from 'node:child_process';
import { repositoryRoot } from './tidy/workspace.ts';

/** Every test of every room. Two rooms at a time: the chain, the database and the test runners share the machine's cores. */
const ended = spawnSync('turbo', ['run', 'test', '--concurrency=2', '--ui=stream', '--continue'], {
  cwd: repositoryRoot,
  stdio: 'inherit',
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
});
process.exitCode = ended.status ?? 1;
