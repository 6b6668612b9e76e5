import { bookHashOf } from '@core/venue';
import type { Level } from '../matching/bookOrder.ts';
import { formatLastTrade, formatPrice, formatSize } from '../units/decimals.ts';

export interface WireLevel {
  readonly price: string;
  readonly size: string;
}

/** Book in wire format: bids ascending, asks descending, so that the best price is last on both sides. */
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

/** Book of one token at one instant, levels best first. */
export interface SummarisedBook {
  readonly conditionId: string;
  readonly tokenId: bigint;
  readonly changedMs: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly tickPricePips: bigint;
  readonly isNegRisk: boolean;
  readonly lastTradePricePips: bigint | null;
}

/** Return a book in wire format, with its hash. */
export function bookSummaryOf(book: SummarisedBook): BookSummary {
  const summary: BookSummary = {
    market: book.conditionId,
    asset_id: book.tokenId.toString(),
    timestamp: book.changedMs.toString(),
    hash: '',
    bids: book.bids.map(wireLevel).toReversed(),
    asks: book.asks.map(wireLevel).toReversed(),
    min_order_size: '5',
    tick_size: formatPrice(book.tickPricePips),
    neg_risk: book.isNegRisk,
    last_trade_price: formatLastTrade(book.lastTradePricePips),
  };
  return { ...summary, hash: bookHashOf(summary) };
}
