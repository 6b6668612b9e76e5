import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@core/runtime';
import { WebSocket, WebSocketServer } from 'ws';

/** A venue's market data as one price signer gets it, between the two: books over REST and socket. */
export interface LyingFeed {
  readonly url: string;
  readonly wsUrl: string;
  /** Messages and answers in which a price was another than the venue's. */
  readonly lieCount: number;
  /**
   * Moves the prices of these tokens by so many pips from now on, of no other. Sockets end, so that no book is kept
   * from before.
   */
  lie(pipsByToken: ReadonlyMap<string, bigint>): void;
  close(): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

const pricesOfToken: ReadonlySet<string> = new Set(['price', 'best_bid', 'best_ask', 'last_trade_price']);

/**
 * Passes everything on as the venue says it but the prices that it is asked to move. Levels that a move takes out of
 * the dollar are left out; the hash of a book goes with its prices.
 */
export async function startLyingFeed(venue: { readonly url: string; readonly wsUrl: string }): Promise<LyingFeed> {
  let moves: ReadonlyMap<string, bigint> = new Map();
  let lieCount = 0;
  const answerOf = (body: string): string => {
    const [said, moved] = movedIn(JSON.parse(body), moves);
    if (!moved) return body;
    lieCount += 1;
    return JSON.stringify(said);
  };
  const server = createServer((request, response) => {
    void pass(venue.url, request).then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(status === 200 ? answerOf(body) : body),
      () => response.destroy(),
    );
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client, request) => {
    const upstream = new WebSocket(`${venue.wsUrl}${request.url ?? ''}`);
    const waiting: string[] = [];
    client.on('message', (data) => {
      const message = String(data);
      if (upstream.readyState === WebSocket.OPEN) upstream.send(message);
      else waiting.push(message);
    });
    upstream.on('open', () => {
      for (const message of waiting.splice(0)) upstream.send(message);
    });
    upstream.on('message', (data) => client.send(isJson(String(data)) ? answerOf(String(data)) : String(data)));
    client.on('close', () => upstream.terminate());
    upstream.on('close', () => client.terminate());
    upstream.on('error', () => client.terminate());
    client.on('error', () => upstream.terminate());
  });
  const { url, close } = await listen(server, { port: 0 });
  const hangUp = (): void => {
    for (const client of sockets.clients) client.terminate();
  };
  return {
    url,
    wsUrl: url.replace('http', 'ws'),
    get lieCount() {
      return lieCount;
    },
    lie: (pipsByToken) => {
      moves = pipsByToken;
      hangUp();
    },
    close: async () => {
      hangUp();
      await close();
    },
  };
}

const isJson = (message: string): boolean => message.startsWith('{') || message.startsWith('[');

async function pass(
  venueUrl: string,
  { method = 'GET', url = '/', ...request }: IncomingMessage,
): Promise<{ readonly status: number; readonly body: string }> {
  const init = method === 'GET' ? {} : { body: await text(request as IncomingMessage) };
  const answer = await fetch(`${venueUrl}${url}`, { method, ...init });
  return { status: answer.status, body: await answer.text() };
}

/** The same with the prices of moved tokens moved, and whether there were any. */
function movedIn(said: unknown, moves: ReadonlyMap<string, bigint>): readonly [unknown, boolean] {
  if (Array.isArray(said)) {
    const parts = said.map((one) => movedIn(one, moves));
    return [parts.map(([one]) => one), parts.some(([, isMoved]) => isMoved)];
  }
  if (typeof said !== 'object' || said === null) return [said, false];
  const fields: Fields = { ...said };
  if (Array.isArray(fields['price_changes'])) {
    const [changes, isMoved] = movedIn(fields['price_changes'], moves);
    return [{ ...fields, price_changes: changes }, isMoved];
  }
  const pips = moves.get(String(fields['asset_id']));
  if (pips === undefined) return [said, false];
  const { hash: _, ...moved } = fields;
  const entries = Object.entries(moved).map(([name, value]) => {
    if (pricesOfToken.has(name)) return [name, movedPrice(value, pips) ?? value];
    return name === 'bids' || name === 'asks' ? [name, movedLevels(value, pips)] : [name, value];
  });
  return [Object.fromEntries(entries), true];
}

const movedLevels = (levels: unknown, pips: bigint): unknown =>
  Array.isArray(levels)
    ? levels.flatMap((level: Fields) => {
        const price = movedPrice(level['price'], pips);
        return price === null ? [] : [{ ...level, price }];
      })
    : levels;

/** Null when it is no price any more. */
function movedPrice(price: unknown, pips: bigint): string | null {
  const moved = Math.round(Number(price) * 10_000) + Number(pips);
  return moved <= 0 || moved >= 10_000 ? null : String(moved / 10_000);
}
