import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../tidy/workspace.ts';
import { shownProcesses, tasksAmong } from './stuckProcesses.ts';

const own = { pid: process.pid, root: repositoryRoot };

test.runIf(existsSync('/proc/self/environ'))('what tasks started is found, and nothing else', async () => {
  const start = (env: Record<string, string>, ...args: readonly string[]) =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000); console.log("runs")', ...args], {
      argv0: 'node',
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    });
  const ofTask = start({ TURBO_HASH: 'of-a-task' });
  const ofCheckout = start({}, `${repositoryRoot}/apps/api/src/main.ts`);
  const foreign = start({});
  const children = [ofTask, ofCheckout, foreign];
  try {
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    const taskPids = new Set(tasksAmong(shownProcesses(), own).map(({ pid }) => pid));
    expect(children.map(({ pid }) => taskPids.has(pid ?? 0))).toEqual([true, true, false]);
    expect(taskPids.has(process.pid)).toBe(false);
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
});

test('tasksAmong: leaves turbo and older processes alone', () => {
  const defaults = { environment: [], startedAt: 20 };
  const processes = [
    { ...defaults, pid: 1, command: 'node tools/everyPackage.ts test', startedAt: 10 },
    { ...defaults, pid: 2, command: '/r/node_modules/.pnpm/@turbo/bin/turbo run test' },
    { ...defaults, pid: 3, command: 'node /r/apps/devnet/start.mjs', startedAt: 5 },
    { ...defaults, pid: 4, command: 'node /r/apps/keeper/src/main.ts' },
  ];
  expect(tasksAmong(processes, { pid: 1, root: '/r' }).map(({ pid }) => pid)).toEqual([4]);
});

test('shownProcesses: finds nothing without /proc', () => {
  expect(shownProcesses('/no/such/folder')).toEqual([]);
});
