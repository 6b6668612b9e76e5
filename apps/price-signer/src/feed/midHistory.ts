import type { AgedPrice } from '@core/policy';
import type { PricePips } from '@core/pricing';
import type { MarketWatch } from '@core/venue';

interface Observation {
  readonly pricePips: PricePips;
  readonly atMs: number;
}

/**
 * Mids the signer has observed of each token, as far back as a liquidation may refer to. A mid counts as observed
 * until another one, or none, took its place.
 */
export class MidHistory {
  readonly #observations = new Map<string, Observation[]>();
  readonly #spanMs: number;

  /** @param spanMs How long observations are kept. */
  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  record(tokenId: string, pricePips: PricePips, atMs: number): void {
    const observations = this.#observations.get(tokenId) ?? [];
    observations.push({ pricePips, atMs });
    const firstKept = observations.findIndex((observation) => observation.atMs >= atMs - this.#spanMs);
    if (firstKept > 0) observations.splice(0, firstKept);
    this.#observations.set(tokenId, observations);
  }

  /** The mid had no second side, or its book was lost: earlier observations prove nothing any more. */
  forget(tokenId: string): void {
    this.#observations.delete(tokenId);
  }

  /** The youngest observation that is at least `minAgeMs` old; null when there is none. */
  observationBefore(tokenId: string, { nowMs, minAgeMs }: { nowMs: number; minAgeMs: number }): AgedPrice | null {
    const observation = this.#observations.get(tokenId)?.findLast(({ atMs }) => atMs <= nowMs - minAgeMs);
    return observation === undefined ? null : { pricePips: observation.pricePips, ageMs: nowMs - observation.atMs };
  }
}

/** Keeps the history of mids from the watch's ticks. Returns the way to stop. */
export function followMids(watch: MarketWatch, mids: MidHistory): () => void {
  return watch.onTick(({ tokenId, atMs }) => {
    const mark = watch.mark(tokenId);
    if (mark === null || !mark.isAttestable) mids.forget(tokenId);
    else mids.record(tokenId, mark.pricePips, atMs);
  });
}
