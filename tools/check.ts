import { spawnSync } from 'node:child_process';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Steps in the order in which they fail fastest. Every step runs, so that one run shows all failures.
 */
const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format', 'biome', 'check', '--max-diagnostics=200', '.'],
  ['lint', 'oxlint', '--type-aware'],
  ['generated', 'node', 'contracts/tools/shared-facts/main.ts', '--check'],
  ['client', 'node', 'packages/sdk/generate/main.ts', '--check'],
  ['packages', 'node', 'tools/publish/apiReport.ts', '--check'],
  ['types', 'turbo', 'run', 'typecheck', '--ui=stream', '--output-logs=errors-only'],
  ['contracts', 'turbo', 'run', 'lint', '--ui=stream', '--output-logs=errors-only'],
  ['commits', 'node', 'tools/run/commitSubjects.ts'],
  ['tidy', 'node', 'tools/tidy/main.ts'],
];

/** Deadline of a step. */
const stepMs = 15 * 60_000;

const failed = steps.filter(([name, command, ...args]) => {
  process.stdout.write(`\n── ${name}\n`);
  const ended = spawnSync(command, args, {
    cwd: repositoryRoot,
    stdio: 'inherit',
    timeout: stepMs,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  return ended.status !== 0;
});

const summary = failed.length === 0 ? 'check: all good' : `check: failed: ${failed.map(([name]) => name).join(', ')}`;
process.stdout.write(`\n${summary}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
