import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { commandOf, isAlive } from '@core/store';
import { afterEach, describe, expect, test } from 'vitest';
import { readEnv } from '../env.ts';
import { readyLines } from '../runStack.ts';
import { choosePorts } from './ports.ts';
import { openSecrets } from './state/secrets.ts';
import { openStateFolder, type StateFolder } from './state/stateFolder.ts';
import { launchersOf, secondsOf } from './supervision/launcher.ts';
import { endProcess, isGoneWithin } from './supervision/processes.ts';
import { recoverFolder, writeRun } from './supervision/runRecord.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).toReversed()) step();
});

function temporaryFolder(): StateFolder {
  const root = mkdtempSync(path.join(tmpdir(), 'devnet-'));
  undo.push(() => rmSync(root, { recursive: true, force: true }));
  return openStateFolder(root);
}

/** Start a process that does nothing until it is asked to end. */
function idleProcess(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const { pid } = child;
  if (pid === undefined) throw new Error('no process');
  undo.push(() => child.kill('SIGKILL'));
  return pid;
}

function listenOn(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    undo.push(() => server.close());
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

describe('ports', () => {
  test('count up from the base; a taken one moves to the next free port', async () => {
    const server = await listenOn(0);
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { ports, moved } = await choosePorts(port - 1);
    // Beyond the ports of all others, so that they need not move.
    expect(ports.chain).toBeGreaterThan(port - 1 + Object.keys(ports).length - 1);
    expect(moved).toContainEqual({ name: 'chain', from: port, to: ports.chain });
    expect(new Set(Object.values(ports)).size).toBe(Object.keys(ports).length);
  });

  test('pass over those that fetch refuses', async () => {
    const { ports, moved } = await choosePorts(6_660);
    for (const port of Object.values(ports)) {
      const failure: unknown = await fetch(`http://127.0.0.1:${port}`).catch((cause: unknown) => cause);
      expect(String(Reflect.get(Object(failure), 'cause'))).not.toMatch(/bad port/);
    }
    expect(moved.map(({ from }) => from)).toEqual(expect.arrayContaining([6_665, 6_666, 6_667, 6_668, 6_669]));
  });
});

describe('secrets', () => {
  test('are made once, readable by their owner only', () => {
    const folder = temporaryFolder();
    const first = openSecrets(folder);
    const tokenKeys = readFileSync(folder.tokenKeys, 'utf8');
    expect(openSecrets(folder)).toEqual(first);
    expect(readFileSync(folder.tokenKeys, 'utf8')).toBe(tokenKeys);
    for (const file of [folder.secrets, folder.tokenKeys]) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(tokenKeys)).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519' }] });
  });
});

describe('recovery', () => {
  test('ends processes of a killed runner and removes its files', async () => {
    const folder = temporaryFolder();
    const pid = idleProcess();
    writeFileSync(folder.stack, '{}');
    writeRun(folder.run, {
      runnerPid: 999_999_999,
      runnerCommand: 'gone',
      children: { api: { pid, command: commandOf(pid) ?? '' } },
    });
    expect(await recoverFolder(folder)).toEqual(['api']);
    expect(await isGoneWithin(pid, 40_000)).toBe(true);
    expect(existsSync(folder.stack)).toBe(false);
    expect(existsSync(folder.run)).toBe(false);
  });

  test('leaves another program with a reused process id alone', async () => {
    const folder = temporaryFolder();
    const pid = idleProcess();
    writeRun(folder.run, { runnerPid: pid, runnerCommand: 'another', children: { api: { pid, command: 'another' } } });
    expect(await recoverFolder(folder)).toEqual([]);
    expect(isAlive(pid)).toBe(true);
  });

  test('refuses a folder with a live runner', async () => {
    const folder = temporaryFolder();
    const pid = idleProcess();
    writeRun(folder.run, { runnerPid: pid, runnerCommand: commandOf(pid) ?? '', children: {} });
    await expect(recoverFolder(folder)).rejects.toThrow(FriendlyError);
  });

  test.each([
    ['runner', { runnerCommand: '', children: {} }],
    ['program', { runnerCommand: 'gone', children: { api: {} } }],
  ])('refuses a folder whose live %s was recorded without a command line, and keeps its files', async (_name, run) => {
    const folder = temporaryFolder();
    const pid = idleProcess();
    const children = Object.fromEntries(Object.keys(run.children).map((name) => [name, { pid, command: '' }]));
    writeFileSync(folder.stack, '{}');
    writeRun(folder.run, { runnerPid: pid, runnerCommand: run.runnerCommand, children });
    await expect(recoverFolder(folder)).rejects.toThrow(FriendlyError);
    expect([folder.stack, folder.run].every((file) => existsSync(file))).toBe(true);
    expect(isAlive(pid)).toBe(true);
  });

  test('survives a truncated record', async () => {
    const folder = temporaryFolder();
    writeFileSync(folder.run, '{"runnerPid": 1');
    expect(await recoverFolder(folder)).toEqual([]);
    expect(existsSync(folder.run)).toBe(false);
  });

  test('ignores a process that has ended', async () => {
    await expect(endProcess(999_999_999, 10)).resolves.toBeUndefined();
    expect(commandOf(999_999_999)).toBeNull();
  });
});

describe('environment', () => {
  test('has defaults and names a wrong value', () => {
    expect(readEnv({})).toEqual({});
    expect(() => readEnv({ LEV_PORT_BASE: 'high' })).toThrow(/LEV_PORT_BASE/);
    expect(() => readEnv({ LEV_PROT_BASE: '9000' })).toThrow(
      'LEV_PROT_BASE is no setting of start: did you mean LEV_PORT_BASE?',
    );
    expect(() => readEnv({ DATABASE_URL: 'mysql://x' })).toThrow(FriendlyError);
  });
});

test('launchersOf: finds package managers and the shells between them, no interactive shell', () => {
  const commands = [
    'sh -c node apps/devnet/src/main.ts',
    'pnpm start',
    "sh -c 'pnpm' start",
    'npm exec pnpm@12 start',
    'bash',
  ];
  const ancestors = commands.map((command, index) => ({ pid: 100 + index, command }));
  expect(launchersOf(ancestors).map(({ pid }) => pid)).toEqual([100, 101, 102, 103]);
  expect(
    launchersOf([{ pid: 1, command: '/usr/bin/node /usr/lib/node_modules/npm/bin/npx-cli.js pnpm' }]),
  ).toHaveLength(1);
  expect(launchersOf([{ pid: 1, command: 'bash start-pnpm.sh' }])).toEqual([]);
});

test('secondsOf: reads seconds, minutes, hours and days', () => {
  expect(['00:07', '02:05', '01:00:00', '2-00:00:01'].map(secondsOf)).toEqual([7, 125, 3_600, 172_801]);
});

test('readyLines: show the seconds since the command, console and demo as next steps, and no key', () => {
  const text = readyLines({ consoleUrl: 'http://127.0.0.1:8060' }, { stack: '/x/.lev/stack.json' }, 31.4).join('\n');
  expect(text).toContain('Ready in 31 s.');
  expect(text).toContain('Open the console   http://127.0.0.1:8060');
  expect(text).toContain('Run the demo       npx -y pnpm@12 demo');
  expect(text).not.toContain('skey');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(100);
});
