import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStateFolder } from '../state/stateFolder.ts';
import { type ProgramState, Supervisor } from './supervisor.ts';

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

test('supervisor: restarts a program that ends, with its state `restarting` and a description of the end', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'supervisor-'));
  undo.push(() => rmSync(root, { recursive: true, force: true }));
  const folder = openStateFolder(root);
  const entry = path.join(root, 'program.mjs');
  writeFileSync(entry, "process.stdout.write('ready'); setInterval(() => {}, 1_000);\n");
  const states: Readonly<Record<string, ProgramState>>[] = [];
  const supervisor = new Supervisor(folder, {
    onNotice: () => undefined,
    onChange: () => void states.push(supervisor.states),
  });
  undo.push(() => supervisor.stop([['api']]));
  await supervisor.start({
    name: 'api',
    entry,
    environment: {},
    logFile: path.join(folder.logs, 'api.log'),
    isReady: async (output) => output.includes('ready'),
    readyTimeoutMs: 60_000,
  });
  const first = supervisor.processes['api'] ?? 0;
  process.kill(first, 'SIGKILL');
  await expect.poll(() => supervisor.states['api']?.restarts, { timeout: 60_000 }).toBe(1);

  expect(states.map(({ api }) => [api?.state, api?.restarts, api?.lastEnd])).toEqual([
    ['running', 0, null],
    ['restarting', 0, 'signal SIGKILL'],
    ['running', 1, 'signal SIGKILL'],
  ]);
  const since = states.map(({ api }) => Date.parse(api?.since ?? ''));
  expect(since).toEqual(since.toSorted((left, right) => left - right));
  expect(supervisor.processes['api']).not.toBe(first);
});
