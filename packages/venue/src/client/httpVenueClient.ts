import type { PricePips } from '@core/pricing';
import { isManagedToken, SignatureType } from '@core/vault';
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
import { isVenueFault, type VenueFault, venueMalformedFault } from '../port/venueFault.ts';
import { bookSnapshotOf, wireBookSchema } from '../schema/book.ts';
import { topHoldersOf, wireHoldersSchema } from '../schema/holders.ts';
import {
  cancelAnswerSchema,
  orderStateOf,
  placeOrderBodyOf,
  tradeStateOf,
  wireOrderStateSchema,
  wireTradeSchema,
} from '../schema/orders.ts';
import { decimalText } from '../schema/wireTypes.ts';
import { toPricePips } from '../text/decimal.ts';
import {
  type CatalogueList,
  type CataloguePosition,
  keysetStart,
  nextCursorOf,
  oldListStart,
  pageRequestOf,
  positionOf,
  type WirePage,
} from './cataloguePaging.ts';
import type { EndpointGroup } from './endpointPauses.ts';
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
  /** Origin of books and orders, and of the two below where they are absent. */
  readonly url: string;
  /** Origin of markets and events. */
  readonly catalogueUrl?: string;
  /** Origin of holders. */
  readonly dataUrl?: string;
  /** Credentials of the private requests (orders and trades), for a venue that wants them. */
  readonly credentials?: CredentialsPort;
  /** List of the catalogue that is read first, the other where it is refused; `offset` when absent. */
  readonly catalogueList?: CatalogueList;
  readonly parse?: ParseOptions;
  /** Refuse books whose hash does not fit their content; on unless a venue hashes differently. */
  readonly verifyBookHash?: boolean;
}

/** Statuses of a list that no longer exists, or that does not reach so far. */
const listRefusalStatuses: ReadonlySet<number | null> = new Set([404, 405, 410, 422]);

const isListRefusal = ({ code, status, kind }: VenueFault): boolean =>
  code === 'list_refused' || (kind === 'terminal' && listRefusalStatuses.has(status));

const startOf = (list: CatalogueList): CataloguePosition => (list === 'keyset' ? keysetStart : oldListStart);

/** Endpoints by the first part of their path, as the venue limits them. */
const groups: Readonly<Record<string, EndpointGroup>> = {
  order: 'orders',
  data: 'ledger',
  markets: 'catalogue',
  holders: 'data',
};

const groupOf = (path: string): EndpointGroup => groups[path.split('/')[1] ?? ''] ?? 'books';

/**
 * The venue port over HTTP, for a real venue and for the simulator alike. See `VenueClient` for the promises it keeps.
 */
export class HttpVenueClient implements VenueClient {
  readonly #options: HttpVenueClientOptions;
  readonly #transport: HttpTransport;
  /** The list that passes begin with: the other one once it was refused. */
  #list: CatalogueList;

  constructor(options: HttpVenueClientOptions) {
    this.#options = options;
    this.#list = options.catalogueList ?? 'offset';
    this.#transport = transportOf(options);
  }

