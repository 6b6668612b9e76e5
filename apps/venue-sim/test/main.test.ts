import { type ChildProcessByStdio, spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { keyFileOf } from '@core/runtime/testing';
import { describe, expect, it } from 'vitest';
import { optionsFromEnv } from '../src/env.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

type Child = ChildProcessByStdio<null, Readable, null>;

const start = (environment: Record<string, string>): Child =>
  spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const exitCode = (child: Child): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve));

describe('the simulator as a process', () => {
  it('opens with settings of the environment, prints its address and closes on SIGTERM', async () => {
    const child = start({ VENUE_SIM_PORT: '0', VENUE_SIM_SEED: 'process' });
    let url = '';
    for await (const line of createInterface({ input: child.stdout })) {
      url = JSON.parse(line).url ?? '';
      if (url !== '') break;
    }
    expect((await fetch(`${url}/ok`)).status).toBe(200);
    const exited = exitCode(child);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  it('names the invalid variable', () => {
    expect(() => optionsFromEnv({ VENUE_SIM_PORT: 'high' })).toThrow('VENUE_SIM_PORT');
    expect(() => optionsFromEnv({ VENUE_SIM_PROT: '1' })).toThrow('did you mean VENUE_SIM_PORT?');
    expect(() => optionsFromEnv({ VENUE_KEYS_FILE: keyFileOf('{"makers":["0x12"]}') })).toThrow('VENUE_KEYS_FILE');
    expect(() => optionsFromEnv({ RPC_URL: 'http://127.0.0.1:8545' })).toThrow('EXCHANGE_ADDRESS');
    expect(optionsFromEnv({}).options).toMatchObject({ port: 8090, seed: '42' });
  });
});
