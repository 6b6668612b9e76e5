import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../src/stack/processes.ts';
import { type StackFile, stackFileSchema } from '../src/stack/stackFile.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const demoMain = fileURLToPath(new URL('../src/demo/main.ts', import.meta.url));
const startTimeoutMs = 240_000;

let stateDir = '';
let runner: ChildProcess | null = null;
/** Every process that was ever named by a stack file: none of them may be left at the end. */
const seenPids = new Set<number>();

beforeAll(() => {
  stateDir = mkdtempSync(path.join(tmpdir(), 'stack-'));
});

afterAll(async () => {
  if (runner !== null && runner.exitCode === null) {
    runner.kill('SIGTERM');
    await exitOf(runner);
  }
  // Under root the data may lie outside the folder, where the server's user can reach it.
  if (existsSync(postgresLog())) rmSync(serverFolder(), { recursive: true, force: true });
  rmSync(stateDir, { recursive: true, force: true });
}, startTimeoutMs);

const postgresLog = () => path.join(stateDir, 'logs', 'postgres.log');
const stackFile = () => path.join(stateDir, 'stack.json');
const portBase = 20_000 + (process.pid % 20_000);

function exitOf(process: ChildProcess): Promise<number | string | null> {
  if (process.exitCode !== null || process.signalCode !== null) {
    return Promise.resolve(process.exitCode ?? process.signalCode);
  }
  return new Promise((resolve) => process.once('exit', (code, signal) => resolve(code ?? signal)));
}

/** Starts a runner and waits for a twin file that is not the one an earlier runner left. */
async function start(): Promise<{ readonly stack: StackFile; readonly process: ChildProcess }> {
  const earlier = readTwin();
  let output = '';
  const started = spawn(process.execPath, [main], {
    env: { ...process.env, LEV_STATE_DIR: stateDir, LEV_PORT_BASE: String(portBase) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  runner = started;
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (output += String(text)));
  const endMs = Date.now() + startTimeoutMs;
  while (readTwin() === null || readTwin() === earlier) {
    if (started.exitCode !== null || Date.now() > endMs) throw new Error(`the stack did not start:\n${output}`);
    await delay(100);
  }
  const file = stackFileSchema.parse(JSON.parse(readFileSync(stackFile(), 'utf8')));
  for (const pid of Object.values(file.processes)) seenPids.add(pid);
  return { stack: file, process: started };
}

function readTwin(): string | null {
  return existsSync(stackFile()) ? readFileSync(stackFile(), 'utf8') : null;
}

async function livingAfter(milliseconds: number): Promise<readonly number[]> {
  const endMs = Date.now() + milliseconds;
  for (;;) {
    const living = [...seenPids].filter(isAlive);
    if (living.length === 0 || Date.now() > endMs) return living;
    await delay(100);
  }
}

/** Where the server really keeps its data, as its own program says. */
function serverFolder(): string {
  const [line] = readFileSync(postgresLog(), 'utf8').split('\n');
  const { folder } = JSON.parse(line ?? '') as { readonly folder: string };
  return folder;
}

/** Command lines of database servers that still run on that folder. */
async function livingServer(): Promise<string> {
  const { stdout } = await run('ps', ['-eo', 'args=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes(`-D ${serverFolder()}`))
    .join('\n');
}

const listAccepting = (stack: StackFile, apiKey: string) =>
  fetch(`${stack.apiUrl}/markets?accepting_new_positions=true`, { headers: { authorization: `Api-Key ${apiKey}` } });

/** Recorded quotes, where this checkout has them beside it. */
const sharedData = process.env['SHARED_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const recording = path.join(sharedData, 'venue', 'crypto_hourly_quotes.csv');

/** Runs the demo against the stack of this folder. */
async function tellStory(): Promise<{ readonly code: number | string | null; readonly output: string }> {
  const hasRecording = existsSync(recording);
  if (!hasRecording) process.stdout.write(`${recording} is missing: the recorded market is left out of the story\n`);
  const replay = hasRecording ? ['--replay', recording, '--market', '4'] : [];
  const demo = spawn(process.execPath, [demoMain, ...replay], {
    env: { ...process.env, LEV_STATE_DIR: stateDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (text) => (output += String(text)));
  return { code: await exitOf(demo), output };
}

test(
  'a killed runner is recovered; the stack answers, the demo reconciles, and nothing is left behind',
  async () => {
    const killed = await start();
    killed.process.kill('SIGKILL');
    expect(await exitOf(killed.process)).toBe('SIGKILL');

    const { stack, process: second } = await start();
    expect(Object.keys(stack.processes).toSorted()).toEqual([
      'api',
      'chain',
      'keeper',
      'postgres',
      'price-signer',
      'venue-sim',
    ]);
    expect(stack.apiUrl).toContain('/v1/prediction-markets');
    const info = await (await fetch(`${stack.apiUrl}/contract-info`)).json();
    expect(info).toMatchObject({
      evm_chain_id: String(stack.chainId),
      polygon_signer_address: stack.signerAddress,
      polygon_vault_contract_address: stack.contracts.vault,
    });
    for (const { apiKey } of stack.partners) {
      const list = (await (await listAccepting(stack, apiKey)).json()) as { readonly data: readonly unknown[] };
      expect(list.data.length).toBeGreaterThan(0);
    }
    expect((await listAccepting(stack, 'sbx_skey_wrong')).status).toBe(401);

    const story = await tellStory();
    expect(story).toMatchObject({ code: 0, output: expect.stringContaining('everything reconciles') });

    second.kill('SIGTERM');
    expect(await exitOf(second)).toBe(0);
    expect(await livingAfter(40_000)).toEqual([]);
    expect(existsSync(stackFile())).toBe(false);
    expect(existsSync(path.join(serverFolder(), 'postmaster.pid'))).toBe(false);
    expect(await livingServer()).toBe('');
    expect(existsSync(path.join(stateDir, 'run.json'))).toBe(false);
  },
  2 * startTimeoutMs,
);
