import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Run a program of tests in a process of its own and return what it writes, as JSON: the edge of a process is replaced
 * for good.
 */
export async function runProgram(program: URL, ...args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [program.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  return JSON.parse(await text(child.stdout));
}
