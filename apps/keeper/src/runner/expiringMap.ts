/** Values by subject, each removed once it has been expired for the retention. Ordered by the last `set`. */
export class ExpiringMap<Value> {
  readonly #retentionMs: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly expiresAtMs: number }>();

  /** @param retentionMs Time for which an expired value is still returned by `get`. */
  constructor(retentionMs: number) {
    this.#retentionMs = retentionMs;
  }

  get(subject: string): Value | null {
    return this.#entries.get(subject)?.value ?? null;
  }

  /** Return true before the expiry of a subject's value. */
  isCurrent(subject: string, nowMs: number): boolean {
    return nowMs < (this.#entries.get(subject)?.expiresAtMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Set a value that expires at a moment. Costs O(removed): one that expires late retains those set after it. */
  set(
    subject: string,
    value: Value,
    { nowMs, expiresAtMs }: { readonly nowMs: number; readonly expiresAtMs: number },
  ): void {
    this.#entries.delete(subject);
    this.#entries.set(subject, { value, expiresAtMs });
    for (const [oldest, entry] of this.#entries) {
      if (nowMs - entry.expiresAtMs <= this.#retentionMs) return;
      this.#entries.delete(oldest);
    }
  }

  delete(subject: string): void {
    this.#entries.delete(subject);
  }
}
