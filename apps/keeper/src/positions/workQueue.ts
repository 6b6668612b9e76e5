/**
 * What comes first: what costs the pool money by waiting, then what a user waits for. The vault is the last to be in a
 * hurry: payouts stay as they are.
 */
export const urgencies = ['liquidation', 'hard_exit', 'unwind', 'close', 'open', 'settle'] as const;
export type Urgency = (typeof urgencies)[number];

/** Urgencies of debts that are due. */
const forced: ReadonlySet<Urgency> = new Set(['liquidation', 'hard_exit', 'unwind']);
export const isForced = (urgency: Urgency): boolean => forced.has(urgency);

export interface Work {
  readonly positionKey: string;
  /** Of its market; null for a position that was never quoted here. */
  readonly marketId: string | null;
  readonly urgency: Urgency;
  /** An order of it lives: to end what has begun comes before beginning more. */
  readonly isBegun: boolean;
}

/** Places of the line, each behind all before it. */
const placeOf = ({ urgency, isBegun }: Work): number => 2 * urgencies.indexOf(urgency) + (isBegun ? 0 : 1);

/** Positions that wait for their turn, the most urgent first, first come first among equals; each waits once. */
export class WorkQueue {
  readonly #places = urgencies.flatMap((urgency) => [
    { urgency, waiting: new Map<string, Work>() },
    { urgency, waiting: new Map<string, Work>() },
  ]);
  readonly #placeOf = new Map<string, number>();

  get size(): number {
    return this.#placeOf.size;
  }

  /** Puts a position in line. One that waits already moves up when it is more urgent now, and never down. */
  put(work: Work): void {
    const { positionKey } = work;
    const before = this.#placeOf.get(positionKey);
    const place = placeOf(work);
    if (before !== undefined && before <= place) return;
    if (before !== undefined) this.#places[before]?.waiting.delete(positionKey);
    this.#places[place]?.waiting.set(positionKey, work);
    this.#placeOf.set(positionKey, place);
  }

  /** Takes out the next position among the urgencies that may run now. Costs the same however many wait. */
  take(mayRun: (urgency: Urgency) => boolean): Work | null {
    for (const { urgency, waiting } of this.#places) {
      const [work] = mayRun(urgency) ? waiting.values() : [];
      if (work !== undefined) {
        waiting.delete(work.positionKey);
        this.#placeOf.delete(work.positionKey);
        return work;
      }
    }
    return null;
  }

  clear(): void {
    for (const { waiting } of this.#places) waiting.clear();
    this.#placeOf.clear();
  }
}
