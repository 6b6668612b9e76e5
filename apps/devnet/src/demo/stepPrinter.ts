import { formatUsd, toUsdPips, usdcUnits } from '@core/pricing';
import type { CodePlace } from './codePlaces.ts';

/** Longest time without a line during a long step. */
const silenceMs = 4_000;

/** Printer of the steps of a run. */
export class StepPrinter {
  #stepCount = 0;
  #silentMs = 0;
  #silence: NodeJS.Timeout | null = null;
  readonly #writeLine: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#writeLine = write;
  }

  /** Run work whose steps are printed, and report every few seconds that a long step continues. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#silence = setInterval(() => {
      this.#silentMs += silenceMs;
      this.#writeLine(`    … ${this.#silentMs / 1_000} s`);
    }, silenceMs);
    try {
      return await work();
    } finally {
      clearInterval(this.#silence);
    }
  }

  /** Begin a scenario: one position, or the reconciliation. */
  scenario(title: string): void {
    this.#write(`\n━━ ${title}`);
  }

  /** Print the next step and the file that carries it out. */
  step(title: string, code?: CodePlace): void {
    this.#stepCount += 1;
    this.#write(`\n${String(this.#stepCount).padStart(2)}. ${title}${code === undefined ? '' : `   [${code}]`}`);
  }

  line(text: string): void {
    this.#write(`    ${text}`);
  }

  /** Print figures by name, aligned. */
  figures(rows: Readonly<Record<string, string | number | null | undefined>>): void {
    const width = Math.max(...Object.keys(rows).map((name) => name.length));
    for (const [name, value] of Object.entries(rows)) {
      if (value !== undefined) this.line(`${name.padEnd(width)}  ${value}`);
    }
  }

  #write(line: string): void {
    this.#silentMs = 0;
    this.#silence?.refresh();
    this.#writeLine(line);
  }
}

/** Return USDC units as dollars, rounded down, and as units, so that rounding hides nothing. */
export function usdcText(units: bigint): string {
  const dollars = formatUsd(toUsdPips(usdcUnits(units), 'down'));
  return `${dollars.padStart(16)} USD   (${units} units)`;
}
