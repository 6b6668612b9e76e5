import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bookHashOf } from '@core/venue';

const pollMs = 20;

/** Levels as [price, size] in the venue's decimal text, best first. */
export interface VenueBook {
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

export interface BookVenue {
  readonly url: string;
  /** Set the YES book, mirrored by NO, and resolve when a reader has read it twice. */
  showBook(book: VenueBook): Promise<void>;
  /** Answer every book read with 500 while false, as a frozen venue does. */
  setServing(isServing: boolean): void;
  close(): Promise<void>;
}

/**
 * A venue with one hourly crypto market that serves catalogue, books and reference feeds over HTTP, without sockets.
 */
export async function startBookVenue(
  market: {
    readonly conditionId: string;
    readonly questionId: string;
    readonly yesTokenId: string;
    readonly noTokenId: string;
  },
  firstBook: VenueBook,
): Promise<BookVenue> {
  let book = firstBook;
  let isServing = true;
  const reads = { sinceShown: 0 };
  const closesAt = new Date(Date.now() + 50 * 60_000);

  const record = {
    id: '1',
    question: 'Bitcoin up or down this hour?',
    slug: 'bitcoin-up-or-down-this-hour',
    version: 'v1',
    conditionId: market.conditionId,
    questionID: market.questionId,
    outcomes: '["Up","Down"]',
    outcomePrices: '["0.5","0.5"]',
    clobTokenIds: JSON.stringify([market.yesTokenId, market.noTokenId]),
    endDate: closesAt.toISOString(),
    active: true,
    closed: false,
    archived: false,
    acceptingOrders: true,
    enableOrderBook: true,
    negRisk: false,
    orderPriceMinTickSize: 0.01,
    orderMinSize: 5,
    feesEnabled: true,
    feeSchedule: { rate: 0.07, exponent: 1, takerOnly: true, rebateRate: 0 },
    volume24hr: 50_000,
    events: [
      { slug: 'btc-hour', title: 'Bitcoin', series: [{ slug: 'btc-up-or-down-hourly', title: 'Bitcoin hourly' }] },
    ],
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://venue');
    if (url.pathname === '/markets') send(response, 200, url.searchParams.get('offset') ? [] : [record]);
    else if (url.pathname === '/book') serveBook(response, url.searchParams.get('token_id') ?? '');
    else if (url.pathname === '/holders') send(response, 200, []);
    else if (url.pathname === '/reference/spot') {
      send(response, 200, { assets: { BTC: { price_usd: '100000', timestamp_ms: Date.now() } } });
    } else if (url.pathname === '/reference/games') send(response, 200, { games: [] });
    else send(response, 404, { error: 'not found' });
  });

  const serveBook = (response: ServerResponse, tokenId: string) => {
    if (!isServing) {
      send(response, 500, { error: 'engine restarting' });
      return;
    }
    if (tokenId === market.yesTokenId) reads.sinceShown += 1;
    const { bids, asks } = tokenId === market.yesTokenId ? book : mirrored(book);
    const wire = {
      market: market.conditionId,
      asset_id: tokenId,
      timestamp: String(Date.now()),
      hash: '',
      // The venue sends the best level last.
      bids: bids.toReversed().map(([price, size]) => ({ price, size })),
      asks: asks.toReversed().map(([price, size]) => ({ price, size })),
      min_order_size: '5',
      tick_size: '0.01',
      neg_risk: false,
      last_trade_price: '',
    };
    send(response, 200, { ...wire, hash: bookHashOf(wire) });
  };

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    showBook: async (next) => {
      if (next === book) return;
      book = next;
      reads.sinceShown = 0;
      // The second read starts after the first was taken in.
      while (reads.sinceShown < 2) await sleep(pollMs);
    },
    setServing: (next) => {
      isServing = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function mirrored({ bids, asks }: VenueBook): VenueBook {
  const other = ([price, size]: readonly [string, string]) => [(1 - Number(price)).toFixed(2), size] as const;
  return { bids: asks.map(other), asks: bids.map(other) };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
