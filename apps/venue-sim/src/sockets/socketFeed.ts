import type { VenueFeed } from '../market/venueFeed.ts';
import type { VenueSockets } from './venueSockets.ts';

/** The venue's news on its two sockets. */
export function socketFeed(sockets: VenueSockets): VenueFeed {
  const { market, user } = sockets;
  return {
    book: (one) => market.book(one),
    priceChange: (one, touched) => market.priceChange(one, touched),
    lastTrade: (one, trade) => market.lastTrade(one, trade),
    tickSize: (one, oldTickPricePips) => market.tickSize(one, oldTickPricePips),
    resolved: (one) => market.resolved(one),
    order: (record, type) => user.order(record, type),
    trade: (record) => user.trade(record),
  };
}
