import type { PricePips } from '@core/pricing';
import { z } from 'zod';
import { type ParseOptions, parseMarketRecord } from '../market/parseMarketRecord.ts';
import type { CredentialsPort } from '../port/credentials.ts';
import type {
  BookSnapshot,
  CataloguePage,
  CatalogueQuery,
  OrderState,
  PlacedOrder,
  PlaceOrderRequest,
  TopHolder,
  TradeQuery,
  TradeState,
  VenueClient,
} from '../port/venueClient.ts';
import { isVenueFault, venueMalformedFault } from '../port/venueFault.ts';
import { bookSnapshotOf, wireBookSchema } from '../schema/book.ts';
import { topHoldersOf, wireHoldersSchema } from '../schema/holders.ts';
import {
  orderStateOf,
  placeOrderBodyOf,
  tradeStateOf,
  wireOrderStateSchema,
  wireTradeSchema,
} from '../schema/orders.ts';
import { decimalText } from '../schema/wireTypes.ts';
import { toPricePips } from '../text/decimal.ts';
import {
  type HttpAnswer,
  type HttpRequest,
  type HttpTransport,
  requestJson,
  type TransportOptions,
  transportOf,
} from './httpRequest.ts';
import { cataloguePageSchema, listSchema, read, readable, readPlacedOrder } from './readAnswer.ts';

export interface HttpVenueClientOptions extends TransportOptions {
  /** Origin of all endpoints; the three below override it where a venue splits them over hosts. */
  readonly url: string;
  readonly catalogueUrl?: string;
  readonly bookUrl?: string;
  readonly dataUrl?: string;
  /** Credentials of the private requests (orders and trades), for a venue that wants them. */
  readonly credentials?: CredentialsPort;
  readonly parse?: ParseOptions;
  /** Refuse books whose hash does not fit their content; on unless a venue hashes differently. */
  readonly verifyBookHash?: boolean;
}

/** The venue's base64 cursor that means "no further page". */
const endCursor = 'LTE=';
const offsetPrefix = 'offset:';

/**
 * The venue port over HTTP, for a real venue and for the simulator alike. See `VenueClient` for the promises it keeps.
 */
export class HttpVenueClient implements VenueClient {
  readonly #options: HttpVenueClientOptions;
  readonly #transport: HttpTransport;

  constructor(options: HttpVenueClientOptions) {
    this.#options = options;
    this.#transport = transportOf(options);
  }

