import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Return the lines that a shell gets for a command line with an unfinished last word. @throws Error when it fails. */
export async function completionsOf(words: readonly string[], stateDir: string): Promise<readonly string[]> {
  const env = { PATH: process.env['PATH'], LEV_STATE_DIR: stateDir };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, 'complete', '--', ...words], { env });
  if (stderr !== '') throw new Error(stderr);
  return stdout.trimEnd().split('\n');
}
