import { type ChildProgram, type RunningChild, startChild } from './child.ts';
import { FriendlyError } from './friendlyError.ts';
import { commandOf } from './processes.ts';
import { writeRun } from './runRecord.ts';
import type { StateFolder } from './stateFolder.ts';

/** How long a program may take to end before it is killed. */
const graceMs = 8_000;
/** A program that ends more often than this within the window is not started again. */
const maxRestarts = 5;
const restartWindowMs = 60_000;

export interface SupervisorEvents {
  /** Something for the reader: a program was started again, or will not be. */
  readonly onNotice: (line: string) => void;
  /** Without this program the stack is not what it says: everything has to stop. */
  readonly onFatal: (name: string, how: string) => void;
  /** Process numbers have changed. */
  readonly onChange: () => void;
}

/** Holds the programs of a stack: starts them, starts the restartable ones again, stops all in order. */
export class Supervisor {
  readonly #folder: StateFolder;
  readonly #events: SupervisorEvents;
  readonly #running = new Map<string, RunningChild>();
  readonly #restartedAtMs = new Map<string, number[]>();
  #isStopping = false;

  constructor(folder: StateFolder, events: SupervisorEvents) {
    this.#folder = folder;
    this.#events = events;
    this.#record();
  }

  get processes(): Record<string, number> {
    return Object.fromEntries([...this.#running.values()].map(({ name, pid }) => [name, pid]));
  }

  /**
   * Starts a program and watches it. The service's own programs keep everything in the database and may be started
   * again; chain, database and venue may not, because what they held is gone.
   */
  async start(program: ChildProgram, { isRestartable }: { readonly isRestartable: boolean }): Promise<RunningChild> {
    if (this.#isStopping) throw new FriendlyError(`${program.name} is not started: the stack is stopping.`);
    const child = await startChild(program, (started) => {
      this.#running.set(program.name, started);
      this.#record();
    });
    void this.#watch(program, child, isRestartable);
    return child;
  }

  /** Stops groups of programs one after the other, the members of a group together. */
  async stop(groups: readonly (readonly string[])[]): Promise<void> {
    this.#isStopping = true;
    for (const names of groups) {
      const children = names.map((name) => this.#running.get(name)).filter((child) => child !== undefined);
      await Promise.all(children.map((child) => child.stop(graceMs)));
      for (const name of names) this.#running.delete(name);
    }
  }

  async #watch(program: ChildProgram, child: RunningChild, isRestartable: boolean): Promise<void> {
    const how = await child.ended;
    if (this.#isStopping || this.#running.get(program.name)?.pid !== child.pid) return;
    this.#running.delete(program.name);
    if (!isRestartable || !this.#mayRestart(program.name)) {
      this.#events.onFatal(program.name, how);
      return;
    }
    this.#events.onNotice(`${program.name} ended (${how}) and is started again`);
    try {
      await this.start(program, { isRestartable });
      this.#events.onChange();
    } catch (error) {
      this.#events.onFatal(program.name, error instanceof Error ? error.message : String(error));
    }
  }

  #mayRestart(name: string): boolean {
    const nowMs = Date.now();
    const recent = (this.#restartedAtMs.get(name) ?? []).filter((atMs) => nowMs - atMs < restartWindowMs);
    this.#restartedAtMs.set(name, [...recent, nowMs]);
    return recent.length < maxRestarts;
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
