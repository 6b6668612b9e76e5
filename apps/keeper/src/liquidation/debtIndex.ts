/** A position's place in the index. */
export interface DueEntry {
  readonly positionKey: string;
  readonly tokenId: string;
  /** A value of the token at or below it makes the position due: a mark in pips, or a cover scaled by 1e12. */
  readonly dueAtOrBelow: bigint;
}

/**
 * Positions with debt, per token in falling order of the value at which they are due. Asking costs O(log n + due),
 * however many positions a token has and whatever other tokens hold.
 */
export class DebtIndex {
  readonly #entries = new Map<string, DueEntry>();
  readonly #byToken = new Map<string, DueEntry[]>();

  get size(): number {
    return this.#entries.size;
  }

  /** Puts a position in its place, instead of any earlier one. */
  put(entry: DueEntry): void {
    this.remove(entry.positionKey);
    const entries = this.#byToken.get(entry.tokenId) ?? [];
    entries.splice(placeOf(entries, entry), 0, entry);
    this.#byToken.set(entry.tokenId, entries);
    this.#entries.set(entry.positionKey, entry);
  }

  remove(positionKey: string): void {
    const entry = this.#entries.get(positionKey);
    const entries = entry === undefined ? undefined : this.#byToken.get(entry.tokenId);
    if (entry === undefined || entries === undefined) return;
    entries.splice(placeOf(entries, entry), 1);
    if (entries.length === 0) this.#byToken.delete(entry.tokenId);
    this.#entries.delete(positionKey);
  }

  /** Whether any position holds the token. */
  holds(tokenId: string): boolean {
    return this.#byToken.has(tokenId);
  }

  /** The highest value at which a position of the token is due; null when none holds it. */
  highestOf(tokenId: string): bigint | null {
    return this.#byToken.get(tokenId)?.[0]?.dueAtOrBelow ?? null;
  }

  /** Keys of the positions that are due at a value of their token, the highest threshold first. */
  dueAt(tokenId: string, value: bigint): readonly string[] {
    const entries = this.#byToken.get(tokenId) ?? [];
    const dueCount = firstIndex(entries, ({ dueAtOrBelow }) => dueAtOrBelow < value);
    return entries.slice(0, dueCount).map(({ positionKey }) => positionKey);
  }
}

/** Where an entry stands or would stand; equal thresholds are ordered by key. */
function placeOf(entries: readonly DueEntry[], { dueAtOrBelow, positionKey }: DueEntry): number {
  return firstIndex(entries, (other) => {
    const isLower = other.dueAtOrBelow < dueAtOrBelow;
    return isLower || (other.dueAtOrBelow === dueAtOrBelow && other.positionKey >= positionKey);
  });
}

/** First index at which a condition holds that, once true, stays true; the length when it never does. */
function firstIndex(entries: readonly DueEntry[], holds: (entry: DueEntry) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && holds(entry)) high = middle;
    else low = middle + 1;
  }
  return low;
}
