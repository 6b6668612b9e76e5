import type { AgedPrice } from '@core/market';
import type { PricePips } from '@core/pricing';
import type { MarketWatch } from '@core/venue';

interface Observation {
  readonly pricePips: PricePips;
  readonly atMs: number;
}

/**
 * Mids that the signer observed of each token, as far back as a liquidation may refer to. A mid is valid until another
 * mid, or none, replaces it.
 */
export class MidHistory {
  readonly #observations = new Map<string, Observation[]>();
  readonly #spanMs: number;

  /** @param spanMs Retention of observations, in milliseconds. */
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

  /** Remove a token whose mid lost a side or whose book was lost: earlier observations prove nothing then. */
  forget(tokenId: string): void {
    this.#observations.delete(tokenId);
  }

  /** Check the next token in rotation, and remove it when it is no longer watched. */
  checkNext(isWatched: (tokenId: string) => boolean): void {
    const [next] = this.#observations;
    if (next === undefined) return;
    const [tokenId, observations] = next;
    this.#observations.delete(tokenId);
    if (isWatched(tokenId)) this.#observations.set(tokenId, observations);
  }

  /** Return the youngest observation that is at least `minAgeMs` old; null when there is none. */
  observationBefore(tokenId: string, { nowMs, minAgeMs }: { nowMs: number; minAgeMs: number }): AgedPrice | null {
    const observation = this.#observations.get(tokenId)?.findLast(({ atMs }) => atMs <= nowMs - minAgeMs);
    return observation === undefined ? null : { pricePips: observation.pricePips, ageMs: nowMs - observation.atMs };
  }
}

/** Record mids from the ticks of the watch. Return a function that stops it. */
export function followMids(watch: MarketWatch, mids: MidHistory): () => void {
  return watch.onTick(({ tokenId, atMs }) => {
    const mark = watch.mark(tokenId);
    if (mark === null || !mark.isAttestable) mids.forget(tokenId);
    else mids.record(tokenId, mark.pricePips, atMs);
    // An unwatched market has no book and no ticks of its own: the ticks of others remove it.
    mids.checkNext((watched) => watch.book(watched) !== null);
  });
}
