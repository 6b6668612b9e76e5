import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { SimMarket } from '../market/simMarket.ts';
import type { Outcome } from '../matching/bookOrder.ts';
import type { ChangedLevel, PrintedTrade } from '../orders/venueFeed.ts';
import { formatPrice, formatSize } from '../units/decimals.ts';
import { readSubscription } from './readSubscription.ts';

const frameSchema = z.looseObject({
  assets_ids: z.array(z.string()).max(10_000),
  operation: z.enum(['subscribe', 'unsubscribe']).optional(),
});

/** A client that lets this much pile up is cut off: the venue does not wait for slow readers. */
const maximumBacklogBytes = 8_388_608;

const outcomes = [0, 1] as const;

/** The public socket: which client subscribes to which token. A message is made only when a client will receive it. */
export class MarketChannel {
  readonly #listeners = new Map<string, Set<WebSocket>>();
  readonly #subscriptions = new Map<WebSocket, Set<string>>();
  /** Gives the market of a token for the first book after a subscription. */
  marketOfToken: (tokenId: bigint) => SimMarket | undefined = () => undefined;
  nowMs: () => number = Date.now;

  onFrame(socket: WebSocket, frame: string): void {
    const parsed = readSubscription(frameSchema, { socket, frame });
    if (parsed === null) return;
    if (parsed.operation === 'unsubscribe') {
      for (const tokenId of parsed.assets_ids) this.#unsubscribe(socket, tokenId);
      return;
    }
    const books = parsed.assets_ids.flatMap((tokenId) => {
      this.#subscribe(socket, tokenId);
      const market = /^\d{1,78}$/.test(tokenId) ? this.marketOfToken(BigInt(tokenId)) : undefined;
      if (market === undefined || market.stage === 'resolved' || this.#isSilent(market)) return [];
      return [this.#bookMessage(market, market.tokenIdOf(0).toString() === tokenId ? 0 : 1)];
    });
    // The first books come as one list, as at the real venue.
    if (books.length > 0) socket.send(JSON.stringify(books));
  }

  drop(socket: WebSocket): void {
    for (const tokenId of this.#subscriptions.get(socket) ?? []) this.#listeners.get(tokenId)?.delete(socket);
    this.#subscriptions.delete(socket);
  }

  #subscribe(socket: WebSocket, tokenId: string): void {
    const listeners = this.#listeners.get(tokenId);
    if (listeners === undefined) this.#listeners.set(tokenId, new Set([socket]));
    else listeners.add(socket);
    const mine = this.#subscriptions.get(socket);
    if (mine === undefined) this.#subscriptions.set(socket, new Set([tokenId]));
    else mine.add(tokenId);
  }

  #unsubscribe(socket: WebSocket, tokenId: string): void {
    this.#listeners.get(tokenId)?.delete(socket);
    this.#subscriptions.get(socket)?.delete(tokenId);
  }

  #isSilent(market: SimMarket): boolean {
    return market.effects.isFrozenAt(this.nowMs());
  }

  /** Every client subscribed to one of the market's tokens; none while its feed is frozen. */
  #listenersOf(market: SimMarket, outcome?: Outcome): Set<WebSocket> {
    if (this.#isSilent(market)) return new Set();
    const tokens = outcome === undefined ? outcomes : ([outcome] as const);
    const found = tokens.flatMap((token) => [...(this.#listeners.get(market.tokenIdOf(token).toString()) ?? [])]);
    return new Set(found);
  }

  #send(listeners: ReadonlySet<WebSocket>, message: unknown): void {
    if (listeners.size === 0) return;
    const text = JSON.stringify(message);
    for (const socket of listeners) {
      if (socket.bufferedAmount > maximumBacklogBytes) socket.terminate();
      else socket.send(text);
    }
  }

  #bookMessage(market: SimMarket, outcome: Outcome): unknown {
    const { hash, ...book } = market.summaryOf(outcome);
    const isUnhashed = market.effects.isUnhashedAt(this.nowMs());
    return { event_type: 'book', ...book, ...(isUnhashed ? {} : { hash }) };
  }

  book(market: SimMarket): void {
    for (const outcome of outcomes) {
      const listeners = this.#listenersOf(market, outcome);
      if (listeners.size > 0) this.#send(listeners, this.#bookMessage(market, outcome));
    }
  }

  priceChange(market: SimMarket, changed: readonly ChangedLevel[]): void {
    const listeners = this.#listenersOf(market);
    if (listeners.size === 0) return;
    const changes = outcomes.flatMap((outcome) => {
      const { hash } = market.summaryOf(outcome);
      const bid = market.bestBidPips(outcome);
      const ask = market.bestAskPips(outcome);
      return changed.map(({ side, bookPricePips }) => ({
        asset_id: market.tokenIdOf(outcome).toString(),
        price: formatPrice(outcome === 0 ? bookPricePips : 10_000n - bookPricePips),
        size: formatSize(market.book.sizeAt(side, bookPricePips)),
        // A bid for YES is an ask for NO.
        side: (side === 'bid') === (outcome === 0) ? 'BUY' : 'SELL',
        hash,
        best_bid: bid === null ? '0' : formatPrice(bid),
        best_ask: ask === null ? '1' : formatPrice(ask),
      }));
    });
    this.#send(listeners, {
      event_type: 'price_change',
      market: market.definition.conditionId,
      price_changes: changes,
      timestamp: market.changedMs.toString(),
    });
  }

  lastTrade(market: SimMarket, trade: PrintedTrade): void {
    this.#send(this.#listenersOf(market, trade.outcome), {
      event_type: 'last_trade_price',
      market: market.definition.conditionId,
      asset_id: market.tokenIdOf(trade.outcome).toString(),
      price: formatPrice(trade.pricePips),
      side: trade.side,
      size: formatSize(trade.tokenUnits),
      fee_rate_bps: '0',
      timestamp: trade.atMs.toString(),
    });
  }

  tickSize(market: SimMarket, oldTickPricePips: bigint): void {
    for (const outcome of outcomes) {
      this.#send(this.#listenersOf(market, outcome), {
        event_type: 'tick_size_change',
        market: market.definition.conditionId,
        asset_id: market.tokenIdOf(outcome).toString(),
        old_tick_size: formatPrice(oldTickPricePips),
        new_tick_size: formatPrice(market.tickPricePips),
        timestamp: market.changedMs.toString(),
      });
    }
  }

  resolved(market: SimMarket): void {
    const { resolution } = market;
    const winner = resolution === 0 || resolution === 1 ? resolution : null;
    this.#send(this.#listenersOf(market), {
      event_type: 'market_resolved',
      market: market.definition.conditionId,
      assets_ids: market.definition.tokenIds.map(String),
      // A void market has no winner.
      winning_asset_id: winner === null ? null : market.tokenIdOf(winner).toString(),
      winning_outcome: winner === null ? null : market.definition.outcomes[winner],
      timestamp: this.nowMs().toString(),
    });
  }
}
