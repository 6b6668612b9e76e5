/** Why a sale sends no order now, and when that was seen. */
interface SaleWait {
  readonly reason: string;
  readonly seenAtMs: number;
}

/** Waits that nobody looked at for so long belong to positions that ended. */
const forgottenAfterMs = 600_000;

/** What a position waits to be sold for. */
export type SalePurpose = 'close' | 'liquidate';

/**
 * Sales that found nothing they may sell: looked at again after a rest, so that venue and signer are not asked several
 * times a second. Nothing depends on it: a process that starts with none looks once more.
 */
export class SaleWaits {
  readonly #waits = new Map<string, SaleWait>();

  isResting(
    purpose: SalePurpose,
    positionKey: string,
    { nowMs, restMs }: { readonly nowMs: number; readonly restMs: number },
  ): boolean {
    const wait = this.#waits.get(keyOf(purpose, positionKey));
    return wait !== undefined && nowMs - wait.seenAtMs < restMs;
  }

  /** True when the sale waits for another reason than before, or is new here: worth saying once. */
  note(purpose: SalePurpose, positionKey: string, wait: SaleWait): boolean {
    const before = this.#waits.get(keyOf(purpose, positionKey));
    this.#forgetOld(wait.seenAtMs);
    this.#waits.set(keyOf(purpose, positionKey), wait);
    return before?.reason !== wait.reason;
  }

  forget(purpose: SalePurpose, positionKey: string): void {
    this.#waits.delete(keyOf(purpose, positionKey));
  }

  #forgetOld(nowMs: number): void {
    for (const [key, { seenAtMs }] of this.#waits) {
      if (nowMs - seenAtMs > forgottenAfterMs) this.#waits.delete(key);
    }
  }
}

function keyOf(purpose: SalePurpose, positionKey: string): string {
  return `${purpose}:${positionKey}`;
}
