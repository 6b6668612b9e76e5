import { spawn } from 'node:child_process';
import { hardhatCli } from '../../local/compilation/hardhatCli.ts';

/** A mutant that makes the tests run this long is caught by anyone who waits for them. A busy machine needs less. */
const maxRunMs = 1_200_000;
const failureLine = /^\s+\d+\) (.+)$/m;

/** Result of a run of Solidity tests; `broken` is a run that ended badly without a failing test. */
export type TestRun =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly by: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'broken'; readonly why: string };

/** Compiles everything in a folder, however long that takes. */
export async function build(root: string): Promise<void> {
  const run = await hardhat(root, ['build', '--quiet']);
  if (run.kind !== 'passed') throw new Error(`the tests do not compile: ${JSON.stringify(run)}`);
}

/** Runs Solidity tests that are compiled already, or compiles them first, and stops at the first failure. */
export function runTests(root: string, files: readonly string[], compiled: boolean): Promise<TestRun> {
  return hardhat(root, ['test', 'solidity', ...(compiled ? ['--no-compile'] : []), ...files], maxRunMs);
}

function hardhat(root: string, parameters: readonly string[], endsAfterMs?: number): Promise<TestRun> {
  return new Promise((resolve, reject) => {
    // In a group of its own, because the compiler is a process of Hardhat's that would outlive it.
    const child = spawn(process.execPath, [hardhatCli() ?? 'hardhat', ...parameters], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    });
    let output = '';
    let ending: TestRun | undefined;
    const kill = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const end = (run: TestRun) => {
      if (ending !== undefined) return;
      ending = run;
      kill();
    };
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const failure = failureLine.exec(output)?.[1];
      if (failure !== undefined) end({ kind: 'failed', by: failure });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    process.once('exit', kill);
    const timer = endsAfterMs === undefined ? undefined : setTimeout(() => end({ kind: 'timeout' }), endsAfterMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      const why = output.trim().split('\n').at(-1) ?? '';
      resolve(ending ?? (code === 0 ? { kind: 'passed' } : { kind: 'broken', why: `exit code ${code}: ${why}` }));
    });
  });
}
