import { type UnwindRefusal, unwindRefusalLifeMs } from '@core/position';

/**
 * The last refusal of each position's unwinds: signers that keep refusing are asked less and less often. Nothing
 * depends on it: a process that starts with none asks once more.
 */
export class UnwindRefusals {
  /** In the order in which they were noted, so that the oldest come first. */
  readonly #refusals = new Map<string, UnwindRefusal>();

  of(positionKey: string): UnwindRefusal | null {
    return this.#refusals.get(positionKey) ?? null;
  }

  note(positionKey: string, refusal: UnwindRefusal): void {
    this.#refusals.delete(positionKey);
    this.#refusals.set(positionKey, refusal);
    this.#forgetOldest(refusal.atMs);
  }

  forget(positionKey: string): void {
    this.#refusals.delete(positionKey);
  }

  /** Costs what it forgets. */
  #forgetOldest(nowMs: number): void {
    for (const [positionKey, { atMs }] of this.#refusals) {
      if (nowMs - atMs <= unwindRefusalLifeMs) return;
      this.#refusals.delete(positionKey);
    }
  }
}
