import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '@core/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFileOf } from './chain/chainFolder.ts';
import { choosePorts, isFree, type Ports } from './ports.ts';
import { recoverStack } from './recoverStack.ts';
import { resetStack } from './resetStack.ts';
import { openStateFolder, type StateFolder } from './state/stateFolder.ts';
import { isGoneWithin } from './supervision/processes.ts';
import { writeRun } from './supervision/runRecord.ts';

const patienceMs = 60_000;

let root = '';
let folder: StateFolder;
let ports: Ports;
const programs: ChildProcess[] = [];

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'leftovers-'));
  folder = openStateFolder(root);
  ({ ports } = await choosePorts(24_000 + (process.pid % 400) * 10));
});
afterEach(async () => {
  for (const program of programs.splice(0)) program.kill('SIGKILL');
  await resetStack(folder, null);
  rmSync(root, { recursive: true, force: true });
});

/** Start a program of the stack and wait until it ends or prints a text. */
async function start(file: string, environment: Readonly<Record<string, string>>, text: string): Promise<ChildProcess> {
  const entry = fileURLToPath(new URL(file, import.meta.url));
  const program = spawn(process.execPath, [entry], { env: { ...process.env, ...environment }, stdio: 'pipe' });
  programs.push(program);
  let output = '';
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const isDone = () => output.includes(text) || program.exitCode !== null;
  await expect.poll(isDone, { timeout: patienceMs }).toBe(true);
  return program;
}

const startChain = (deploymentFile: string, text: string) =>
  start(
    './chainChild.ts',
    { CHAIN_DIR: folder.chain, CHAIN_PORT: String(ports.chain), DEPLOYMENT_FILE: deploymentFile },
    text,
  );
const nodePid = () => (JSON.parse(readFileSync(nodeFileOf(folder.chain), 'utf8')) as { readonly pid: number }).pid;

describe('leftovers of a start', () => {
  test('ends the servers of killed programs and keeps their ports', async () => {
    const postgres = { PGDATA: folder.postgres, PGPORT: String(ports.postgres) };
    const programs = await Promise.all([
      startChain(folder.deployment, '"rpcUrl"'),
      start('./postgresChild.ts', postgres, '"databaseUrl"'),
    ]);
    const node = nodePid();
    const ended = Promise.all(programs.map((program) => once(program, 'exit')));
    for (const program of programs) program.kill('SIGKILL');
    await ended;
    expect(isAlive(node)).toBe(true);
    expect(await isFree(ports.postgres)).toBe(false);

    writeRun(folder.run, { runnerPid: 999_999_999, runnerCommand: 'gone', children: {} });
    await recoverStack(folder);
    expect(isAlive(node)).toBe(false);
    expect(await choosePorts(null, ports)).toEqual({ ports, moved: [] });
    expect(existsSync(folder.deployment)).toBe(true);
  }, 120_000);

  test('ends the node of a chain whose deployment fails', async () => {
    const program = await startChain(path.join(root, 'missing', 'deployment.json'), '"rpcUrl"');
    expect(program.exitCode).toBe(1);
    expect(await isGoneWithin(nodePid(), patienceMs)).toBe(true);
  }, 120_000);

  test('waits for a port of the last start that is still taken', async () => {
    const server = createServer().listen(ports.venue, '127.0.0.1');
    await once(server, 'listening');
    setTimeout(() => server.close(), 500);
    expect(await choosePorts(null, ports)).toEqual({ ports, moved: [] });
  });
});
