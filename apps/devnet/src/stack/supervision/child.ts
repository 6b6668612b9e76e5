import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError, inheritedEnvironment } from '@core/runtime';
import { commandOf, isAlive } from '@core/store';
import { endProcess } from './processes.ts';

export interface ChildProgram {
  readonly name: string;
  /** File of the program, run directly by Node. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Polled until it resolves to true: the child can be used. Rejects with the reason when it cannot. */
  readonly isReady: (output: string) => Promise<boolean>;
  readonly readyTimeoutMs: number;
}

export interface RunningChild {
  readonly name: string;
  readonly pid: number;
  readonly command: string;
  /** Return everything written to its log since it started. */
  output(): string;
  /** Resolves with a description when the process ends by itself. */
  readonly ended: Promise<string>;
  stop(graceMs: number): Promise<void>;
}

const followRunner = new URL('./followRunner.ts', import.meta.url).href;
const pollMs = 50;
const tailLineCount = 15;
/** Shown columns of a log line; the log has all of it. */
const tailColumns = 300;

/**
 * Start a program in a process group of its own, so that Ctrl-C reaches only the runner, which stops everything in
 * order. Reports the process as soon as it exists and resolves when the program is ready.
 *
 * @throws FriendlyError with the end of its log when it ends or hangs before.
 */
export async function startChild(
  program: ChildProgram,
  onSpawned: (child: RunningChild) => void,
): Promise<RunningChild> {
  rotate(program.logFile);
  const log = openSync(program.logFile, 'w', 0o600);
  const process = spawn(globalThis.process.execPath, ['--import', followRunner, program.entry], {
    env: { ...inheritedEnvironment(), ...program.environment },
    cwd: path.dirname(path.dirname(program.entry)),
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  const { pid } = process;
  if (pid === undefined) throw new FriendlyError(`${program.name} did not start.`);
  const child = runningChildOf(program, process, pid);
  onSpawned(child);
  await whenReady(program, child);
  return child;
}

/** The log of the previous process stays beside the new one. */
function rotate(logFile: string): void {
  if (existsSync(logFile)) renameSync(logFile, logFile.replace(/\.log$/, '.previous.log'));
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
      throw new FriendlyError(friendly ?? `${program.name} failed to start (${how}).\n${tailOf(program, child)}`);
    }
    if (await program.isReady(child.output())) return;
    await delay(pollMs);
  }
  await child.stop(1_000);
  throw new FriendlyError(
    `${program.name} was not ready after ${program.readyTimeoutMs / 1_000} s.\n${tailOf(program, child)}`,
  );
}

/** Return the line with which a program ends when the reader can fix the cause. */
function friendlyLineOf({ name }: ChildProgram, child: RunningChild): string | null {
  const line = child.output().trimEnd().split('\n').at(-1) ?? '';
  return line.startsWith(`${name}: `) ? line : null;
}

function tailOf(program: ChildProgram, child: RunningChild): string {
  const lines = child.output().trimEnd().split('\n').slice(-tailLineCount);
  return `${lines.map((line) => `    ${line.slice(0, tailColumns)}`).join('\n')}\n    whole log: ${program.logFile}`;
}

/** Return true when the address answers with success. Refused connections and slow answers count as failures. */
export async function answersWell(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
