/** An implementation of the work. Its rate is operations per second over about the given time. */
export interface Contestant {
  readonly name: string;
  readonly measureRate: (durationMs: number) => Promise<number> | number;
}

/** Minimum share of the rate of another contestant. */
export interface Bar {
  readonly against: string;
  readonly atLeast: number;
}

/** A recorded figure besides the comparisons, with a bar where one is set. */
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

/** Return an observation as one line; `missed` marks a missed bar. */
export function observationText(observation: Observation, missed: string): string {
  const { what, amount, unit, atLeast, atMost } = observation;
  const bar = atLeast === undefined ? (atMost === undefined ? null : `≤ ${atMost}`) : `≥ ${atLeast}`;
  const result = bar === null ? '' : ` (bar ${bar}: ${isMetBy(observation) ? 'met' : missed})`;
  return `${what}: ${Number(amount.toPrecision(3))} ${unit}${result}`;
}

/** Rounds and length of a measurement. */
export interface Effort {
  readonly rounds: number;
  readonly roundMs: number;
}

/** Everything a row needs while it runs; started for it and closed after it. */
export interface Bench {
  readonly subject: Contestant;
  /** Floors and peers, measured in the same rounds. */
  readonly others: readonly Contestant[];
  readonly bars: readonly Bar[];
  /** Effort where default rounds are too short: a server has to warm up, a queue to fill. */
  readonly effort?: Effort;
  /** Further measurements with the rates, by name of the contestant. */
  readonly observe?: (ratesPerSecond: ReadonlyMap<string, number>) => Promise<readonly Observation[]>;
  readonly close?: () => Promise<void>;
}

/** A row of the performance table. To measure new work, add one to the list in `rows.ts`. */
export interface Row {
  /** Short name for the command line. */
  readonly name: string;
  /** Description of the work in the table. */
  readonly work: string;
  readonly prepare: () => Promise<Bench> | Bench;
}
