import { setTimeout as delay } from 'node:timers/promises';
import { FriendlyError } from '@core/runtime';
import type { StateFolder } from '../state/stateFolder.ts';
import { type ChildProgram, type RunningChild, startChild } from './child.ts';
import { commandOf } from './processes.ts';
import { restartPauseMs } from './restartPause.ts';
import { writeRun } from './runRecord.ts';

/** How long a program may take to end before it is killed. */
const graceMs = 8_000;
/** A program that ran for so long had nothing wrong with it: its next restart is quick again. */
const soundRunMs = 60_000;
/** A program that was never ready yet is tried so often before the start is given up. */
const maxFirstAttempts = 3;

export interface SupervisorEvents {
  /** Something for the reader: a program has ended, or runs again. */
  readonly onNotice: (line: string) => void;
  /** Process numbers have changed. */
  readonly onChange: () => void;
}

/** Holds the programs of a stack: starts them, starts again whatever ends, stops all in order. */
export class Supervisor {
  readonly #folder: StateFolder;
  readonly #events: SupervisorEvents;
  readonly #running = new Map<string, RunningChild>();
  readonly #stopping = new AbortController();

  constructor(folder: StateFolder, events: SupervisorEvents) {
    this.#folder = folder;
    this.#events = events;
    this.#record();
  }

  get processes(): Record<string, number> {
    return Object.fromEntries([...this.#running.values()].map(({ name, pid }) => [name, pid]));
  }

  /**
   * Starts a program, resolves when it is ready, and starts it again for as long as the stack runs.
   * @throws FriendlyError when it cannot be brought to be ready once.
   */
  async start(program: ChildProgram): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const startedMs = performance.now();
        const child = await this.#launch(program);
        void this.#keep(program, { child, startedMs });
        return;
      } catch (error) {
        // One that ended on a signal was killed from outside: that says nothing against the next attempt.
        const isKilled = error instanceof FriendlyError && error.message.includes('(signal ');
        if (!isKilled || attempt === maxFirstAttempts || this.#stopping.signal.aborted) throw error;
        this.#events.onNotice(`${program.name} was ended at its start and is started again`);
      }
    }
  }

  /** Stops groups of programs one after the other, the members of a group together. */
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
      throw new FriendlyError(`${program.name} is not started: the stack is stopping.`);
    return startChild(program, (started) => {
      this.#running.set(program.name, started);
      this.#record();
    });
  }

  /** Waits for the program's end and starts it again, until the stack stops. */
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
      failures = performance.now() - startedMs >= soundRunMs ? 0 : failures;
      this.#notice(`${name} ended (${how}) and is started again; its log is ${name}.previous.log`);
      const next = await this.#restart(program, failures);
      if (next === null) return;
      ({ child, startedMs, failures } = next);
      this.#notice(`${name} runs again`);
      this.#events.onChange();
    }
  }

  /** Tries until the program is ready; null when the stack stops meanwhile. */
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
        this.#notice(`${line} Tried again in ${pauseSeconds} s.`);
      }
    }
  }

  #notice(line: string): void {
    if (!this.#stopping.signal.aborted) this.#events.onNotice(line);
  }

  /** Leaves a record of every process, so that the next start can clear them if this one is killed. */
  #record(): void {
    const children = [...this.#running.values()].map(({ name, pid, command }) => [name, { pid, command }]);
    writeRun(this.#folder.run, {
      runnerPid: process.pid,
      runnerCommand: commandOf(process.pid) ?? '',
      children: Object.fromEntries(children) as Record<string, { pid: number; command: string }>,
    });
  }
}
