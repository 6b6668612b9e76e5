import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { anvilBinary } from '@core/contracts/local';
import { FriendlyError } from '@core/runtime';
import { isFree } from '../ports.ts';
import { commandOf, endProcess } from '../supervision/processes.ts';

/** A chain whose blocks are mined on request alone. */
export interface AnvilNode {
  readonly rpcUrl: string;
  /** Asks the node. @throws Error with the node's words when it refuses. */
  call<Result>(method: string, ...params: readonly unknown[]): Promise<Result>;
  /** Resolves with a description when the node ends. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface AnvilOptions {
  readonly port: number;
  readonly mnemonic: string;
  readonly accountCount: number;
  /** What an earlier node held; null for a chain that begins at the instant given. */
  readonly stateFile: string | null;
  readonly genesisSeconds: number;
  /** Says which process the node is, so that the next start can end one whose program was killed. */
  readonly pidFile: string;
}

const startTimeoutMs = 60_000;
const pollMs = 20;
const graceMs = 5_000;
/** States of so many past blocks can be read; older ones are gone, and nothing is written outside our folder. */
const keptStates = 64;

/** Starts the node on 127.0.0.1, after one that a killed program left behind was ended. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilNode> {
  await endLeftoverNode(options.pidFile);
  // A program that has the port would answer in the node's place.
  if (!(await isFree(options.port))) {
    throw new FriendlyError(`Port ${options.port} of the local chain is taken by another program: end that one.`);
  }
  const binary = anvilBinary();
  if (binary === null) {
    const machine = `${process.platform}-${process.arch}`;
    throw new FriendlyError(`The local chain has no program for ${machine}: run \`npx -y pnpm@12 install\` again.`);
  }
  const child = spawn(binary, argumentsOf(options), { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const { pid } = child;
  if (pid === undefined) throw new FriendlyError('The local chain could not be started.');
  writeFileSync(options.pidFile, JSON.stringify({ pid, command: commandOf(pid) }));
  const node = nodeOf(child, options.port);
  await untilItAnswers(node, options.port);
  return node;
}

function argumentsOf({ port, mnemonic, accountCount, stateFile, genesisSeconds }: AnvilOptions): string[] {
  const from = stateFile === null ? `--timestamp ${genesisSeconds}`.split(' ') : ['--load-state', stateFile];
  const fixed = '--quiet --no-mining --order fifo --host 127.0.0.1'.split(' ');
  const sized = `--port ${port} --accounts ${accountCount} --prune-history ${keptStates}`.split(' ');
  return [...fixed, ...sized, '--mnemonic', mnemonic, ...from];
}

/** Ends a node whose program was killed before it could. */
export async function endLeftoverNode(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const { pid, command } = JSON.parse(readFileSync(pidFile, 'utf8')) as {
    readonly pid: number;
    readonly command: string;
  };
  if (command !== null && commandOf(pid) === command) await endProcess(pid, 0);
  rmSync(pidFile, { force: true });
}

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
    call: async <Result>(method: string, ...params: readonly unknown[]): Promise<Result> => {
      // Another node may have its port by now.
      if (hasEnded) throw new Error('the node has ended');
      const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params });
      const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const answer = (await response.json()) as {
        readonly result: Result;
        readonly error?: { readonly message: string };
      };
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
      return answer.result;
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
    if (over !== null) throw new FriendlyError(`The local chain ended at its start on port ${port}: ${over}`);
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
