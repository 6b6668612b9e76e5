import type { AgedPrice } from '@core/policy';
import type { PricePips } from '@core/pricing';

interface Sighting {
  readonly pricePips: PricePips;
  readonly atMs: number;
}

/**
 * Mids the signer has seen of each token, as far back as a liquidation may refer to. A mid counts as seen until
 * another one, or none, took its place.
 */
export class MidHistory {
  readonly #sightings = new Map<string, Sighting[]>();
  readonly #spanMs: number;

  /** @param spanMs How long sightings are kept. */
  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  record(tokenId: string, pricePips: PricePips, atMs: number): void {
    const sightings = this.#sightings.get(tokenId) ?? [];
    sightings.push({ pricePips, atMs });
    const firstKept = sightings.findIndex((sighting) => sighting.atMs >= atMs - this.#spanMs);
    if (firstKept > 0) sightings.splice(0, firstKept);
    this.#sightings.set(tokenId, sightings);
  }

  /** The mid had no second side, or its book was lost: what was seen before proves nothing any more. */
  forget(tokenId: string): void {
    this.#sightings.delete(tokenId);
  }

  /** The youngest sighting that is at least `minAgeMs` old; null when there is none. */
  sightingBefore(tokenId: string, { nowMs, minAgeMs }: { nowMs: number; minAgeMs: number }): AgedPrice | null {
    const sighting = this.#sightings.get(tokenId)?.findLast(({ atMs }) => atMs <= nowMs - minAgeMs);
    return sighting === undefined ? null : { pricePips: sighting.pricePips, ageMs: nowMs - sighting.atMs };
  }
}
