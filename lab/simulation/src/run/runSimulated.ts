import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/**
 * Run a program in a process of its own, whose edge it replaces for good, and return the JSON that it writes.
 * @param program Address of its file.
 * @throws Error when the process ends without a word.
 */
export async function runSimulated(program: URL, argument: string): Promise<unknown> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(program), argument], {
    // A world ends with the pipe of its input.
    stdio: ['pipe', 'pipe', 'inherit'],
    // One thread answers files and hashes in the order of the requests.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (output === '') throw new Error(`${argument} ended without a report: ${signal ?? code}`);
  return JSON.parse(output);
}
