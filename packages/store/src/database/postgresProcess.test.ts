import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopLeftover } from './postgresProcess.ts';
import { isAlive, processStateOf } from './processState.ts';

let root = '';
const programs: ChildProcess[] = [];
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'store-leftover-'));
  // A machine without `ps` and all other programs.
  vi.stubEnv('PATH', root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const program of programs.splice(0)) program.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Start a process with arguments; it runs until a signal. */
async function startWith(
  ...args: readonly string[]
): Promise<{ readonly pid: number; readonly ended: Promise<unknown> }> {
  const script = 'setInterval(() => {}, 1_000); console.log("runs")';
  const program = spawn(process.execPath, ['-e', script, '--', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  programs.push(program);
  const ended = once(program, 'exit');
  await once(program.stdout, 'data');
  return { pid: program.pid ?? 0, ended };
}

function lock(pid: number, lockedFolder = root): string {
  const file = path.join(root, 'postmaster.pid');
  writeFileSync(file, `${pid}\n${lockedFolder}\n`);
  return file;
}

test.each([
  ['its own path', (folder: string) => folder],
  ['a link', (folder: string) => `${folder}.link`],
])('without ps: ends a leftover server that was started by %s', async (_path, pathOf) => {
  const used = pathOf(root);
  if (used !== root) symlinkSync(root, used);
  const { pid, ended } = await startWith('-D', used, '-p', '1');
  lock(pid, used);
  await stopLeftover(root);
  await ended;
  if (used !== root) rmSync(used);
  expect(isAlive(pid)).toBe(false);
});

test.each([
  ['a program of another folder', () => ['-D', `${root}-2`]],
  ['a program without arguments', () => []],
])('without ps: removes the lock of an ended server and leaves %s alone', async (_program, argsOf) => {
  const { pid } = await startWith(...argsOf());
  const file = lock(pid);
  await stopLeftover(root);
  expect(existsSync(file)).toBe(false);
  expect(isAlive(pid)).toBe(true);
});

test('a process that ended counts as gone', async () => {
  const { pid, ended } = await startWith();
  expect(processStateOf(pid, (command) => command.includes(process.execPath))).toBe('running');
  process.kill(pid, 'SIGKILL');
  await ended;
  expect(processStateOf(pid, () => true)).toBe('gone');
});
