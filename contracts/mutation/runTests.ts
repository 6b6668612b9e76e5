import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A mutant that makes the tests run this long is caught by anyone who waits for them. */
const longestMs = 240_000;
const failureLine = /^\s+\d+\) (.+)$/m;

/** How a run of the Solidity tests ended. */
export type TestRun =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly by: string }
  | { readonly kind: 'timeout' };

/** Runs the Solidity tests of a folder and stops at the first failure. */
export function runTests(root: string): Promise<TestRun> {
  const cli = join(dirname(fileURLToPath(import.meta.resolve('hardhat'))), 'cli.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, 'test', 'solidity'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true' },
    });
    let output = '';
    let ending: TestRun | undefined;
    const end = (run: TestRun) => {
      if (ending !== undefined) return;
      ending = run;
      child.kill('SIGKILL');
    };
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const failure = failureLine.exec(output)?.[1];
      if (failure !== undefined) end({ kind: 'failed', by: failure });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    const timer = setTimeout(() => end({ kind: 'timeout' }), longestMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (ending !== undefined) resolve(ending);
      else if (code === 0) resolve({ kind: 'passed' });
      else resolve({ kind: 'failed', by: output.trim().split('\n').slice(-1)[0] ?? `exit code ${code}` });
    });
  });
}
