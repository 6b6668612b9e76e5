import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { steadyTimeOfDay } from '@core/testkit';

type Hex = `0x${string}`;

/** Fields of the stack's description file that tests use. */
export interface StackFile {
  readonly apiUrl: string;
  readonly rpcUrl: string;
  readonly consoleUrl: string;
  readonly venueUrl: string;
  readonly contracts: { readonly vault: Hex; readonly pool: Hex };
  readonly partner: { readonly apiKey: string };
  readonly accounts: readonly { readonly name: string; readonly address: Hex; readonly privateKey: Hex }[];
  readonly processes: Readonly<Record<string, number>>;
}

/** Return a named account of a stack. */
export function accountOf(file: StackFile, accountName: string): StackFile['accounts'][number] {
  const account = file.accounts.find(({ name }) => name === accountName);
  if (account === undefined) throw new Error(`the stack has no account ${accountName}`);
  return account;
}

/** Folder of a stack and the process that runs it. */
export interface StackPlace {
  readonly folder: string;
  readonly runnerPid: number;
}

export interface RunningStack {
  file(): StackFile;
  /** Run a piece of work during which no program of the stack is restarted. */
  whileUnsupervised(work: () => Promise<void>): Promise<void>;
  /** Suspend programs of the stack for the duration of a piece of work. */
  whileSuspended(names: readonly string[], work: () => Promise<void>): Promise<void>;
}

/** Stack that its starter stops. */
export interface OwnStack extends RunningStack {
  stop(): Promise<void>;
}

export interface LaunchedStack {
  /** Resolves when the stack runs. */
  readonly ready: Promise<StackPlace>;
  /** Stop the stack, also one that still starts, and delete its folder. */
  stop(): Promise<void>;
}

const devnet = fileURLToPath(new URL('../../devnet/', import.meta.url));

/** Launch the whole local stack with its public command, in a folder of its own. */
export function launchStack(): LaunchedStack {
  const folder = mkdtempSync(path.join(tmpdir(), 'console-stack-'));
  const env = {
    ...process.env,
    LEV_STATE_DIR: folder,
    LEV_START_TIME: steadyTimeOfDay,
    LEV_PORT_BASE: String(22_000 + (process.pid % 400) * 10),
    DATABASE_URL: '',
  };
  const runner = spawn(process.execPath, [path.join(devnet, 'src/main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const interrupt = (): unknown => runner.kill('SIGTERM');
  // An interrupted run reaches no teardown.
  process.once('exit', interrupt);
  return {
    ready: readyStack(runner, folder),
    stop: async () => {
      await endRunner(runner);
      process.off('exit', interrupt);
      const reset = spawn(process.execPath, [path.join(devnet, 'src/reset/main.ts')], { env, stdio: 'ignore' });
      await once(reset, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Start a stack for one file. */
export async function startStack(): Promise<OwnStack> {
  const { ready, stop } = launchStack();
  return { ...stackAt(await ready), stop };
}

const descriptionOf = (folder: string): string => path.join(folder, 'stack.json');
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function readyStack(runner: ChildProcess, folder: string): Promise<StackPlace> {
  let output = '';
  runner.stdout?.on('data', (text) => {
    output += String(text);
  });
  while (!existsSync(descriptionOf(folder))) {
    if (hasEnded(runner)) throw new Error(`the stack did not start:\n${output}`);
    await delay(100);
  }
  return { folder, runnerPid: runner.pid ?? 0 };
}

/** Return the controls of a running stack, also of another process. */
export function stackAt({ folder, runnerPid }: StackPlace): RunningStack {
  const file = (): StackFile => JSON.parse(readFileSync(descriptionOf(folder), 'utf8')) as StackFile;
  return {
    file,
    whileUnsupervised: (work) => suspended([runnerPid], work),
    whileSuspended: (names, work) => {
      const { processes } = file();
      return suspended(
        names.map((name) => pidOf(processes, name)),
        work,
      );
    },
  };
}

function pidOf(processes: StackFile['processes'], name: string): number {
  const pid = processes[name];
  if (pid === undefined) throw new Error(`the stack has no program ${name}`);
  return pid;
}

async function suspended(pids: readonly number[], work: () => Promise<void>): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

async function endRunner(runner: ChildProcess): Promise<void> {
  if (hasEnded(runner)) return;
  runner.kill('SIGTERM');
  await once(runner, 'exit');
}