  async cataloguePage(query: CatalogueQuery): Promise<CataloguePage> {
    const first = startOf(this.#list);
    const { position, page } = await this.#page(query.cursor === undefined ? first : positionOf(query.cursor), query);
    const parsed = page.records.map((record) => parseMarketRecord(record, this.#options.parse));
    return {
      markets: parsed.flatMap((record) => (record.kind === 'market' ? [record.market] : [])),
      unreadable: parsed.flatMap((record) => (record.kind === 'unreadable' ? [record] : [])),
      nextCursor: nextCursorOf(position, page),
    };
  }

  /**
   * Read one page. Where its list is refused, the other one is read from its beginning: the keyset list for any page of
   * the old one, which also refuses large offsets, and the old list for the first page of the keyset list.
   */
  async #page(
    position: CataloguePosition,
    query: CatalogueQuery,
  ): Promise<{ readonly position: CataloguePosition; readonly page: WirePage }> {
    const get = (from: CataloguePosition): Promise<WirePage> =>
      this.#get(this.#catalogueUrl, pageRequestOf(from, query), ({ body }) => read(cataloguePageSchema, body));
    try {
      return { position, page: await get(position) };
    } catch (error) {
      const isInside = position.list === 'keyset' && position.after !== null;
      if (isInside || !isVenueFault(error) || !isListRefusal(error)) throw error;
      const list: CatalogueList = position.list === 'keyset' ? 'offset' : 'keyset';
      const start = startOf(list);
      const page = await get(start).catch((otherError: unknown) => {
        // Without another list the refusal of the first is what counts.
        throw isVenueFault(otherError) && otherError.kind === 'terminal' ? error : otherError;
      });
      this.#list = list;
      return { position: start, page };
    }
  }

  async book(tokenId: string): Promise<BookSnapshot | null> {
    return this.#orNull(() =>
      this.#get(this.#options.url, ['/book', { token_id: tokenId }], ({ body }) => {
        const snapshot = this.#readBook(body);
        if (snapshot.tokenId !== tokenId) {
          throw venueMalformedFault(`book of token ${snapshot.tokenId} instead of ${tokenId}`);
        }
        return snapshot;
      }),
    );
  }

  async books(tokenIds: readonly string[]): Promise<readonly BookSnapshot[]> {
    const path = '/books';
    const body = tokenIds.map((tokenId) => ({ token_id: tokenId }));
    const request = { url: `${this.#options.url}${path}`, path, method: 'POST', group: 'books', body } as const;
    // A read has no effect at the venue, so that any failure may be retried.
    return requestJson({ ...request, isRead: true }, this.#transport, (answer) => {
      const requested = new Set(tokenIds);
      const books = read(z.array(z.unknown()), answer.body).map((book) => this.#readBook(book));
      return books.filter(({ tokenId }) => requested.has(tokenId));
    });
  }

  #readBook(body: unknown): BookSnapshot {
    const snapshot = readable(bookSnapshotOf(read(wireBookSchema, body)), 'book');
    if (snapshot.isHashValid === false && this.#options.verifyBookHash !== false) {
      throw venueMalformedFault(`book hash of token ${snapshot.tokenId} does not fit`);
    }
    return snapshot;
  }

  async tickSize(tokenId: string): Promise<PricePips> {
    const schema = z.looseObject({ minimum_tick_size: decimalText });
    return this.#get(this.#options.url, ['/tick-size', { token_id: tokenId }], ({ body }) =>
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

  async cancelOrder(orderId: string): Promise<void> {
    const request = { method: 'DELETE', path: '/order', search: '', body: { orderID: orderId } } as const;
    await this.#privately(request, ({ body }) => read(cancelAnswerSchema, body));
  }

  async order(orderId: string): Promise<OrderState | null> {
    const schema = z.union([wireOrderStateSchema, z.null()]);
    const wire = await this.#orNull(() =>
      this.#get(this.#options.url, [`/data/order/${encodeURIComponent(orderId)}`, {}], ({ body }) =>
        read(schema, body),
      ),
    );
    return wire === null ? null : readable(orderStateOf(wire), 'order');
  }

  async trades(query: TradeQuery): Promise<readonly TradeState[]> {
    if ('tradeId' in query) {
      return this.#get(this.#options.url, ['/data/trades', { id: query.tradeId }], ({ body }) =>
        read(listSchema(wireTradeSchema), body).map((wire) => readable(tradeStateOf(wire), 'trade')),
      );
    }
    const order = await this.order(query.orderId);
    const lists = await Promise.all((order?.tradeIds ?? []).map((tradeId) => this.trades({ tradeId })));
    return lists.flat();
  }

  /**
   * Make the venue read a balance and allowances of the caller's deposit wallet again: it remembers them, and refuses
   * orders above what it knows.
   * @param tokenId Outcome token; null for the money.
   */
  async refreshWalletBalance(tokenId: bigint | null): Promise<void> {
    const asset =
      tokenId === null
        ? { asset_type: 'COLLATERAL' }
        : { asset_type: isManagedToken(tokenId) ? 'CONDITIONAL-V2' : 'CONDITIONAL', token_id: `${tokenId}` };
    const search = `?${new URLSearchParams({ ...asset, signature_type: String(SignatureType.Erc1271) })}`;
    await this.#privately({ method: 'GET', path: '/balance-allowance/update', search }, () => undefined);
  }

  get #catalogueUrl(): string {
    return this.#options.catalogueUrl ?? this.#options.url;
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
      : requestJson(
          { url: `${origin}${path}${search}`, path, method: 'GET', group: groupOf(path) },
          this.#transport,
          readAnswer,
        );
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
        {
          url: `${this.#options.url}${path}${search}`,
          path,
          method,
          headers: headers ?? {},
          body,
          group: groupOf(path),
        },
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

  /** Return null where the venue has no such item, instead of throwing. */
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
