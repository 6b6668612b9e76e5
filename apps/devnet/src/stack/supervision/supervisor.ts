import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError } from '@core/runtime';
import { commandOf } from '@core/store';
import type { StateFolder } from '../state/stateFolder.ts';
import { type ChildProgram, type RunningChild, startChild } from './child.ts';
import { restartPauseMs } from './restartPause.ts';
import { writeRun } from './runRecord.ts';

/** Grace period of a program before it is killed. */
const graceMs = 8_000;
/** A program that ran this long is healthy: its next restart is quick again. */
const soundRunMs = 60_000;
/** Attempts to start a program that was never ready, before the start fails. */
const maxFirstAttempts = 3;

export interface SupervisorEvents {
  /** Called with a line for the reader when a program has ended or runs again. */
  readonly onNotice: (line: string) => void;
  /** Called when a program has ended or runs again. */
  readonly onChange: () => void;
}

/** State of a program; one that has ended is being restarted. */
export interface ProgramState {
  readonly state: 'running' | 'restarting';
  /** Beginning of the state, as an ISO date. */
  readonly since: string;
  /** Restarts since the start of the stack. */
  readonly restarts: number;
  /** Description of the last end; null when the program has not ended. */
  readonly lastEnd: string | null;
}

/** Supervisor of the programs of a stack: starts them, restarts those that end, stops all in order. */
export class Supervisor {
  readonly #folder: StateFolder;
  readonly #events: SupervisorEvents;
  readonly #running = new Map<string, RunningChild>();
  readonly #pids = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #states = new Map<string, ProgramState>();
  readonly #command = commandOf(process.pid) ?? '';

  constructor(folder: StateFolder, events: SupervisorEvents) {
    this.#folder = folder;
    this.#events = events;
    this.#record();
  }

  /** Process ids by name; of a restarting program, the id of the process that ended. */
  get processes(): Record<string, number> {
    return Object.fromEntries(this.#pids);
  }

  /** State of each program that was in service once. */
  get states(): Readonly<Record<string, ProgramState>> {
    return Object.fromEntries(this.#states);
  }

  /**
   * Start a program, resolve when it is ready, and restart it as long as the stack runs.
   *
   * @throws FriendlyError when it never becomes ready.
   */
  async start(program: ChildProgram): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const startedMs = performance.now();
        const child = await this.#launch(program);
        this.#pids.set(program.name, child.pid);
        this.#setState(program.name, { state: 'running' });
        void this.#keep(program, { child, startedMs });
        return;
      } catch (error) {
        // A program that a signal ended was killed from outside, which says nothing about the next attempt.
        const isKilled = error instanceof FriendlyError && error.message.includes('(signal ');
        if (!isKilled || attempt === maxFirstAttempts || this.#stopping.signal.aborted) throw error;
        this.#events.onNotice(`${program.name} was killed during its start and is restarted`);
      }
    }
  }

  /** Stop groups of programs one after the other, the members of a group in parallel. */
  async stop(groups: readonly (readonly string[])[]): Promise<void> {
    this.#stopping.abort();
    for (const names of groups) {
      const children = names.map((name) => this.#running.get(name)).filter((child) => child !== undefined);
      await Promise.all(children.map((child) => child.stop(graceMs)));
      for (const name of names) this.#running.delete(name);
    }
  }

  async #launch(program: ChildProgram): Promise<RunningChild> {
    if (this.#stopping.signal.aborted)
      throw new FriendlyError(`${program.name} does not start: the stack is stopping.`);
    return startChild(program, (started) => {
      this.#running.set(program.name, started);
      this.#record();
    });
  }

  /** Wait for the end of the program and restart it, until the stack stops. */
  async #keep(
    program: ChildProgram,
    first: { readonly child: RunningChild; readonly startedMs: number },
  ): Promise<void> {
    const { name } = program;
    let { child, startedMs } = first;
    let failures = 0;
    for (;;) {
      const how = await child.ended;
      this.#running.delete(name);
      this.#setState(name, { state: 'restarting', lastEnd: how });
      failures = performance.now() - startedMs >= soundRunMs ? 0 : failures;
      this.#notice(`${name} ended (${how}) and is restarted; its log is ${name}.previous.log`);
      const next = await this.#restart(program, failures);
      if (next === null) return;
      ({ child, startedMs, failures } = next);
      this.#pids.set(name, child.pid);
      this.#setState(name, { state: 'running', restarts: (this.#states.get(name)?.restarts ?? 0) + 1 });
      this.#notice(`${name} is running again`);
    }
  }

  /** Retry until the program is ready; null when the stack stops meanwhile. */
  async #restart(
    program: ChildProgram,
    earlierFailures: number,
  ): Promise<{ readonly child: RunningChild; readonly startedMs: number; readonly failures: number } | null> {
    for (let failures = earlierFailures; ; failures += 1) {
      await delay(restartPauseMs(failures));
      if (this.#stopping.signal.aborted) return null;
      try {
        const startedMs = performance.now();
        return { child: await this.#launch(program), startedMs, failures: failures + 1 };
      } catch (error) {
        if (!(error instanceof FriendlyError)) throw error;
        const pauseSeconds = restartPauseMs(failures + 1) / 1_000;
        const [line = ''] = error.message.split('\n');
        this.#notice(`${line} Next attempt in ${pauseSeconds} s.`);
      }
    }
  }

  #setState(name: string, change: Partial<ProgramState>): void {
    const { restarts, lastEnd } = this.#states.get(name) ?? { restarts: 0, lastEnd: null };
    const since = new Date().toISOString();
    this.#states.set(name, { state: 'running', restarts, lastEnd, ...change, since });
    if (!this.#stopping.signal.aborted) this.#events.onChange();
  }

  #notice(line: string): void {
    if (!this.#stopping.signal.aborted) this.#events.onNotice(line);
  }

  /** Record every process, so that the next start can clear them after a kill. */
  #record(): void {
    const children = [...this.#running.values()].map(({ name, pid, command }) => [name, { pid, command }] as const);
    writeRun(this.#folder.run, {
      runnerPid: process.pid,
      runnerCommand: this.#command,
      children: Object.fromEntries(children),
    });
  }
}
