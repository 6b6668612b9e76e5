/**
 * Reasons for a step, the most urgent first: debts whose delay costs the pool money, then the requests of users.
 * Settlement is last: payouts do not change.
 */
export const stepReasons = ['liquidation', 'hard_exit', 'unwind', 'close', 'open', 'settle'] as const;
export type StepReason = (typeof stepReasons)[number];

/** Reasons of due debts. */
const forced: ReadonlySet<StepReason> = new Set(['liquidation', 'hard_exit', 'unwind']);
export const isForced = (reason: StepReason): boolean => forced.has(reason);

export interface Work {
  readonly positionKey: string;
  /** Id of its market; the venue's condition where the market is not listed. */
  readonly marketId: string;
  readonly reason: StepReason;
  /** Service time since which the debt has been due; null without one. */
  readonly sinceMs: number | null;
  /** True while it has a live order: finishing comes before beginning. */
  readonly isBegun: boolean;
  /** True after a change of its own, false for a poll: a poll skips a position that waits. */
  readonly isWoken: boolean;
}

/** Return the rank of work: two per reason, begun work first. */
const rankOf = ({ reason, isBegun }: Work): number => 2 * stepReasons.indexOf(reason) + (isBegun ? 0 : 1);

/** Queue of positions, by rank and then by arrival; each waits once. */
export class WorkQueue {
  readonly #ranks = stepReasons.flatMap((reason) => [
    { reason, waiting: new Map<string, Work>() },
    { reason, waiting: new Map<string, Work>() },
  ]);
  readonly #rankOf = new Map<string, number>();

  get size(): number {
    return this.#rankOf.size;
  }

  /** Enqueue a position. A waiting one moves up when it becomes more urgent, and never down. */
  put(work: Work): void {
    const { positionKey } = work;
    const before = this.#rankOf.get(positionKey);
    const rank = rankOf(work);
    if (before !== undefined && before <= rank) return;
    if (before !== undefined) this.#ranks[before]?.waiting.delete(positionKey);
    this.#ranks[rank]?.waiting.set(positionKey, work);
    this.#rankOf.set(positionKey, rank);
  }

  /** Remove and return the next position among the stepReasons that may run now. Costs the same however many wait. */
  take(mayRun: (reason: StepReason) => boolean): Work | null {
    for (const { reason, waiting } of this.#ranks) {
      const [work] = mayRun(reason) ? waiting.values() : [];
      if (work !== undefined) {
        waiting.delete(work.positionKey);
        this.#rankOf.delete(work.positionKey);
        return work;
      }
    }
    return null;
  }

  clear(): void {
    for (const { waiting } of this.#ranks) waiting.clear();
    this.#rankOf.clear();
  }
}
