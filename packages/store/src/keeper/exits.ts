/** A forced sale as it was measured: from the look at which a debt was due to its being repaid. */
export interface ExitSale {
  readonly positionKey: string;
  readonly category: string;
  /** On the service clock. */
  readonly dueAtMs: number;
  readonly durationMs: number;
}

/** A forced sale that is due and has not come about: how long that has lasted. */
export type ExitWait = Pick<ExitSale, 'category' | 'durationMs'>;

/** How long the forced sales of a category took. */
export interface ExitSummary {
  readonly category: string;
  readonly saleCount: number;
  /** 95th percentile: the smallest duration that at most a twentieth of the sales exceed. */
  readonly p95Ms: number;
}

/** The exit time that quotes of a category rest on. */
export interface ExitTimeRecord {
  readonly category: string;
  readonly exitSeconds: number;
  /** On the service clock. */
  readonly changedAtMs: number;
}

export interface ExitStore {
  /** Keeps what was measured; a sale that is known already stays as it is. */
  add(sales: readonly ExitSale[]): Promise<void>;
  /**
   * Of the sales that became due since then, by category; a category without any is absent. A debt that waits counts
   * with how long it has waited, once that is longer than what 95 % of the sales took.
   */
  summaries(sinceMs: number, waiting: readonly ExitWait[]): Promise<readonly ExitSummary[]>;
  times(): Promise<readonly ExitTimeRecord[]>;
  setTime(time: ExitTimeRecord): Promise<void>;
  /** Forgets at most `limit` sales that became due before then, returns how many. */
  removeOlderThan(beforeMs: number, limit: number): Promise<number>;
}
