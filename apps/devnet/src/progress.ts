/** Output of a start. */
export interface Screen {
  readonly write: (text: string) => void;
  /** True for a terminal, on which a line can be rewritten. */
  readonly isTerminal: boolean;
  readonly nowMs: () => number;
}

const nameWidth = 16;
/** Interval of the line about running phases: a terminal rewrites it, a file gets a new one. */
const terminalMs = 200;
const fileMs = 5_000;

/** Progress of a start, whose phases run in parallel: running phases with their seconds, and finished ones. */
export class Progress {
  readonly #screen: Screen;
  readonly #running = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /**
   * Show a phase until its work is done.
   *
   * @param detailOf Text after the name of a finished phase; nothing by default.
   * @returns Result of the work.
   */
  async phase<Result>(name: string, work: Promise<Result>, detailOf?: (result: Result) => string): Promise<Result> {
    const startMs = this.#screen.nowMs();
    this.#running.set(name, startMs);
    this.#timer ??= setInterval(() => this.#show(), this.#screen.isTerminal ? terminalMs : fileMs);
    try {
      const result = await work;
      this.#running.delete(name);
      this.line(`✔ ${name.padEnd(nameWidth)} ${this.#secondsSince(startMs)}  ${detailOf?.(result) ?? ''}`.trimEnd());
      return result;
    } finally {
      this.#running.delete(name);
      if (this.#running.size === 0) this.stop();
    }
  }

  /** Write a permanent line above the one about running phases. */
  line(text: string): void {
    this.#clear();
    this.#screen.write(`  ${text}\n`);
  }

  /** Stop showing running phases. */
  stop(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#clear();
  }

  #show(): void {
    const oldestMs = Math.min(...this.#running.values());
    const text = `  · ${[...this.#running.keys()].join(', ')} … ${this.#secondsSince(oldestMs).trim()}`;
    this.#clear();
    this.#screen.write(this.#screen.isTerminal ? text : `${text}\n`);
  }

  #clear(): void {
    if (this.#screen.isTerminal) this.#screen.write('\r\u001b[2K');
  }

  #secondsSince(startMs: number): string {
    return `${((this.#screen.nowMs() - startMs) / 1_000).toFixed(1).padStart(5)} s`;
  }
}
