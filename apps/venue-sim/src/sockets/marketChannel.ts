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
  /** True to receive market events and best prices too. */
  custom_feature_enabled: z.boolean().optional(),
  /** False to skip the books right after the subscription. */
  initial_dump: z.boolean().optional(),
});

/** Maximum tokens per connection. Further subscriptions get no reply. */
const maximumTokens = 500;

/** Maximum bytes buffered for a slow client before it is disconnected. */
const maximumBacklogBytes = 8_388_608;

const outcomes = [0, 1] as const;

/** Public socket with the subscriptions by client and token. A message is built only for a client that receives it. */
export class MarketChannel {
  readonly #listeners = new Map<string, Set<WebSocket>>();
  readonly #subscriptions = new Map<WebSocket, Set<string>>();
  /** Connections that receive the custom events. */
  readonly #customised = new Set<WebSocket>();
  /** Last best bid and ask sent, by token. */
  readonly #bestSent = new Map<string, string>();
  /** Return the market of a token for the first book after a subscription. */
  marketOfToken: (tokenId: bigint) => SimMarket | undefined = () => undefined;
  nowMs: () => number = Date.now;

  onFrame(socket: WebSocket, frame: string): void {
    const parsed = readSubscription(frameSchema, { socket, frame });
    if (parsed === null) return;
    if (parsed.operation === 'unsubscribe') {
      for (const tokenId of parsed.assets_ids) this.#unsubscribe(socket, tokenId);
      return;
    }
    if (parsed.custom_feature_enabled === true) this.#customised.add(socket);
    else if (parsed.custom_feature_enabled === false) this.#customised.delete(socket);
    const books = parsed.assets_ids.flatMap((tokenId) => {
      if (!this.#subscribe(socket, tokenId)) return [];
      const market = /^\d{1,78}$/.test(tokenId) ? this.marketOfToken(BigInt(tokenId)) : undefined;
      if (market === undefined || market.stage === 'resolved' || this.#isSilent(market)) return [];
      return [this.#bookMessage(market, market.tokenIdOf(0).toString() === tokenId ? 0 : 1)];
    });
    // The first books come as one list, as at the real venue.
    if (books.length > 0 && parsed.initial_dump !== false) socket.send(JSON.stringify(books));
  }

  drop(socket: WebSocket): void {
    for (const tokenId of this.#subscriptions.get(socket) ?? []) this.#listeners.get(tokenId)?.delete(socket);
    this.#subscriptions.delete(socket);
    this.#customised.delete(socket);
  }

  /** Subscribe to a token; false when the connection is at its limit. */
  #subscribe(socket: WebSocket, tokenId: string): boolean {
    if ((this.#subscriptions.get(socket)?.size ?? 0) >= maximumTokens) return false;
    const listeners = this.#listeners.get(tokenId);
    if (listeners === undefined) this.#listeners.set(tokenId, new Set([socket]));
    else listeners.add(socket);
    const mine = this.#subscriptions.get(socket);
    if (mine === undefined) this.#subscriptions.set(socket, new Set([tokenId]));
    else mine.add(tokenId);
    return true;
  }

  #unsubscribe(socket: WebSocket, tokenId: string): void {
    this.#listeners.get(tokenId)?.delete(socket);
    this.#subscriptions.get(socket)?.delete(tokenId);
  }

  #isSilent(market: SimMarket): boolean {
    return market.effects.isFrozenAt(this.nowMs());
  }

  /** Return the clients subscribed to one of the market's tokens; none while its feed is frozen. */
  #listenersOf(market: SimMarket, outcome?: Outcome): Set<WebSocket> {
    if (this.#isSilent(market)) return new Set();
    const tokens = outcome === undefined ? outcomes : ([outcome] as const);
    const sockets = tokens.flatMap((token) => [...(this.#listeners.get(market.tokenIdOf(token).toString()) ?? [])]);
    return new Set(sockets);
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
    this.#bestBidAsk(market, listeners);
  }

  /** Send best prices that changed to the connections that requested them. */
  #bestBidAsk(market: SimMarket, listeners: ReadonlySet<WebSocket>): void {
    const customised = this.#onlyCustomised(listeners);
    if (customised.size === 0) return;
    for (const outcome of outcomes) {
      const [bid, ask] = [market.bestBidPips(outcome), market.bestAskPips(outcome)];
      const tokenId = market.tokenIdOf(outcome).toString();
      if (this.#bestSent.get(tokenId) === `${bid}/${ask}`) continue;
      this.#bestSent.set(tokenId, `${bid}/${ask}`);
      this.#send(customised, {
        event_type: 'best_bid_ask',
        market: market.definition.conditionId,
        asset_id: tokenId,
        // An empty side is an empty text.
        best_bid: bid === null ? '' : formatPrice(bid),
        best_ask: ask === null ? '' : formatPrice(ask),
        spread: bid === null || ask === null ? '' : formatPrice(ask - bid),
        timestamp: market.changedMs.toString(),
      });
    }
  }

  #onlyCustomised(listeners: ReadonlySet<WebSocket>): Set<WebSocket> {
    return new Set([...listeners].filter((socket) => this.#customised.has(socket)));
  }

  /** Announce a market to every connection that requested custom events. */
  listed(market: SimMarket): void {
    const { definition } = market;
    this.#send(this.#customised, {
      event_type: 'new_market',
      id: definition.id,
      question: definition.question,
      market: definition.conditionId,
      condition_id: definition.conditionId,
      slug: definition.slug,
      description: definition.description,
      assets_ids: definition.tokenIds.map(String),
      clob_token_ids: definition.tokenIds.map(String),
      outcomes: definition.outcomes,
      event_message: { id: definition.event.id, ticker: definition.event.slug, slug: definition.event.slug },
      active: true,
      order_price_min_tick_size: formatPrice(market.tickPricePips),
      fees_enabled: definition.areFeesEnabled,
      timestamp: this.nowMs().toString(),
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
    this.#send(this.#onlyCustomised(this.#listenersOf(market)), {
      event_type: 'market_resolved',
      id: market.definition.id,
      market: market.definition.conditionId,
      assets_ids: market.definition.tokenIds.map(String),
      // A void market has no winner.
      winning_asset_id: winner === null ? null : market.tokenIdOf(winner).toString(),
      winning_outcome: winner === null ? null : market.definition.outcomes[winner],
      timestamp: this.nowMs().toString(),
    });
  }
}