  async cataloguePage(query: CatalogueQuery): Promise<CataloguePage> {
    const offset = query.cursor?.startsWith(offsetPrefix) ? query.cursor.slice(offsetPrefix.length) : null;
    const parameters = new URLSearchParams({
      limit: String(query.limit),
      ...(query.closed === undefined ? {} : { closed: String(query.closed) }),
      ...(offset === null ? {} : { offset }),
      ...(query.cursor === undefined || offset !== null ? {} : { cursor: query.cursor }),
    });
    for (const conditionId of query.conditionIds ?? []) parameters.append('condition_ids', conditionId);
    const page = await this.#get(this.#catalogueUrl, ['/markets', parameters], ({ body }) =>
      read(cataloguePageSchema, body),
    );
    const parsed = page.records.map((record) => parseMarketRecord(record, this.#options.parse));
    // A bare list has no cursor: a full page may have a successor, counted by offset.
    const nextOffset = page.records.length < query.limit ? null : Number(offset ?? 0) + page.records.length;
    const nextCursor = page.nextCursor ?? (nextOffset === null ? null : `${offsetPrefix}${nextOffset}`);
    return {
      markets: parsed.flatMap((record) => (record.kind === 'market' ? [record.market] : [])),
      unreadable: parsed.flatMap((record) => (record.kind === 'unreadable' ? [record] : [])),
      nextCursor: nextCursor === endCursor || page.records.length === 0 ? null : nextCursor,
    };
  }

  async book(tokenId: string): Promise<BookSnapshot | null> {
    return this.#orNull(() =>
      this.#get(this.#bookUrl, ['/book', { token_id: tokenId }], ({ body }) => {
        const snapshot = readable(bookSnapshotOf(read(wireBookSchema, body)), 'book');
        if (snapshot.tokenId !== tokenId) {
          throw venueMalformedFault(`book of token ${snapshot.tokenId} instead of ${tokenId}`);
        }
        if (snapshot.isHashValid === false && this.#options.verifyBookHash !== false) {
          throw venueMalformedFault(`book hash of token ${tokenId} does not fit`);
        }
        return snapshot;
      }),
    );
  }

  async tickSize(tokenId: string): Promise<PricePips> {
    const schema = z.looseObject({ minimum_tick_size: decimalText });
    return this.#get(this.#bookUrl, ['/tick-size', { token_id: tokenId }], ({ body }) =>
      readable(toPricePips(read(schema, body).minimum_tick_size), 'tick size'),
    );
  }

  async topHolders(conditionId: string): Promise<readonly TopHolder[]> {
    return this.#get(this.#dataUrl, ['/holders', { market: conditionId }], ({ body }) =>
      readable(topHoldersOf(read(wireHoldersSchema, body)), 'holders'),
    );
  }

  async placeOrder(request: PlaceOrderRequest): Promise<PlacedOrder> {
    const credentials = await this.#options.credentials?.credentials();
    // Where the venue knows accounts by their keys, the order is the key's.
    const body = placeOrderBodyOf(credentials === undefined ? request : { ...request, owner: credentials.apiKey });
    return this.#privately({ method: 'POST', path: '/order', body, search: '' }, readPlacedOrder);
  }

  async order(orderId: string): Promise<OrderState | null> {
    const schema = z.union([wireOrderStateSchema, z.null()]);
    const wire = await this.#orNull(() =>
      this.#get(this.#bookUrl, [`/data/order/${encodeURIComponent(orderId)}`, {}], ({ body }) => read(schema, body)),
    );
    return wire === null ? null : readable(orderStateOf(wire), 'order');
  }

  async trades(query: TradeQuery): Promise<readonly TradeState[]> {
    if ('tradeId' in query) {
      return this.#get(this.#bookUrl, ['/data/trades', { id: query.tradeId }], ({ body }) =>
        read(listSchema(wireTradeSchema), body).map((wire) => readable(tradeStateOf(wire), 'trade')),
      );
    }
    const order = await this.order(query.orderId);
    const found = await Promise.all((order?.tradeIds ?? []).map((tradeId) => this.trades({ tradeId })));
    return found.flat();
  }

  get #catalogueUrl(): string {
    return this.#options.catalogueUrl ?? this.#options.url;
  }

  get #bookUrl(): string {
    return this.#options.bookUrl ?? this.#options.url;
  }

  get #dataUrl(): string {
    return this.#options.dataUrl ?? this.#options.url;
  }

  async #get<Value>(
    origin: string,
    [path, parameters]: readonly [string, Readonly<Record<string, string>> | URLSearchParams],
    readAnswer: (answer: HttpAnswer) => Value,
  ): Promise<Value> {
    const text = String(new URLSearchParams(parameters));
    const search = text === '' ? '' : `?${text}`;
    return path.startsWith('/data/')
      ? this.#privately({ method: 'GET', path, search }, readAnswer)
      : requestJson({ url: `${origin}${path}${search}`, method: 'GET' }, this.#transport, readAnswer);
  }

  /** A request for the account itself, with its credentials where the venue wants them. */
  async #privately<Value>(
    request: Pick<HttpRequest, 'method' | 'body'> & { readonly path: string; readonly search: string },
    readAnswer: (answer: HttpAnswer) => Value,
  ): Promise<Value> {
    const { credentials } = this.#options;
    const { method, path, search, body } = request;
    const headers = await credentials?.headersOf({
      method,
      path,
      body: body === undefined ? '' : JSON.stringify(body),
    });
    try {
      return await requestJson(
        { url: `${this.#bookUrl}${path}${search}`, method, headers: headers ?? {}, body },
        this.#transport,
        readAnswer,
      );
    } catch (error) {
      if (isVenueFault(error) && error.code === 'credentials_refused') {
        credentials?.forget();
      }
      throw error;
    }
  }

  /** What the venue does not know is null, not a fault. */
  async #orNull<Value>(ask: () => Promise<Value>): Promise<Value | null> {
    try {
      return await ask();
    } catch (error) {
      if (isVenueFault(error) && (error.code === 'not_found' || error.code === 'book_not_found')) {
        return null;
      }
      throw error;
    }
  }
}
