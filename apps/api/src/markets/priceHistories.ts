import type { HttpPriceHistory, PastPrice, PriceHistoryQuery } from '@core/venue';
import type { PriceHistoryRange } from '@core/wire';
import { LRUCache } from 'lru-cache';

/** Source of past prices. */
export type PastPriceSource = Pick<HttpPriceHistory, 'pastPrices'>;

/** Span and point interval of each range at the venue, and the age up to which it is served. */
const ranges: Readonly<Record<PriceHistoryRange, PriceHistoryQuery & { readonly maxAgeMs: number }>> = {
  '1h': { interval: '1h', fidelityMinutes: 1, maxAgeMs: 15_000 },
  '6h': { interval: '6h', fidelityMinutes: 1, maxAgeMs: 30_000 },
  '1d': { interval: '1d', fidelityMinutes: 5, maxAgeMs: 60_000 },
  '1w': { interval: '1w', fidelityMinutes: 60, maxAgeMs: 60_000 },
  all: { interval: 'max', fidelityMinutes: 60, maxAgeMs: 60_000 },
};

/** Points of a day at the widest interval: fewer points belong to a younger market. */
const dayPoints = 24;
/** Histories that a process caches, over all ranges. */
const maxHistories = 4_000;
/** Maximum number of points of a history. */
const maxPoints = 500;

interface HistoryKey {
  readonly tokenId: string;
  readonly range: PriceHistoryRange;
}

/**
 * Past prices of tokens, read from the venue at most once per range and age. Simultaneous callers share one read. While
 * the venue does not respond the last history is served.
 */
export class PriceHistories {
  readonly #cache: LRUCache<string, readonly PastPrice[], HistoryKey>;

  constructor(source: PastPriceSource) {
    this.#cache = new LRUCache({
      max: maxHistories,
      fetchMethod: async (_key, last, { context: { tokenId, range }, options }) => {
        const { maxAgeMs, ...query } = ranges[range];
        options.ttl = maxAgeMs;
        try {
          return sampledOf(await source.pastPrices(tokenId, query), maxPoints);
        } catch (cause) {
          if (last === undefined) throw cause;
          return last;
        }
      },
      ttl: ranges.all.maxAgeMs,
    });
  }

  /**
   * Return past prices of a token, oldest first, at most 500. A market younger than a day has finer points.
   * @throws VenueFault without an earlier history.
   */
  async historyOf(tokenId: string, range: PriceHistoryRange): Promise<readonly PastPrice[]> {
    const points = (await this.#cache.fetch(`${range} ${tokenId}`, { context: { tokenId, range } })) ?? [];
    const isYoung = ranges[range].fidelityMinutes > ranges['1d'].fidelityMinutes && points.length < dayPoints;
    return isYoung ? this.historyOf(tokenId, '1d') : points;
  }
}

/** Return at most `count` points at even steps, the last one always included. */
export function sampledOf(points: readonly PastPrice[], count: number): readonly PastPrice[] {
  if (points.length <= count) return points;
  const step = (points.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
}
