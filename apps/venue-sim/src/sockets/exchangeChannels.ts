import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { SimVenue } from '../venue/simVenue.ts';
import { type AssetSymbol, assets } from '../world/assets.ts';
import { sendTo } from './feedSocket.ts';
import { readSubscription } from './readSubscription.ts';
import type { WorldChannel } from './venueSockets.ts';

const coinbaseSchema = z.looseObject({
  type: z.enum(['subscribe', 'unsubscribe']),
  product_ids: z.array(z.string()),
  channels: z.array(z.string()),
});
const krakenSchema = z.looseObject({
  method: z.enum(['subscribe', 'unsubscribe']),
  params: z.looseObject({ channel: z.string(), symbol: z.array(z.string()) }),
});

/** Half of the distance between both sides of an exchange's book, as a share of the price. */
const halfSpread = 0.00005;

/** Assets that subscribers follow. */
class Followers {
  readonly #assets = new Map<WebSocket, ReadonlySet<AssetSymbol>>();

  /** Add or remove the assets whose written names are listed. */
  change(
    socket: WebSocket,
    names: readonly string[],
    by: { readonly suffix: string; readonly isAdded: boolean },
  ): void {
    const named = assets.map(({ symbol }) => symbol).filter((symbol) => names.includes(`${symbol}${by.suffix}`));
    const others = [...(this.#assets.get(socket) ?? [])].filter((symbol) => !named.includes(symbol));
    this.#assets.set(socket, new Set(by.isAdded ? [...others, ...named] : others));
  }

  drop(socket: WebSocket): void {
    this.#assets.delete(socket);
  }

  *[Symbol.iterator](): Iterator<readonly [WebSocket, ReadonlySet<AssetSymbol>]> {
    yield* this.#assets;
  }
}

/** An exchange beside the venue with the wire of Coinbase: tickers, and a heartbeat a second. */
export class CoinbaseChannel implements WorldChannel {
  readonly #venue: SimVenue;
  readonly #followers = new Followers();
  #sequence = 0;

  constructor(venue: SimVenue) {
    this.#venue = venue;
  }

  onFrame(socket: WebSocket, frame: string): void {
    const parsed = readSubscription(coinbaseSchema, { socket, frame });
    if (parsed === null) return;
    this.#followers.change(socket, parsed.product_ids, { suffix: '-USD', isAdded: parsed.type === 'subscribe' });
  }

  drop(socket: WebSocket): void {
    this.#followers.drop(socket);
  }

  tick(): void {
    this.#sequence += 1;
    const time = new Date(this.#venue.nowMs).toISOString();
    for (const [socket, followed] of this.#followers) {
      for (const symbol of followed) {
        const price = this.#venue.spot.printedPrice(symbol);
        const product = { product_id: `${symbol}-USD`, sequence: this.#sequence, time };
        sendTo(socket, { type: 'heartbeat', last_trade_id: this.#sequence, ...product });
        sendTo(socket, { type: 'ticker', ...product, price, best_bid: price, best_ask: price });
      }
    }
  }
}

/** An exchange beside the venue with the wire of Kraken: tickers of both sides, and a heartbeat a second. */
export class KrakenChannel implements WorldChannel {
  readonly #venue: SimVenue;
  readonly #followers = new Followers();

  constructor(venue: SimVenue) {
    this.#venue = venue;
  }

  onFrame(socket: WebSocket, frame: string): void {
    const parsed = readSubscription(krakenSchema, { socket, frame });
    if (parsed === null || parsed.params.channel !== 'ticker') return;
    this.#followers.change(socket, parsed.params.symbol, { suffix: '/USD', isAdded: parsed.method === 'subscribe' });
  }

  drop(socket: WebSocket): void {
    this.#followers.drop(socket);
  }

  tick(): void {
    for (const [socket, followed] of this.#followers) {
      sendTo(socket, { channel: 'heartbeat' });
      for (const symbol of followed) {
        const last = Number(this.#venue.spot.printedPrice(symbol));
        const [bid, ask] = [last * (1 - halfSpread), last * (1 + halfSpread)];
        sendTo(socket, { channel: 'ticker', type: 'update', data: [{ symbol: `${symbol}/USD`, bid, ask, last }] });
      }
    }
  }
}
