import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError } from '@core/runtime';
import { commandOf, endProcess, isAlive } from './processes.ts';

export interface ChildProgram {
  readonly name: string;
  /** File of the program, run directly by Node. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Where Node keeps compiled modules, so that a later start reads them instead; NODE_COMPILE_CACHE wins over it. */
  readonly cacheFolder: string;
  /** Resolves when the child can be used; rejects to say why not. Polled until then. */
  readonly isReady: (output: string) => Promise<boolean>;
  readonly readyTimeoutMs: number;
}

export interface RunningChild {
  readonly name: string;
  readonly pid: number;
  readonly command: string;
  /** Everything it has written to its log since it started. */
  output(): string;
  /** Resolves with a description when the process ends by itself. */
  readonly ended: Promise<string>;
  stop(graceMs: number): Promise<void>;
}

const followRunner = new URL('./followRunner.ts', import.meta.url).href;
const pollMs = 50;
const tailLineCount = 15;

/**
 * Starts a program in a process group of its own, so that Ctrl-C reaches only the runner, which then stops everything
 * in order. Reports the process as soon as it exists, resolves when the program is ready.
 * @throws FriendlyError with the end of its log when it ends or hangs before.
 */
export async function startChild(
  program: ChildProgram,
  onSpawned: (child: RunningChild) => void,
): Promise<RunningChild> {
  rotate(program.logFile);
  const log = openSync(program.logFile, 'w', 0o600);
  const process = spawn(globalThis.process.execPath, ['--import', followRunner, program.entry], {
    env: { NODE_COMPILE_CACHE: program.cacheFolder, ...inheritedEnvironment(), ...program.environment },
    cwd: path.dirname(path.dirname(program.entry)),
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  const { pid } = process;
  if (pid === undefined) throw new FriendlyError(`${program.name} could not be started.`);
  const child = runningChildOf(program, process, pid);
  onSpawned(child);
  await whenReady(program, child);
  return child;
}

/** The log of the process before stays beside the new one: it says how that ended. */
function rotate(logFile: string): void {
  if (existsSync(logFile)) renameSync(logFile, logFile.replace(/\.log$/, '.previous.log'));
}

const inheritedNames = [
  'PATH',
  'NODE_COMPILE_CACHE',
  'HOME',
  'TMPDIR',
  'LANG',
  'USER',
  'LOGNAME',
  'SHELL',
  'TZ',
  'LOG_LEVEL',
  'NODE_OPTIONS',
];

/** What a child needs of the runner's own environment: nothing that configures another stack. */
function inheritedEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of inheritedNames) {
    const value = globalThis.process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function runningChildOf(program: ChildProgram, process: ChildProcess, pid: number): RunningChild {
  const ended = new Promise<string>((resolve) => {
    process.once('error', (error) => resolve(error.message));
    process.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  return {
    name: program.name,
    pid,
    command: commandOf(pid) ?? '',
    output: () => readFileSync(program.logFile, 'utf8'),
    ended,
    stop: async (graceMs) => {
      await endProcess(pid, graceMs);
      await ended;
    },
  };
}

async function whenReady(program: ChildProgram, child: RunningChild): Promise<void> {
  const endMs = Date.now() + program.readyTimeoutMs;
  while (Date.now() < endMs) {
    if (!isAlive(child.pid)) {
      const how = await child.ended;
      const friendly = friendlyLineOf(program, child);
      throw new FriendlyError(friendly ?? `${program.name} ended at its start (${how}).\n${tailOf(program, child)}`);
    }
    if (await program.isReady(child.output())) return;
    await delay(pollMs);
  }
  await child.stop(1_000);
  throw new FriendlyError(
    `${program.name} was not ready after ${program.readyTimeoutMs / 1_000} s.\n${tailOf(program, child)}`,
  );
}

/** The one line a program ends with when the reader can help. */
function friendlyLineOf({ name }: ChildProgram, child: RunningChild): string | null {
  const line = child.output().trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith(`${name}: `) ? line : null;
}

function tailOf(program: ChildProgram, child: RunningChild): string {
  const lines = child.output().trimEnd().split('\n').slice(-tailLineCount);
  return `${lines.map((line) => `    ${line}`).join('\n')}\n    whole log: ${program.logFile}`;
}

/** True when the address answers with success. Refused connections and slow answers are no. */
export async function answersWell(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
