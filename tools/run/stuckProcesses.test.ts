import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { processesOfTasks } from './stuckProcesses.ts';

test.runIf(existsSync('/proc/self/environ'))('a process is found by the hash that its task handed on', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000); console.log("runs")'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { TURBO_HASH: 'of-a-task' },
  });
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000); console.log("runs")'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
  });
  try {
    await Promise.all([once(child.stdout, 'data'), once(other.stdout, 'data')]);
    const found = processesOfTasks();
    expect(found.find(({ pid }) => pid === child.pid)?.command).toContain('setInterval');
    expect(found.find(({ pid }) => pid === other.pid)).toBeUndefined();
  } finally {
    child.kill('SIGKILL');
    other.kill('SIGKILL');
  }
});

test('where the system has no such folder nothing is found', () => {
  expect(processesOfTasks('/no/such/folder')).toEqual([]);
});
