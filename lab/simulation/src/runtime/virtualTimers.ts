import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { currentProgram } from './program.ts';
import type { Scheduled, Scheduler } from './scheduler.ts';

const require = createRequire(import.meta.url);
type Call = (...args: unknown[]) => void;

/** Longest delay of a timer; Node uses 1 ms for longer ones, and for less than 1 ms. */
const maxDelayMs = 2_147_483_647;
let lastTimerId = 0;
const timersById = new Map<number, VirtualTimer>();

interface Delay {
  /** Milliseconds, in whatever type the caller gave. */
  readonly delay: unknown;
  readonly isRepeated: boolean;
}

/** A timer of Node's interface on the scheduler's clock. It never keeps a process alive. */
class VirtualTimer {
  readonly id: number;
  readonly #scheduler: Scheduler;
  readonly #delayMs: number;
  readonly #call: () => void;
  readonly #isRepeated: boolean;
  readonly #program = currentProgram();
  #scheduled: Scheduled | null = null;
  #isReferenced = true;

  constructor(scheduler: Scheduler, call: () => void, { delay, isRepeated }: Delay) {
    this.#scheduler = scheduler;
    const ms = Number(delay);
    this.#delayMs = ms >= 1 && ms <= maxDelayMs ? Math.trunc(ms) : 1;
    this.#isRepeated = isRepeated;
    this.#call = AsyncLocalStorage.bind(call);
    this.id = lastTimerId += 1;
    timersById.set(this.id, this);
    this.#schedule();
  }

  #schedule(): void {
    const run = (): void => {
      this.#scheduled = null;
      if (this.#isRepeated) this.#schedule();
      else timersById.delete(this.id);
      this.#call();
    };
    this.#scheduled = this.#scheduler.at(this.#delayMs, run, this.#program);
  }

  ref(): this {
    this.#isReferenced = true;
    return this;
  }

  unref(): this {
    this.#isReferenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isReferenced;
  }

  refresh(): this {
    if (this.#scheduled !== null) this.#scheduled.isWanted = false;
    timersById.set(this.id, this);
    this.#schedule();
    return this;
  }

  close(): this {
    if (this.#scheduled !== null) this.#scheduled.isWanted = false;
    this.#scheduled = null;
    timersById.delete(this.id);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

class VirtualImmediate {
  readonly #scheduled: Scheduled;

  constructor(scheduler: Scheduler, call: () => void) {
    this.#scheduled = scheduler.immediate(AsyncLocalStorage.bind(call));
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  close(): void {
    this.#scheduled.isWanted = false;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function clearTimer(timer: unknown): void {
  if (timer instanceof VirtualTimer) timer.close();
  else if (typeof timer === 'number' || typeof timer === 'string') timersById.get(Number(timer))?.close();
}

function clearImmediateV(immediate: unknown): void {
  if (immediate instanceof VirtualImmediate) immediate.close();
}

const abortErrorOf = (signal: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });

/** A promise of `value` that a signal may reject. `start` begins the wait and returns its end. */
function abortable<Value>(
  value: Value,
  signal: AbortSignal | undefined,
  start: (done: () => void) => () => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortErrorOf(signal));
      return;
    }
    const stop = start(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    });
    const onAbort = (): void => {
      stop();
      if (signal !== undefined) reject(abortErrorOf(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Replace the timers of the process, in the globals and in `node:timers`. */
export function installTimers(scheduler: Scheduler): void {
  const setTimeoutV = (call: Call, ms?: number, ...args: unknown[]): VirtualTimer =>
    new VirtualTimer(scheduler, () => call(...args), { delay: ms, isRepeated: false });
  const setIntervalV = (call: Call, ms?: number, ...args: unknown[]): VirtualTimer =>
    new VirtualTimer(scheduler, () => call(...args), { delay: ms, isRepeated: true });
  const setImmediateV = (call: Call, ...args: unknown[]): VirtualImmediate =>
    new VirtualImmediate(scheduler, () => call(...args));
  const wait = (ms?: number, value?: unknown, { signal }: WaitOptions = {}): Promise<unknown> =>
    abortable(value, signal, (done) => {
      const timer = setTimeoutV(done, ms);
      return () => timer.close();
    });
  const nextTurn = (value?: unknown, { signal }: WaitOptions = {}): Promise<unknown> =>
    abortable(value, signal, (done) => {
      const immediate = setImmediateV(done);
      return () => immediate.close();
    });
  async function* everyInterval(ms?: number, value?: unknown, options: WaitOptions = {}): AsyncGenerator {
    for (;;) yield await wait(ms, value, options);
  }
  Object.defineProperty(setTimeoutV, promisify.custom, { value: wait });
  Object.defineProperty(setImmediateV, promisify.custom, { value: nextTurn });
  const replaced = {
    setTimeout: setTimeoutV,
    setInterval: setIntervalV,
    setImmediate: setImmediateV,
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
    clearImmediate: clearImmediateV,
  };
  Object.assign(globalThis, replaced);
  Object.assign(require('node:timers'), replaced);
  Object.assign(require('node:timers/promises'), {
    setTimeout: wait,
    setImmediate: nextTurn,
    setInterval: everyInterval,
    scheduler: { wait: (ms: number, options?: WaitOptions) => wait(ms, undefined, options), yield: () => nextTurn() },
  });
  AbortSignal.timeout = (ms: number): AbortSignal => {
    const controller = new AbortController();
    const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    setTimeoutV(() => controller.abort(reason), ms);
    return controller.signal;
  };
}
