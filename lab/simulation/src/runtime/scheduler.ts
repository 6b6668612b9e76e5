import { createHash } from 'node:crypto';
import { EventQueue, type QueuedEvent } from './eventQueue.ts';
import { currentProgram, outsidePrograms, type Program } from './program.ts';
import { realNowMs, realRound } from './realTime.ts';

/** An event that its maker may cancel. */
export interface Scheduled extends QueuedEvent {
  readonly run: () => void;
  readonly program: Program | undefined;
}

/** A wait that never ends or a leak of the real world: no run of this seed can be trusted. */
export class SimulationFault extends Error {
  override readonly name = 'SimulationFault';
}

/** Work of threads that the scheduler must wait for before time moves. */
export interface NativeWork {
  /** True while a thread owes an answer. */
  readonly isPending: boolean;
  /** Description of what is owed, for a fault. */
  readonly shown: string;
}

interface OutsideOperation {
  readonly kind: string;
  readonly run: () => Promise<void>;
}

/** Real time that an answer of a thread may take. */
const nativeLimitMs = 60_000;

/**
 * The one loop of a simulated world. One event runs at a time, then all promises and ticks are drained; immediates come
 * before operations of the outside world, these before time, and time moves only when no thread owes an answer.
 */
export class Scheduler {
  readonly startMs: number;
  readonly #startUs: number;
  readonly #events = new EventQueue<Scheduled>();
  readonly #native: NativeWork;
  readonly #counts = new Map<string, number>();
  readonly #digest = createHash('sha256');
  readonly #trace: ((line: string) => void) | null;
  #nowUs: number;
  #order = 0;
  #immediates: Scheduled[] = [];
  #outside: OutsideOperation[] = [];
  #fault: SimulationFault | null = null;
  #isRunning = false;

  /**
   * @param options.startMs Virtual instant of the start, in milliseconds of the epoch.
   * @param options.trace Gets each line of the trace, as it is written.
   */
  constructor(options: {
    readonly startMs: number;
    readonly native: NativeWork;
    readonly trace?: (line: string) => void;
  }) {
    this.startMs = options.startMs;
    this.#startUs = Math.round(options.startMs * 1_000);
    this.#nowUs = this.#startUs;
    this.#native = options.native;
    this.#trace = options.trace ?? null;
  }

  /** Virtual milliseconds of the epoch, with three decimals. */
  get nowMs(): number {
    return this.#nowUs / 1_000;
  }

  /** Virtual milliseconds since the start. */
  get elapsedMs(): number {
    return (this.#nowUs - this.#startUs) / 1_000;
  }

  /** Number of everything that happened, by kind. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  count(kind: string, by = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by);
  }

  /** Add a line to the trace: two runs of a seed write the same lines. */
  note(line: string): void {
    const entry = `${this.elapsedMs.toFixed(3)} ${line}`;
    this.#digest.update(`${entry}\n`);
    this.#trace?.(entry);
  }

  /** Return the SHA-256 of the trace up to now, as hex. */
  digest(): string {
    return this.#digest.copy().digest('hex');
  }

  /** Report a leak of the real world. The run ends with it. */
  fail(what: string): void {
    this.#fault ??= new SimulationFault(what);
  }

  /** Run a callback after so many virtual milliseconds, as the program that asks for it or as another. */
  at(delayMs: number, run: () => void, program: Program | undefined = currentProgram()): Scheduled {
    const atUs = this.#nowUs + Math.max(0, Math.round(delayMs * 1_000));
    const event = { atUs, order: (this.#order += 1), isWanted: true, run, program };
    this.#events.add(event);
    return event;
  }

  /** Run a callback in this instant, after all that is ready. */
  immediate(run: () => void, program: Program | undefined = currentProgram()): Scheduled {
    const event = { atUs: this.#nowUs, order: 0, isWanted: true, run, program };
    this.#immediates.push(event);
    return event;
  }

  /** Queue an operation of a real process or thread. It runs alone, when nothing else is ready, to its end. */
  outside(kind: string, run: () => Promise<void>): void {
    this.#outside.push({ kind, run });
  }

  /** Let a paused program continue: what was due meanwhile is due now. */
  resume(program: Program): void {
    for (const run of program.resume()) this.immediate(run, program);
  }

  /**
   * Run the world until `isDone`, which is asked between events.
   * @returns False when the limit of virtual time is over, or when nothing will ever happen again.
   * @throws SimulationFault
   */
  async run(isDone: () => boolean, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.#isRunning) throw new SimulationFault('the world runs already: only one call drives it');
    this.#isRunning = true;
    const endUs = this.#nowUs + limitMs * 1_000;
    try {
      for (;;) {
        await this.#drain();
        if (this.#fault !== null) throw this.#fault;
        if (isDone()) return true;
        if (!(await this.#step(endUs))) return false;
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Run the world until a promise is settled, and return its value or throw its reason. */
  async settle<Value>(what: string, work: () => Promise<Value>, limitMs: number): Promise<Value> {
    let outcome: { readonly value: Value } | { readonly reason: unknown } | null = null;
    const ending = work().then(
      (value) => (outcome = { value }),
      (reason: unknown) => (outcome = { reason }),
    );
    if (!(await this.run(() => outcome !== null, limitMs))) {
      throw new SimulationFault(`${what}: not done after ${limitMs} ms of virtual time`);
    }
    const end = await ending;
    if ('reason' in end) throw end.reason;
    return end.value;
  }

  /** Wait for all that is ready, and for the threads. */
  async #drain(): Promise<void> {
    await realRound();
    const beginMs = realNowMs();
    while (this.#native.isPending) {
      this.count('native round');
      if (realNowMs() - beginMs > nativeLimitMs) throw new SimulationFault(`no answer to ${this.#native.shown}`);
      await realRound();
    }
  }

  async #step(endUs: number): Promise<boolean> {
    const immediates = this.#immediates.splice(0);
    if (immediates.length > 0) {
      for (const event of immediates) this.#do(event, 'immediate');
      return true;
    }
    const operation = this.#outside.shift();
    if (operation !== undefined) {
      this.count(operation.kind);
      await outsidePrograms(operation.run);
      return true;
    }
    const next = this.#events.first();
    if (next === undefined || next.atUs > endUs) {
      if (Number.isFinite(endUs)) this.#nowUs = Math.max(this.#nowUs, endUs);
      return false;
    }
    this.#events.take();
    this.#nowUs = Math.max(this.#nowUs, next.atUs);
    this.#do(next, 'event');
    return true;
  }

  #do(event: Scheduled, kind: string): void {
    const { program, run } = event;
    if (!event.isWanted || program?.isDead === true) return;
    if (program?.isPaused === true) return program.hold(() => event.isWanted && run());
    event.isWanted = false;
    this.count(kind);
    run();
  }
}
