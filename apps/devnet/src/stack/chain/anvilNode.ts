import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { anvilBinary } from '@core/contracts/local';
import { FriendlyError, inheritedEnvironment, replaceFile } from '@core/runtime';
import { commandOf } from '@core/store';
import { z } from 'zod';
import { isFree } from '../ports.ts';
import { endProcess, recordedStateOf } from '../supervision/processes.ts';

/** A chain that mines on request only. */
export interface AnvilNode {
  readonly rpcUrl: string;
  /** Send a request. @throws Error with the message of the node when it refuses. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Resolves with a description when the node ends. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface AnvilOptions {
  readonly port: number;
  readonly mnemonic: string;
  readonly accountCount: number;
  /** State of an earlier node; null for a chain that begins at the given instant. */
  readonly stateFile: string | null;
  readonly genesisSeconds: number;
  /** File with the process id, so that the next start can end a leftover node. */
  readonly pidFile: string;
}

const startTimeoutMs = 60_000;
const pollMs = 20;
const graceMs = 5_000;
/** Number of past blocks whose state can be read. Nothing is written outside the state folder. */
const pastStates = 64;

/** Start the node on 127.0.0.1 after ending a leftover one. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilNode> {
  await endLeftoverNode(options.pidFile);
  // A program on the port would answer in place of the node.
  if (!(await isFree(options.port))) {
    throw new FriendlyError(`Port ${options.port} of the local chain is used by another program: stop it first.`);
  }
  const binary = anvilBinary();
  if (binary === null) {
    const machine = `${process.platform}-${process.arch}`;
    throw new FriendlyError(`The local chain has no binary for ${machine}: run \`npx -y pnpm@12 install\` again.`);
  }
  const child = spawn(binary, argumentsOf(options), {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: inheritedEnvironment(),
  });
  const { pid } = child;
  if (pid === undefined) throw new FriendlyError('The local chain did not start.');
  // A program that ends without closing the chain, such as after a failed deployment, ends its node too.
  const endNode = (): void => void child.kill('SIGKILL');
  process.once('exit', endNode);
  child.once('exit', () => process.off('exit', endNode));
  replaceFile(options.pidFile, JSON.stringify({ pid, command: commandOf(pid) }));
  const node = nodeOf(child, options.port);
  await untilItAnswers(node, options.port);
  return node;
}

function argumentsOf({ port, mnemonic, accountCount, stateFile, genesisSeconds }: AnvilOptions): string[] {
  const from = stateFile === null ? `--timestamp ${genesisSeconds}`.split(' ') : ['--load-state', stateFile];
  const fixed = '--quiet --no-mining --order fifo --host 127.0.0.1'.split(' ');
  const sized = `--port ${port} --accounts ${accountCount} --prune-history ${pastStates}`.split(' ');
  return [...fixed, ...sized, '--mnemonic', mnemonic, ...from];
}

/** Process of a node; the command is null when it could not be read. */
const leftoverSchema = z.looseObject({ pid: z.number(), command: z.string().nullable() });

/** End a node whose program was killed. @throws FriendlyError when a process may be that node. */
export async function endLeftoverNode(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const { pid, command } = leftoverSchema.parse(JSON.parse(readFileSync(pidFile, 'utf8')));
  if (recordedStateOf('the local chain', { pid, command: command ?? '' }) === 'running') await endProcess(pid, 0);
  rmSync(pidFile, { force: true });
}

const answerSchema = z.looseObject({
  result: z.unknown(),
  error: z.looseObject({ message: z.string() }).optional(),
});

function nodeOf(child: ChildProcess, port: number): AnvilNode {
  const rpcUrl = `http://127.0.0.1:${port}`;
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = `${words}${text}`.slice(-2_000);
  });
  const ended = once(child, 'exit').then(([code, signal]) => `${signal ?? `exit code ${code}`} ${words.trim()}`.trim());
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  let nextId = 1;
  return {
    rpcUrl,
    ended,
    call: async (method, ...params) => {
      // Another node may have its port by now.
      if (hasEnded) throw new Error('the node has ended');
      const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params });
      const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const { result, error } = answerSchema.parse(await response.json());
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function untilItAnswers(node: AnvilNode, port: number): Promise<void> {
  const endMs = Date.now() + startTimeoutMs;
  let over: string | null = null;
  void node.ended.then((how) => (over = how));
  while (Date.now() < endMs) {
    if (over !== null) throw new FriendlyError(`The local chain failed to start on port ${port}: ${over}`);
    try {
      await node.call('eth_chainId');
      return;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await delay(pollMs);
    }
  }
  await node.stop();
  throw new FriendlyError(`The local chain did not answer on port ${port} within ${startTimeoutMs / 1_000} s.`);
}
