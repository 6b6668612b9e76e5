import type { Market } from '@core/sdk';

/** Price of one token at one moment, in pips. */
export interface PricePoint {
  readonly atMs: number;
  readonly pips: number;
}

const longest = 600;
const histories = new Map<string, readonly PricePoint[]>();
const listeners = new Set<() => void>();
const none: readonly PricePoint[] = [];

/** Append a price. An unchanged price adds nothing. */
function record(key: string, point: PricePoint): void {
  const history = histories.get(key) ?? none;
  if (history.at(-1)?.pips === point.pips) return;
  histories.set(key, [...history, point].slice(-longest));
  for (const listener of listeners) listener();
}

/** Return the middle of the YES book in pips, for charts; null while it is one-sided. */
function yesMidOf({ prices }: Pick<Market, 'prices'>): number | null {
  const { yes_ask_price_usd_pips: ask = null, yes_bid_price_usd_pips: bid = null } = prices ?? {};
  return ask === null || bid === null ? null : (Number(ask) + Number(bid)) / 2;
}

/**
 * Record the current price of YES.
 * @param atMs time of the service, epoch milliseconds.
 */
export function recordPrice(market: Pick<Market, 'ticker' | 'prices'>, atMs: number): void {
  const pips = yesMidOf(market);
  if (pips !== null) record(market.ticker, { atMs, pips });
}

/** Return the prices of YES since the page was opened. */
export const priceHistoryOf = (ticker: string): readonly PricePoint[] => histories.get(ticker) ?? none;

export function followHistories(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
