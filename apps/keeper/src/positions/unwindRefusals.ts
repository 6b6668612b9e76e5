import { type UnwindRefusal, unwindRefusalLifeMs } from '@core/position';

/**
 * The last refusal of each position's unwinds: signers that keep refusing are asked less and less often. Nothing
 * depends on it: a process that starts with none asks once more.
 */
export class UnwindRefusals {
  readonly #refusals = new Map<string, UnwindRefusal>();

  of(positionKey: string): UnwindRefusal | null {
    return this.#refusals.get(positionKey) ?? null;
  }

  note(positionKey: string, refusal: UnwindRefusal): void {
    for (const [key, { atMs }] of this.#refusals) {
      if (refusal.atMs - atMs > unwindRefusalLifeMs) this.#refusals.delete(key);
    }
    this.#refusals.set(positionKey, refusal);
  }

  forget(positionKey: string): void {
    this.#refusals.delete(positionKey);
  }
}
