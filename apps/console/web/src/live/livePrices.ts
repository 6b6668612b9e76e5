import type { FollowedPrices, PricesFrame } from '@core/sdk';
import { followedSinceMs } from './followedTickers.ts';
import { recordServiceTime } from './serviceClock.ts';

/** Age from which prices are stale. Frames arrive at least every 5 seconds. */
const staleAfterMs = 12_000;

const prices = new Map<string, FollowedPrices>();
const listeners = new Set<() => void>();
/** Version of the prices, incremented with every frame. */
let version = 0;
let receivedAtMs = Number.NEGATIVE_INFINITY;

/** Record a frame of prices. */
export function recordLivePrices({ at, markets }: PricesFrame, nowMs: number): void {
  for (const market of markets) prices.set(market.ticker, market);
  receivedAtMs = nowMs;
  recordServiceTime(at, nowMs);
  version += 1;
  for (const listener of listeners) listener();
}

/** Return the last prices of a market; null before the first frame that contains it. */
export const livePricesOf = (ticker: string): FollowedPrices | null => prices.get(ticker) ?? null;

/**
 * Return true when prices of a market may have moved since the page read them: the last frame with it, and the moment
 * from which it is followed, are too long ago.
 */
export function isPriceStale(ticker: string, nowMs: number): boolean {
  const readAtMs = prices.has(ticker) ? receivedAtMs : Number.NEGATIVE_INFINITY;
  return nowMs - Math.max(readAtMs, followedSinceMs(ticker)) > staleAfterMs;
}

export const livePricesVersion = (): number => version;

export function subscribeToLivePrices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
