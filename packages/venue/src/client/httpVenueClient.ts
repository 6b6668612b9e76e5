import { setTimeout as delay } from 'node:timers/promises';
import type { PricePips } from '@core/pricing';
import { z } from 'zod';
import { toPricePips, toPricePipsDown } from '../decimal.ts';
import { type ParseOptions, parseMarketRecord } from '../market/parseMarketRecord.ts';
import type { VenueMarket } from '../market/venueMarket.ts';
import { bookSnapshotOf, wireBookSchema } from '../schema/book.ts';
import { topHoldersOf, wireHoldersSchema } from '../schema/holders.ts';
import {
  orderStateOf,
  placedOrderOf,
  placedOrderSchema,
  placeOrderBodyOf,
  tradeStateOf,
  wireOrderStateSchema,
  wireTradeSchema,
} from '../schema/orders.ts';
import { venueMillisecondsOf } from '../schema/venueMilliseconds.ts';
import { decimalText } from '../schema/wireTypes.ts';
import { isVenueFault, venueFault, venueMalformedFault } from '../venueFault.ts';
import {
  defaultRetryPolicy,
  type HttpAnswer,
  type HttpTransport,
  type RetryPolicy,
  requestJson,
} from './httpRequest.ts';
import type {
  BookSnapshot,
  CataloguePage,
  CatalogueQuery,
  OrderState,
  PlacedOrder,
  PlaceOrderRequest,
  PriceHistoryQuery,
  PricePoint,
  TopHolder,
  TradeQuery,
  TradeState,
  VenueClient,
} from './venueClient.ts';

export interface HttpVenueClientOptions {
  /** Origin of all endpoints; the three below override it where a venue splits them over hosts. */
  readonly url: string;
  readonly catalogueUrl?: string;
  readonly bookUrl?: string;
  readonly dataUrl?: string;
  /** Headers of authenticated requests (orders and trades), made anew for each request. */
  readonly authHeaders?: (request: { method: string; path: string; body: string }) => Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly random?: () => number;
  readonly sleep?: (waitMs: number) => Promise<void>;
  readonly parse?: ParseOptions;
  /** Refuse books whose hash does not fit their content; on unless a venue hashes differently. */
  readonly verifyBookHash?: boolean;
}

const defaultTimeoutMs = 5_000;
/** A catalogue page of 500 records is about 3 million characters. */
const maxAnswerCharacters = 20_000_000;

/** Reads a body with a schema, or counts the answer as malformed. */
const read = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw venueMalformedFault(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  return parsed.data;
};

/** The value, or a malformed answer when the wire held something that could not be read exactly. */
const readable = <Value>(value: Value | null, what: string): Value => {
  if (value === null) {
    throw venueMalformedFault(`${what} cannot be read`);
  }
  return value;
};

const cataloguePageSchema = z.union([
  z.array(z.unknown()).transform((records) => ({ records, nextCursor: null })),
  z
    .looseObject({ data: z.array(z.unknown()), next_cursor: z.string().nullish() })
    .transform(({ data, next_cursor }) => ({ records: data, nextCursor: next_cursor || null })),
]);

/** The venue's word for "no further page" in a base64 cursor. */
const endCursor = 'LTE=';
const offsetPrefix = 'offset:';

const listSchema = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), z.looseObject({ data: z.array(item) }).transform(({ data }) => data)]);

const historySchema = z.looseObject({ history: z.array(z.looseObject({ t: decimalText, p: decimalText })) });

/** The venue port over HTTP, for a real venue and for the simulator alike. See `VenueClient` for the promises it keeps. */
export class HttpVenueClient implements VenueClient {
  readonly #options: HttpVenueClientOptions;
  readonly #transport: HttpTransport;

