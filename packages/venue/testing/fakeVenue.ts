import type { VenueMarket } from '@core/market';
import { parseMarketRecord } from '../src/market/parseMarketRecord.ts';
import { type BookOfTest, wireBookOf } from './books.ts';
import { type LocalServer, type Reply, startLocalServer } from './localServers.ts';

/**
 * A venue of a few books over real HTTP and sockets that a test can freeze, cut and change behind the socket's back.
 */
export interface FakeVenue {
  readonly server: LocalServer;
  readonly marketSocketUrl: string;
  /** Set a book; the sockets send it unless they are frozen. */
  setBook(tokenId: string, book: Omit<BookOfTest, 'tokenId'>): void;
  /** Send a text to every open socket. */
  broadcast(text: string): void;
  /** While true, sockets stay open, answer PING and send nothing. */
  isFrozen: boolean;
  /** Override of the answer of `GET /book`. */
  bookReply: Reply | null;
  holders: unknown;
  close(): Promise<void>;
}

/** An instant in milliseconds as the venue writes them, counted in steps so that each book is newer than the last. */
export const startMs = 1_700_000_000_000;

export async function startFakeVenue(): Promise<FakeVenue> {
  const books = new Map<string, Omit<BookOfTest, 'tokenId'>>();
  let step = 0;
  const wireOf = (tokenId: string) => wireBookOf({ ...books.get(tokenId), tokenId });
  const messageOf = (tokenId: string) => ({ event_type: 'book', ...wireOf(tokenId) });
  const server = await startLocalServer({
    reply: ({ path, query }) => {
      if (path === '/holders') {
        return { json: venue.holders };
      }
      const tokenId = query.get('token_id') ?? '';
      return venue.bookReply ?? (books.has(tokenId) ? { json: wireOf(tokenId) } : { status: 404, json: {} });
    },
    onFrame: (socket, text) => {
      if (text === 'PING') {
        socket.send('PONG');
        return;
      }
      const { assets_ids, operation } = JSON.parse(text) as { assets_ids: string[]; operation?: string };
      if (operation !== 'unsubscribe' && !venue.isFrozen) {
        socket.send(JSON.stringify(assets_ids.filter((tokenId) => books.has(tokenId)).map(messageOf)));
      }
    },
  });
  const venue: FakeVenue = {
    server,
    marketSocketUrl: `${server.wsUrl}/ws/market`,
    isFrozen: false,
    bookReply: null,
    holders: [],
    setBook: (tokenId, book) => {
      step += 1;
      books.set(tokenId, { atMs: startMs + step, ...book });
      if (!venue.isFrozen) {
        venue.broadcast(JSON.stringify([messageOf(tokenId)]));
      }
    },
    broadcast: (text) => {
      for (const socket of server.sockets) {
        socket.send(text);
      }
    },
    close: () => server.close(),
  };
  return venue;
}

/** A crypto market with tokens 1 (YES) and 2 (NO), or what the record says instead. */
export function marketOfTest(record: Readonly<Record<string, unknown>> = {}): VenueMarket {
  const parsed = parseMarketRecord({
    id: 7,
    slug: 'btc-up-or-down',
    version: 'v1',
    question: 'BTC up or down?',
    conditionId: `0x${'c0'.repeat(32)}`,
    questionID: `0x${'11'.repeat(32)}`,
    outcomes: '["Up", "Down"]',
    clobTokenIds: '["1", "2"]',
    endDate: '2023-11-15T00:00:00Z',
    active: true,
    closed: false,
    archived: false,
    acceptingOrders: true,
    enableOrderBook: true,
    negRisk: false,
    feesEnabled: false,
    orderPriceMinTickSize: 0.01,
    orderMinSize: 5,
    ...record,
  });
  if (parsed.kind === 'unreadable') {
    throw new Error(parsed.reason);
  }
  return parsed.market;
}
