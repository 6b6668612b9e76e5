import type { VenueFeed } from '../orders/venueFeed.ts';
import type { VenueSockets } from './venueSockets.ts';

/** Feed that publishes venue events on the market and user sockets. */
export function socketFeed(sockets: VenueSockets): VenueFeed {
  const { market, user } = sockets;
  return {
    listed: (one) => market.listed(one),
    book: (one) => market.book(one),
    priceChange: (one, changed) => market.priceChange(one, changed),
    lastTrade: (one, trade) => market.lastTrade(one, trade),
    tickSize: (one, oldTickPricePips) => market.tickSize(one, oldTickPricePips),
    resolved: (one) => market.resolved(one),
    order: (record, type) => user.order(record, type),
    killed: (record, reason) => user.killed(record, reason),
    trade: (record) => user.trade(record),
  };
}
