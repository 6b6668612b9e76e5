import type { OrderLedger } from '../orders/orderLedger.ts';
import type { OrderRecord, TradeRecord } from '../orders/records.ts';
import type { VenueFeed } from '../orders/venueFeed.ts';
import type { VenueJournal } from './venueJournal.ts';

const keptOrder = (record: OrderRecord) => ({ ...record, market: record.market.slug });
const keptTrade = (record: TradeRecord) => ({ ...record, market: record.market.slug });

/** Feed that journals orders, trades and resolutions before it forwards them. */
export function recordingFeed(feed: VenueFeed, journal: VenueJournal, ledger: () => OrderLedger): VenueFeed {
  const writeOrder = (record: OrderRecord): void => journal.write({ kind: 'order', order: keptOrder(record) });
  return {
    listed: (market) => feed.listed(market),
    book: (market) => feed.book(market),
    priceChange: (market, changed) => feed.priceChange(market, changed),
    lastTrade: (market, trade) => feed.lastTrade(market, trade),
    tickSize: (market, oldTickPricePips) => feed.tickSize(market, oldTickPricePips),
    killed: (record, reason) => feed.killed(record, reason),
    resolved: (market) => {
      const { slug, resolution, closedMs } = market;
      if (resolution !== null) journal.write({ kind: 'resolved', slug, resolution, closedMs: closedMs ?? 0 });
      feed.resolved(market);
    },
    order: (record, type) => {
      writeOrder(record);
      feed.order(record, type);
    },
    trade: (record) => {
      const orderIds = [record.takerOrderId, ...record.makerFills.map(({ orderId }) => orderId)];
      for (const id of orderIds) {
        const order = ledger().order(id);
        if (order !== undefined) writeOrder(order);
      }
      journal.write({ kind: 'trade', trade: keptTrade(record) });
      feed.trade(record);
    },
  };
}
