import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { anvilBinary, localAccountCount, localMnemonic } from '@core/contracts/local';
import type { PriceSigner } from '@core/price-signer';
import { keyFileOf } from '@core/runtime/testing';
import { steadyStart } from '@core/testkit';
import { type LocalWorld, priceSignerEnvironment, spawnProgram } from '@core/world';
import type { Address, Hex } from 'viem';
import { whenFree } from './whenFree.ts';

const pollMs = 50;
const readyTimeoutMs = 120_000;
/** States of so many past blocks can be read, as in the shipped stack: a node that keeps all of them grows slow. */
const keptStates = 64;
const blockMs = 1_000;

async function untilReady(what: string, isReady: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + readyTimeoutMs;
  while (!(await isReady().catch(() => false))) {
    if (performance.now() > endMs) throw new Error(`${what} was not ready in time`);
    await delay(pollMs);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/**
 * Return what the first line that a program prints with a pattern has in its group, such as the port that the system
 * gave it. Later lines are read and dropped, so that the program never waits for its reader.
 *
 * @throws Error when the program ends before.
 */
function printedBy(child: ChildProcess, pattern: RegExp): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error('the program has no output');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`the program ended before it was ready: ${signal ?? code}`)));
    createInterface({ input: stdout }).on('line', (line) => {
      const text = pattern.exec(line)?.[1];
      if (text !== undefined) resolve(text);
    });
  });
}

/** A local chain in a process of its own. */
export interface ChainApart {
  readonly rpcUrl: string;
  /** Run a piece of work during which no block is mined, neither on time nor for a transaction. */
  holdStill<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Start the local chain as the shipped stack has it: a process of its own, of the same program, at the same time of day
 * whenever the test runs. A transaction is mined at once.
 *
 * @param options.isRegular Also mines a block every second. Without it, blocks hold still between transactions.
 */
export async function startChainApart({ isRegular = true } = {}): Promise<ChainApart> {
  const binary = anvilBinary();
  if (binary === null) throw new Error('the chain has no program for this machine');
  // With a block time of its own the node would keep the states of 1,500 blocks, whatever the limit says.
  const mined = `--order fifo --prune-history ${keptStates} --host 127.0.0.1 --port 0`.split(' ');
  const accounts = ['--accounts', String(localAccountCount), '--mnemonic', localMnemonic];
  const time = ['--timestamp', String(Math.floor(steadyStart().getTime() / 1_000))];
  const child = spawn(binary, [...mined, ...accounts, ...time], { stdio: ['ignore', 'pipe', 'ignore'] });
  const rpcUrl = `http://${await printedBy(child, /^Listening on (127\.0\.0\.1:\d+)/)}`;
  const ask = (method: string, ...params: readonly unknown[]): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
  let isHeld = false;
  let mining: Promise<unknown> = Promise.resolve();
  const mine = (): void => {
    if (!isHeld) mining = ask('evm_mine').catch(() => {});
  };
  const timer = isRegular ? setInterval(mine, blockMs) : undefined;
  return {
    rpcUrl,
    holdStill: async (work) => {
      isHeld = true;
      await mining;
      await ask('evm_setAutomine', false);
      try {
        return await work();
      } finally {
        await ask('evm_setAutomine', true);
        isHeld = false;
      }
    },
    close: () => {
      clearInterval(timer);
      return end(child);
    },
  };
}

/** A price signer that can die without a word. */
export interface PriceSignerApart extends PriceSigner {
  kill(): Promise<void>;
}

/** A price signer as the shipped stack has it: a process of its own; where one was before, when a port is given. */
export function startPriceSignerApart(options: {
  readonly address: Address;
  readonly privateKey: Hex;
  readonly secret: string;
  readonly world: LocalWorld;
  /** Null takes a free one. */
  readonly port: number | null;
}): Promise<PriceSignerApart> {
  const { address, secret, world, port } = options;
  return whenFree(port, async () => {
    const environment = priceSignerEnvironment(world, {
      keyFile: keyFileOf(options.privateKey),
      secret,
      ...(port !== null && { port }),
    });
    // The line that says where it listens.
    const env = { ...environment, LOG_LEVEL: 'info' };
    const child = spawnProgram('price-signer', { stdio: ['ignore', 'pipe', 'ignore'], env });
    const url = await printedBy(child, /"url":"(http:[^"]+)".*price signer ready/);
    await untilReady('the price signer', async () => (await fetch(`${url}/readyz`)).ok);
    return { url, address, close: () => end(child), kill: () => end(child, 'SIGKILL') };
  });
}
