/**
 * A reading that its feed has not listed for this long is forgotten. Decisions read none older than seconds, and a feed
 * lists only what is current: its readings of all past days would stay in memory otherwise.
 */
const unlistedMs = 600_000;

/** Readings of one feed, by subject, as long as the feed lists their subjects. Instants are monotonic milliseconds. */
export class ListedReadings<Reading> {
  /** In the order in which they were listed, the newest last. */
  readonly #readings = new Map<string, { readonly reading: Reading; readonly atMs: number }>();
  #subjects: ReadonlySet<string> = new Set();

  get(subject: string): Reading | null {
    return this.#readings.get(subject)?.reading ?? null;
  }

  /** Subjects with a reading: the same set until one comes or goes, so that work resting on it is not repeated. */
  get subjects(): ReadonlySet<string> {
    return this.#subjects;
  }

  /** Record the readings of one answer and forget what the feed has not listed for long. */
  list(readings: Iterable<readonly [subject: string, reading: Reading]>, atMs: number): void {
    let hasChanged = false;
    for (const [subject, reading] of readings) {
      hasChanged = !this.#readings.delete(subject) || hasChanged;
      this.#readings.set(subject, { reading, atMs });
    }
    for (const [subject, listed] of this.#readings) {
      if (atMs - listed.atMs <= unlistedMs) break;
      this.#readings.delete(subject);
      hasChanged = true;
    }
    if (hasChanged) this.#subjects = new Set(this.#readings.keys());
  }
}
