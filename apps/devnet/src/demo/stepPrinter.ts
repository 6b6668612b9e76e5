import { formatUsd, toUsdPips, usdcUnits } from '@core/pricing';
import type { CodePlace } from './codePlaces.ts';

/** Prints what happens, one step after the other, for a reader who follows along. */
export class StepPrinter {
  #stepCount = 0;
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** A new scenario: one position, or the reconciliation of them all. */
  scenario(title: string): void {
    this.#write(`\n━━ ${title}`);
  }

  /** Something that is about to be done, and the file of this repository that does it. */
  step(title: string, code?: CodePlace): void {
    this.#stepCount += 1;
    this.#write(`\n${String(this.#stepCount).padStart(2)}. ${title}${code === undefined ? '' : `   [${code}]`}`);
  }

  line(text: string): void {
    this.#write(`    ${text}`);
  }

  /** Figures by name, aligned. */
  figures(rows: Readonly<Record<string, string | number | null | undefined>>): void {
    const width = Math.max(...Object.keys(rows).map((name) => name.length));
    for (const [name, value] of Object.entries(rows)) {
      if (value !== undefined) this.line(`${name.padEnd(width)}  ${value}`);
    }
  }
}

/** USDC units as dollars, rounded down, and as units: nothing is hidden by rounding. */
export function usdcText(units: bigint): string {
  const dollars = formatUsd(toUsdPips(usdcUnits(units), 'down'));
  return `${dollars.padStart(16)} USD   (${units} units)`;
}
