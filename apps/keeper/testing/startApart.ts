import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { anvilBinary, localAccountCount, localMnemonic } from '@core/contracts/local';
import type { PriceSigner } from '@core/price-signer';
import type { Address, Hex } from 'viem';

const pollMs = 50;
const readyTimeoutMs = 60_000;
/** States of so many past blocks can be read, as in the shipped stack: a node that keeps all of them grows slow. */
const keptStates = 64;
const blockMs = 1_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

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
 * The local chain as the shipped stack has it: a process of its own, of the same program. A transaction is mined at
 * once, and besides a block every second.
 */
export async function startChainApart(): Promise<{ readonly rpcUrl: string; close(): Promise<void> }> {
  const binary = anvilBinary();
  if (binary === null) throw new Error('the chain has no program for this machine');
  const port = await freePort();
  // With a block time of its own the node would keep the states of 1,500 blocks, whatever the limit says.
  const mined = `--quiet --order fifo --prune-history ${keptStates} --host 127.0.0.1 --port ${port}`.split(' ');
  const accounts = ['--accounts', String(localAccountCount), '--mnemonic', localMnemonic];
  const child = spawn(binary, [...mined, ...accounts], { stdio: 'ignore' });
  const rpcUrl = `http://127.0.0.1:${port}`;
  const ask = (method: string): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
    return fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
  await untilReady('the chain', async () => (await ask('eth_chainId')).ok);
  const timer = setInterval(() => void ask('evm_mine').catch(() => {}), blockMs);
  return {
    rpcUrl,
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
export async function startPriceSignerApart(options: {
  readonly address: Address;
  readonly privateKey: Hex;
  readonly secret: string;
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly vault: Address;
  readonly venue: { readonly url: string; readonly wsUrl: string };
  /** Null takes a free one. */
  readonly port: number | null;
}): Promise<PriceSignerApart> {
  const port = options.port ?? (await freePort());
  const main = fileURLToPath(new URL('./main.ts', import.meta.resolve('@core/price-signer')));
  const child = spawn(process.execPath, [main], {
    cwd: path.dirname(main),
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PRICE_SIGNER_PORT: String(port),
      PRICE_SIGNER_PRIVATE_KEY: options.privateKey,
      PRICE_SIGNER_SECRET: options.secret,
      RPC_URL: options.rpcUrl,
      CHAIN_ID: String(options.chainId),
      VAULT_ADDRESS: options.vault,
      VENUE_URL: options.venue.url,
      VENUE_MARKET_SOCKET_URL: `${options.venue.wsUrl}/ws/market`,
      CLOCK_URL: options.venue.url,
      LOG_LEVEL: 'silent',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady('the price signer', async () => (await fetch(`${url}/readyz`)).ok);
  return { url, address: options.address, close: () => end(child), kill: () => end(child, 'SIGKILL') };
}
