import { createHash } from 'node:crypto';
import { formatLastTrade, formatPrice, formatSize } from '../decimals.ts';
import type { Level, Outcome } from '../matching/bookOrder.ts';
import type { SimMarket } from './simMarket.ts';

export interface WireLevel {
  readonly price: string;
  readonly size: string;
}

/** A book as the wire shows it: bids ascending, asks descending, so that the best price is last on both sides. */
export interface BookSummary {
  readonly market: string;
  readonly asset_id: string;
  /** Epoch milliseconds as a decimal string. */
  readonly timestamp: string;
  readonly hash: string;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly last_trade_price: string;
}

const wireLevel = ({ pricePips, sizeTokenUnits }: Level): WireLevel => ({
  price: formatPrice(pricePips),
  size: formatSize(sizeTokenUnits),
});

/** Hash of a book: SHA-1 of its compact JSON, fields in this order, with an empty hash in place. */
export const bookHashOf = (summary: BookSummary): string =>
  createHash('sha1')
    .update(JSON.stringify({ ...summary, hash: '' }))
    .digest('hex');

export function bookSummaryOf(market: SimMarket, outcome: Outcome): BookSummary {
  const { bids, asks } = market.levelsOf(outcome);
  const summary: BookSummary = {
    market: market.definition.conditionId,
    asset_id: market.tokenIdOf(outcome).toString(),
    timestamp: market.changedMs.toString(),
    hash: '',
    bids: bids.map(wireLevel).toReversed(),
    asks: asks.map(wireLevel).toReversed(),
    min_order_size: '5',
    tick_size: formatPrice(market.tickPricePips),
    neg_risk: market.definition.isNegRisk,
    last_trade_price: formatLastTrade(market.lastTradePipsOf(outcome)),
  };
  return { ...summary, hash: bookHashOf(summary) };
}
