import { type Edge } from '../runtime/installEdge.ts';
import { outsidePrograms, Program } from '../runtime/program.ts';

/** Thrown at the named point at which a program dies: nothing after it happens. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** The programs of a world by name. A name that is started again is another program. */
export class Programs {
  readonly #edge: Edge;
  readonly #running = new Map<string, Program>();
  readonly #pauseEndsMs = new WeakMap<Program, number>();
  readonly #clockOffsetsMs = new Map<string, number>();
  readonly #starts = new Map<string, () => Promise<unknown>>();

  constructor(edge: Edge) {
    this.#edge = edge;
  }

  /** Start a program, and wait until it says that it runs. */
  start<Result>(name: string, open: () => Promise<Result>): Promise<Result> {
    const program = new Program(name);
    program.clockOffsetMs = this.#clockOffsetsMs.get(name) ?? 0;
    this.#running.set(name, program);
    this.#starts.set(name, open);
    return program.run(open);
  }

  /** Start a program that was killed once more, as it was started the last time. */
  async restart(name: string): Promise<void> {
    const open = this.#starts.get(name);
    if (open === undefined) throw new Error(`no program ${name}`);
    await this.start(name, open);
  }

  /** Names of all programs that were started. */
  get names(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Return the program of a name. */
  named(name: string): Program {
    const program = this.#running.get(name);
    if (program === undefined) throw new Error(`no program ${name}`);
    return program;
  }

  /** Set the wall clock of a program ahead, or behind; also of those that are started under its name. */
  setClock(name: string, offsetMs: number): void {
    this.#clockOffsetsMs.set(name, offsetMs);
    this.named(name).clockOffsetMs = offsetMs;
  }

  /** End a program between two events, or from its own code at a named point, which throws afterwards. */
  kill(name: string): void {
    const program = this.named(name);
    program.die();
    this.#edge.network.end(program);
    this.#edge.scheduler.note(`killed ${name}`);
  }

  /** End the pauses of a program. */
  resume(name: string): void {
    const program = this.named(name);
    this.#pauseEndsMs.delete(program);
    this.#edge.scheduler.resume(program);
  }

  /** Stop a program for so many virtual milliseconds, as a long collection of garbage does. */
  pause(name: string, ms: number): void {
    const program = this.named(name);
    const { scheduler } = this.#edge;
    const endMs = Math.max(scheduler.elapsedMs + ms, this.#pauseEndsMs.get(program) ?? 0);
    this.#pauseEndsMs.set(program, endMs);
    program.pause();
    scheduler.note(`paused ${name}`);
    // Of overlapping pauses the last end counts.
    outsidePrograms(() =>
      scheduler.at(endMs - scheduler.elapsedMs, () => {
        if (this.#pauseEndsMs.get(program) === endMs) scheduler.resume(program);
      }),
    );
  }
}
