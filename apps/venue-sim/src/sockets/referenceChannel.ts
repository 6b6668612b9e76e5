import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { SimVenue } from '../venue/simVenue.ts';
import { type AssetSymbol, assets } from '../world/assets.ts';
import { sendTo } from './feedSocket.ts';
import { readSubscription } from './readSubscription.ts';

const topics = [
  'crypto_prices',
  'crypto_prices_chainlink',
  'crypto_prices_twap_thirty',
  'crypto_prices_twap_sixty',
  'equity_prices',
  'comments',
] as const;
type Topic = (typeof topics)[number];

const frameSchema = z.looseObject({
  action: z.enum(['subscribe', 'unsubscribe']),
  subscriptions: z.array(z.looseObject({ topic: z.string(), type: z.string(), filters: z.string().optional() })),
});

type ServedSubscription = z.output<typeof frameSchema>['subscriptions'][number];

/** Seconds of prices that a new subscription gets at once. */
const backfillSeconds = 60;
/** Wrong prices of a scenario, as a multiple of the right one. */
const wrongFactor = 1.05;
/** Instants averaged by the two topics of averages, seconds. */
const windows: Partial<Record<Topic, number>> = { crypto_prices_twap_thirty: 30, crypto_prices_twap_sixty: 60 };

/** Return the name of an asset on a topic: `btcusdt` of the exchange, `btc/usd` of the oracle. */
const symbolOn = (topic: Topic, symbol: AssetSymbol): string =>
  topic === 'crypto_prices' ? `${symbol.toLowerCase()}usdt` : `${symbol.toLowerCase()}/usd`;

/** Format a price like the oracle: a whole number of 10^-18. */
const wholeOf = (value: number): string => `${BigInt(Math.round(value * 1e6))}000000000000`;

/**
 * Reference prices of the venue, one value a second for each asset, with the quirks of the real socket:
 *
 * - A second filter on a topic replaces the first. A filter that is not compact JSON silences the topic.
 * - One unknown topic drops the whole frame.
 * - A backfill is sent first; that of the oracle is labelled as the exchange's.
 * - A ping has no reply.
 */
export class ReferenceChannel {
  readonly #venue: SimVenue;
  readonly #subscriptions = new Map<WebSocket, Map<Topic, string | null>>();
  /** Prices of the last minute by asset, newest last. */
  readonly #history = new Map<AssetSymbol, { readonly atMs: number; readonly value: number }[]>();

  constructor(venue: SimVenue) {
    this.#venue = venue;
  }

  onFrame(socket: WebSocket, frame: string): void {
    if (frame.trim().toLowerCase() === 'ping') return;
    const parsed = readSubscription(frameSchema, { socket, frame });
    if (parsed === null) return;
    const servedTopics = parsed.subscriptions.map(({ topic }) => topics.find((candidate) => candidate === topic));
    if (servedTopics.includes(undefined)) return;
    const mine = this.#subscriptions.get(socket) ?? new Map<Topic, string | null>();
    this.#subscriptions.set(socket, mine);
    for (const [index, subscription] of parsed.subscriptions.entries()) {
      const topic = servedTopics[index];
      if (topic === undefined) continue;
      if (parsed.action === 'unsubscribe') mine.delete(topic);
      else this.#subscribe(socket, mine, { ...subscription, topic });
    }
  }

  drop(socket: WebSocket): void {
    this.#subscriptions.delete(socket);
  }

  #subscribe(
    socket: WebSocket,
    mine: Map<Topic, string | null>,
    { topic, filters }: ServedSubscription & { readonly topic: Topic },
  ): void {
    mine.set(topic, filters === undefined || filters === '' ? null : filters);
    for (const { symbol } of topic === 'comments' || topic === 'equity_prices' ? [] : assets) {
      const written = symbolOn(topic, symbol);
      if (!isServed(mine.get(topic) ?? null, written)) continue;
      const data = (this.#history.get(symbol) ?? []).map(({ atMs, value }) => ({ timestamp: atMs, value }));
      sendTo(socket, {
        topic: topic === 'crypto_prices_chainlink' ? 'crypto_prices' : topic,
        type: 'subscribe',
        timestamp: this.#venue.nowMs,
        payload: { symbol: written, data },
      });
    }
  }

  /** Send the prices of one second. */
  tick(): void {
    const atMs = this.#venue.nowMs;
    const fault = this.#venue.outages.priceFaultAt(atMs);
    if (fault === 'silent') return;
    for (const { symbol } of assets) {
      const history = this.#history.get(symbol) ?? [];
      const spot = Number(this.#venue.spot.printedPrice(symbol));
      const faulty = fault === 'frozen' ? (history.at(-1)?.value ?? spot) : spot * wrongFactor;
      const value = fault === null ? spot : faulty;
      this.#history.set(symbol, [...history, { atMs, value }].slice(-backfillSeconds));
    }
    for (const [socket, mine] of this.#subscriptions) {
      for (const [topic, filter] of mine) this.#send(socket, topic, filter);
    }
  }

  #send(socket: WebSocket, topic: Topic, filter: string | null): void {
    if (topic === 'comments' || topic === 'equity_prices') return;
    const windowSeconds = windows[topic];
    for (const { symbol } of assets) {
      const written = symbolOn(topic, symbol);
      const values = (this.#history.get(symbol) ?? []).slice(-(windowSeconds ?? 1));
      const last = values.at(-1);
      if (last === undefined || !isServed(filter, written)) continue;
      const value = values.reduce((sum, entry) => sum + entry.value, 0) / values.length;
      sendTo(socket, {
        topic,
        type: 'update',
        timestamp: last.atMs,
        payload: {
          symbol: written,
          timestamp: last.atMs,
          value,
          full_accuracy_value: topic === 'crypto_prices' ? String(value) : wholeOf(value),
          ...(windowSeconds === undefined ? {} : { window_s: windowSeconds }),
        },
      });
    }
  }
}

/** True when a filter lets a symbol through; one that is not compact JSON lets nothing through. */
const isServed = (filter: string | null, symbol: string): boolean =>
  filter === null || filter === `{"symbol":"${symbol}"}`;
