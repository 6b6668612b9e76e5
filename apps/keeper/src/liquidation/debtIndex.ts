/** A position's key in the index. */
export interface DueEntry {
  readonly positionKey: string;
  readonly tokenId: string;
  /** Value of the token at or below which the position is due: a mark in pips, or a cover scaled by 1e12. */
  readonly dueAtOrBelow: bigint;
}

/**
 * Positions with debt, per token, by falling due value. A query costs O(log n + due), independent of the other
 * positions and tokens.
 */
export class DebtIndex {
  readonly #entries = new Map<string, DueEntry>();
  readonly #byToken = new Map<string, DueEntry[]>();

  get size(): number {
    return this.#entries.size;
  }

  /** Insert a position, replacing any earlier entry. */
  put(entry: DueEntry): void {
    this.remove(entry.positionKey);
    const entries = this.#byToken.get(entry.tokenId) ?? [];
    entries.splice(indexOf(entries, entry), 0, entry);
    this.#byToken.set(entry.tokenId, entries);
    this.#entries.set(entry.positionKey, entry);
  }

  remove(positionKey: string): void {
    const entry = this.#entries.get(positionKey);
    const entries = entry === undefined ? undefined : this.#byToken.get(entry.tokenId);
    if (entry === undefined || entries === undefined) return;
    entries.splice(indexOf(entries, entry), 1);
    if (entries.length === 0) this.#byToken.delete(entry.tokenId);
    this.#entries.delete(positionKey);
  }

  /** Return true when any position has the token. */
  hasToken(tokenId: string): boolean {
    return this.#byToken.has(tokenId);
  }

  /** Return the highest value at which a position of the token is due; null without a position. */
  highestOf(tokenId: string): bigint | null {
    return this.#byToken.get(tokenId)?.[0]?.dueAtOrBelow ?? null;
  }

  /** Return the keys of the positions that are due at a value of their token, the highest threshold first. */
  dueAt(tokenId: string, value: bigint): readonly string[] {
    const entries = this.#byToken.get(tokenId) ?? [];
    const dueCount = firstIndex(entries, ({ dueAtOrBelow }) => dueAtOrBelow < value);
    return entries.slice(0, dueCount).map(({ positionKey }) => positionKey);
  }
}

/** Return the index at which an entry is or would be inserted; equal thresholds are ordered by key. */
function indexOf(entries: readonly DueEntry[], { dueAtOrBelow, positionKey }: DueEntry): number {
  return firstIndex(entries, (other) => {
    const isLower = other.dueAtOrBelow < dueAtOrBelow;
    return isLower || (other.dueAtOrBelow === dueAtOrBelow && other.positionKey >= positionKey);
  });
}

/** Return the first index of a monotonic condition; the length when it never holds. */
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