  constructor(options: HttpVenueClientOptions) {
    this.#options = options;
    this.#transport = {
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      retry: { ...defaultRetryPolicy, ...options.retry },
      random: options.random ?? Math.random,
      sleep: options.sleep ?? ((waitMs) => delay(waitMs)),
      maxAnswerCharacters,
    };
  }

  async cataloguePage(query: CatalogueQuery): Promise<CataloguePage> {
    const offset = query.cursor?.startsWith(offsetPrefix) ? query.cursor.slice(offsetPrefix.length) : null;
    const parameters = {
      limit: String(query.limit),
      ...(query.closed === undefined ? {} : { closed: String(query.closed) }),
      ...(offset === null ? {} : { offset }),
      ...(query.cursor === undefined || offset !== null ? {} : { cursor: query.cursor }),
    };
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

  async market(ticker: string): Promise<VenueMarket | null> {
    const { records } = await this.#get(this.#catalogueUrl, ['/markets', { slug: ticker }], ({ body }) =>
      read(cataloguePageSchema, body),
    );
    for (const record of records) {
      const parsed = parseMarketRecord(record, this.#options.parse);
      if (parsed.kind === 'market' && parsed.market.ticker === ticker) {
        return parsed.market;
      }
    }
    return null;
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

  async price(tokenId: string, side: 'BUY' | 'SELL'): Promise<PricePips | null> {
    return this.#readPrice(['/price', { token_id: tokenId, side }], 'price');
  }

  async midpoint(tokenId: string): Promise<PricePips | null> {
    return this.#readPrice(['/midpoint', { token_id: tokenId }], 'mid');
  }

  async lastTradePrice(tokenId: string): Promise<PricePips | null> {
    return this.#readPrice(['/last-trade-price', { token_id: tokenId }], 'price');
  }

  async tickSize(tokenId: string): Promise<PricePips> {
    const schema = z.looseObject({ minimum_tick_size: decimalText });
    return this.#get(this.#bookUrl, ['/tick-size', { token_id: tokenId }], ({ body }) =>
      readable(toPricePips(read(schema, body).minimum_tick_size), 'tick size'),
    );
  }

  async priceHistory(query: PriceHistoryQuery): Promise<readonly PricePoint[]> {
    const parameters = {
      market: query.tokenId,
      startTs: String(Math.floor(query.startMs / 1000)),
      endTs: String(Math.ceil(query.endMs / 1000)),
      fidelity: String(query.fidelityMinutes),
    };
    return this.#get(this.#bookUrl, ['/prices-history', parameters], ({ body }) =>
      read(historySchema, body).history.map(({ t, p }) => ({
        atMs: readable(venueMillisecondsOf(t), 'history instant'),
        pricePips: readable(toPricePipsDown(p), 'history price'),
      })),
    );
  }

  async topHolders(conditionId: string): Promise<readonly TopHolder[]> {
    return this.#get(this.#dataUrl, ['/holders', { market: conditionId }], ({ body }) =>
      readable(topHoldersOf(read(wireHoldersSchema, body)), 'holders'),
    );
  }

  async placeOrder(request: PlaceOrderRequest): Promise<PlacedOrder> {
    const body = placeOrderBodyOf(request);
    return requestJson(
      {
        url: `${this.#bookUrl}/order`,
        method: 'POST',
        headers: this.#options.authHeaders?.({ method: 'POST', path: '/order', body: JSON.stringify(body) }) ?? {},
        body,
      },
      this.#transport,
      readPlacedOrder,
    );
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
    [path, parameters]: readonly [string, Readonly<Record<string, string>>],
    readAnswer: (answer: HttpAnswer) => Value,
  ): Promise<Value> {
    const search = String(new URLSearchParams(parameters));
    const isPrivate = path.startsWith('/data/');
    return requestJson(
      {
        url: `${origin}${path}${search === '' ? '' : `?${search}`}`,
        method: 'GET',
        headers: (isPrivate ? this.#options.authHeaders?.({ method: 'GET', path, body: '' }) : undefined) ?? {},
      },
      this.#transport,
      readAnswer,
    );
  }

  async #readPrice(
    query: readonly [string, Readonly<Record<string, string>>],
    field: 'price' | 'mid',
  ): Promise<PricePips | null> {
    const schema = z.looseObject({ [field]: decimalText.nullish() });
    return this.#orNull(() =>
      this.#get(this.#bookUrl, query, ({ body }) => {
        const text = read(schema, body)[field];
        return text === null || text === undefined || text === ''
          ? null
          : readable(toPricePipsDown(String(text)), field);
      }),
    );
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

/** A refusal may come with any status; what is neither a refusal nor a whole answer may have been taken. */
const readPlacedOrder = ({ status, body }: HttpAnswer): PlacedOrder => {
  const answer = read(placedOrderSchema, body);
  const refusal = answer.errorMsg || answer.error || '';
  if (answer.success === false || refusal !== '') {
    throw venueFault({ status, text: refusal });
  }
  return readable(placedOrderOf(answer), 'order answer');
};
