import { type CoverInputs, coverOf, type PolicyConfig } from '@core/policy';
import type { TokenUnits } from '@core/pricing';

const spacingMs = 1_000;
const keptCount = 60;

/** What each token's cover rested on in the last minute, one reading a second: an unwind's reason is found in it. */
export class CoverHistory {
  readonly #byToken = new Map<string, CoverInputs[]>();

  note(tokenId: string, inputs: CoverInputs): void {
    const readings = this.#byToken.get(tokenId) ?? [];
    const last = readings.at(-1);
    if (last !== undefined && inputs.atMs - last.atMs < spacingMs) return;
    readings.push(inputs);
    if (readings.length > keptCount) readings.shift();
    this.#byToken.set(tokenId, readings);
  }

  forget(tokenId: string): void {
    this.#byToken.delete(tokenId);
  }

  /** The latest reading at which a debt per token, scaled by 1e12, was covered at a size; null when none was. */
  lastCovered(
    tokenId: string,
    debt: { readonly debtE12: bigint; readonly size: TokenUnits; readonly policy: PolicyConfig },
  ): CoverInputs | null {
    const readings = this.#byToken.get(tokenId) ?? [];
    return readings.findLast((inputs) => coverOf(inputs, debt.policy)(debt.size) >= debt.debtE12) ?? null;
  }
}
