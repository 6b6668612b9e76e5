import type { Market, Position } from '@core/sdk';

/** A price of one token at one moment, in pips. */
export interface PricePoint {
  readonly atMs: number;
  readonly pips: number;
}

const longest = 600;
const histories = new Map<string, readonly PricePoint[]>();
const listeners = new Set<() => void>();
const none: readonly PricePoint[] = [];

/** The service has no history, so the page's own begins when it is opened. An unchanged price adds nothing. */
function record(key: string, point: PricePoint): void {
  const history = histories.get(key) ?? none;
  if (history.at(-1)?.pips === point.pips) return;
  histories.set(key, [...history, point].slice(-longest));
  for (const listener of listeners) listener();
}

/** Middle of the YES book in pips, for drawing; null while it is one-sided. */
function yesMidOf({ prices }: Pick<Market, 'prices'>): number | null {
  const { yes_ask_price_usd_pips: ask = null, yes_bid_price_usd_pips: bid = null } = prices ?? {};
  return ask === null || bid === null ? null : (Number(ask) + Number(bid)) / 2;
}

/** Keeps what the price of YES is now. */
export function recordPrice(market: Pick<Market, 'ticker' | 'prices'>, atMs: number): void {
  const pips = yesMidOf(market);
  if (pips !== null) record(priceKey(market.ticker), { atMs, pips });
}

/** Keeps where a position would be liquidated now; one that owes nothing has no such price. */
export function recordLiquidationPrice(position: Position, atMs: number): void {
  if (!('risk' in position)) return;
  const pips = Number(position.risk.current_liquidation_price_usd_pips);
  record(liquidationKey(position.id), { atMs, pips });
}

const priceKey = (ticker: string): string => `price ${ticker}`;
const liquidationKey = (positionId: string): string => `liquidation ${positionId}`;

export const priceHistoryOf = (ticker: string): readonly PricePoint[] => histories.get(priceKey(ticker)) ?? none;

export const liquidationHistoryOf = (positionId: string): readonly PricePoint[] =>
  histories.get(liquidationKey(positionId)) ?? none;

export function followHistories(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
