/** One implementation of the same work. Its rate is operations per second over about the given time. */
export interface Contestant {
  readonly name: string;
  readonly measureRate: (durationMs: number) => Promise<number> | number;
}

/** What the subject must reach against one of the others: at least this share of its rate. */
export interface Bar {
  readonly against: string;
  readonly atLeast: number;
}

/** A figure beside the comparisons, for the record; with a bar where one is set for it. */
export interface Observation {
  readonly what: string;
  readonly amount: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export function isMetBy({ amount, atLeast, atMost }: Observation): boolean {
  return amount >= (atLeast ?? Number.NEGATIVE_INFINITY) && amount <= (atMost ?? Number.POSITIVE_INFINITY);
}

/** An observation as one line; `missed` is how a missed bar is written. */
export function observationText(observation: Observation, missed: string): string {
  const { what, amount, unit, atLeast, atMost } = observation;
  const bar = atLeast === undefined ? (atMost === undefined ? null : `≤ ${atMost}`) : `≥ ${atLeast}`;
  const result = bar === null ? '' : ` (bar ${bar}: ${isMetBy(observation) ? 'met' : missed})`;
  return `${what}: ${Number(amount.toPrecision(3))} ${unit}${result}`;
}

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  readonly roundMs: number;
}

/** Everything one row needs while it runs; started fresh, closed at the end. */
export interface Bench {
  readonly subject: Contestant;
  /** Floors and peers, measured in the same rounds. */
  readonly others: readonly Contestant[];
  readonly bars: readonly Bar[];
  /** Where rounds of the usual length show nothing: a server has to warm up, a queue to fill. */
  readonly effort?: Effort;
  /** What else is measured once the rates are known, by name of the contestant. */
  readonly observe?: (ratesPerSecond: ReadonlyMap<string, number>) => Promise<readonly Observation[]>;
  readonly close?: () => Promise<void>;
}

/** A row of the performance table. New work is measured by adding one to the list in `rows.ts`. */
export interface Row {
  /** Short name for the command line. */
  readonly name: string;
  /** What is measured, as the table shows it. */
  readonly work: string;
  readonly prepare: () => Promise<Bench> | Bench;
}
