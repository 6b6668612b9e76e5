import { AsyncLocalStorage } from 'node:async_hooks';

/** A program among others in one process. It owns the timers, sockets, servers and messages that its code makes. */
export class Program {
  readonly name: string;
  /** Milliseconds that its wall clock is ahead of the world's; its monotonic clock is not moved. */
  clockOffsetMs = 0;
  #state: 'running' | 'paused' | 'dead' = 'running';
  readonly #held: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get isPaused(): boolean {
    return this.#state === 'paused';
  }

  /** Run code as this program's: all that comes of it is owned by it. */
  run<Result>(work: () => Result): Result {
    return owners.run(this, work);
  }

  /** Stop between two events, as SIGSTOP does. What is due meanwhile waits; what is sent to it arrives afterwards. */
  pause(): void {
    if (this.#state === 'running') this.#state = 'paused';
  }

  /** Continue. What was due in the pause is handed back in its order. */
  resume(): readonly (() => void)[] {
    if (this.#state === 'paused') this.#state = 'running';
    return this.#held.splice(0);
  }

  /** Keep an event of a paused program. */
  hold(run: () => void): void {
    this.#held.push(run);
  }

  /** End for ever, as SIGKILL does. Its sockets and servers are ended by the network. */
  die(): void {
    this.#state = 'dead';
    this.#held.length = 0;
  }
}

const owners = new AsyncLocalStorage<Program>();

/** Return the program whose code runs now; undefined in the world around the programs. */
export const currentProgram = (): Program | undefined => owners.getStore();

/** Run code that no program owns: it survives the program that called it. */
export const outsidePrograms = <Result>(work: () => Result): Result => owners.exit(work);
