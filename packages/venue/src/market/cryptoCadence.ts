import type { CryptoCadence } from '@core/market';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Pieces of a slug or series that show how often it resolves, where the record gives no start of its span. */
const cadencePieces: readonly (readonly [RegExp, CryptoCadence])[] = [
  [/(^|-)5m(-|$)/, 'five_minute'],
  [/(^|-)15m(-|$)/, 'fifteen_minute'],
  [/(^|-)(hourly|1h|4h)(-|$)/, 'hourly'],
];

/**
 * Return the interval at which a crypto market's series resolves: from the length of its span, else from its names,
 * else `daily`. Spans of an hour up to a day share the hourly row of the risk table.
 */
export function cryptoCadenceOf(market: {
  spanStartMs: number | null;
  endMs: number | null;
  names: readonly (string | null)[];
}): CryptoCadence {
  if (market.spanStartMs !== null && market.endMs !== null && market.endMs > market.spanStartMs) {
    const spanMs = market.endMs - market.spanStartMs;
    if (spanMs <= 5 * minuteMs) {
      return 'five_minute';
    }
    if (spanMs <= 15 * minuteMs) {
      return 'fifteen_minute';
    }
    return spanMs < 24 * hourMs ? 'hourly' : 'daily';
  }
  const match = cadencePieces.find(([piece]) => market.names.some((name) => piece.test(name ?? '')));
  return match?.[1] ?? 'daily';
}
