import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listedMarketOf, reportKeeper } from '@core/api/testing';
import type { VenueMarket } from '@core/market';
import { partnerTermsOf } from '@core/policy';
import { usdcUnits, usdPips } from '@core/pricing';
import { migrate, openStore, type Store, startEmbeddedPostgres } from '@core/store';
import { createTestDatabase } from '@core/store/testing';
import { HttpVenueClient } from '@core/venue';
import { basePath } from '@core/wire';
import { type ServerProcess, startServer } from './serverProcess.ts';

/** Base of every contestant of an HTTP row: one PostgreSQL and one venue with live markets. */
export interface World {
  readonly databaseUrl: string;
  readonly store: Store;
  readonly partnerId: string;
  readonly apiKey: string;
  readonly setup: object;
  /** Process of the venue. */
  readonly venue: ServerProcess;
  close(): Promise<void>;
}

const unlimitedUsdPips = usdPips(10n ** 15n);
const unlimitedUsdcUnits = usdcUnits(10n ** 15n);

/** A partner without caps, so that the load is not refused; caps are checked all the same. */
const terms = partnerTermsOf({
  limits: {
    userNotionalUsdPips: unlimitedUsdPips,
    sideNotionalUsdPips: unlimitedUsdPips,
    marketNotionalUsdPips: unlimitedUsdPips,
    partnerNotionalUsdPips: unlimitedUsdPips,
    globalNotionalUsdPips: unlimitedUsdPips,
    userBorrowUsdcUnits: unlimitedUsdcUnits,
    sideBorrowUsdcUnits: unlimitedUsdcUnits,
    marketBorrowUsdcUnits: unlimitedUsdcUnits,
    totalBorrowUsdcUnits: unlimitedUsdcUnits,
  },
});

/** Number of assets of the venue, and of markets on their next spans; the rest of a long list are strikes. */
const [assetCount, spanCount] = [4, 24];

interface WorldDatabase {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Make a database on the server of `TEST_DATABASE_URL`, or on a server of its own in the folder. */
async function startDatabase(folder: string): Promise<WorldDatabase> {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return createTestDatabase();
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg') });
  await migrate(server.databaseUrl);
  return server;
}

/**
 * Start database and venue. Limits are counted by the Redis of `TEST_REDIS_URL` when that is set.
 *
 * @param liveMarketCount Number of live crypto markets; the default list of the venue when left out.
 */
export async function startWorld(liveMarketCount = 0): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
  // Under root the server runs as the user postgres, who needs access.
  await chmod(folder, 0o755);
  const [database, venue] = await Promise.all([
    startDatabase(folder),
    startServer('venue', { strikesPerAsset: Math.ceil(Math.max(0, liveMarketCount - spanCount) / assetCount) }),
  ]);
  const store = openStore({ databaseUrl: database.databaseUrl });
  await listMarkets(store, String(venue.facts['url']));
  const nowMs = Date.now();
  await reportKeeper(store.heartbeats, { nowMs });
  const partner = await store.partners.create({ name: 'bench', environment: 'sandbox', terms, createdAtMs: nowMs });
  const issued = await store.apiKeys.issue({ partnerId: partner.id, environment: 'sandbox', nowMs });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  const { privateKey } = generateKeyPairSync('ed25519');
  const { kty, crv, x, d } = privateKey.export({ format: 'jwk' });
  return {
    databaseUrl: database.databaseUrl,
    store,
    partnerId: partner.id,
    apiKey: issued.secret,
    venue,
    setup: {
      databaseUrl: database.databaseUrl,
      redisUrl: process.env['TEST_REDIS_URL'],
      venueUrl: venue.facts['url'],
      venueSocketUrl: venue.facts['wsUrl'],
      tokenKeys: { keys: [{ kty, crv, x, d, kid: 'bench' }] },
    },
    close: async () => {
      await store.close();
      await Promise.all([database.close(), venue.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listMarkets(store: Store, venueUrl: string): Promise<void> {
  const markets = await catalogueOf(new HttpVenueClient({ url: venueUrl }));
  const nowMs = Date.now();
  const crypto = markets.filter(({ category }) => category === 'crypto');
  await store.markets.sync(crypto.map(listedMarketOf), nowMs);
  const tokens = (await store.markets.changedSince(0n)).flatMap(({ yesTokenId, noTokenId }) => [yesTokenId, noTokenId]);
  await store.markets.recordOutcomes(
    tokens.map((tokenId, index) => ({ tokenId, outcomeId: index + 1 })),
    nowMs,
  );
}

async function catalogueOf(client: HttpVenueClient, cursor?: string): Promise<readonly VenueMarket[]> {
  const { markets, nextCursor } = await client.cataloguePage({ limit: 500, ...(cursor !== undefined && { cursor }) });
  return nextCursor === null ? markets : [...markets, ...(await catalogueOf(client, nextCursor))];
}

/** Return one HTTP/1.1 request as bytes. */
export function requestBytes(request: {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}): Buffer {
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const headers = {
    host: '127.0.0.1',
    ...request.headers,
    ...(body !== '' && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

async function fieldsOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** Return a function that yields the requests in rotation. */
export function roundRobin(requests: readonly Buffer[]): (index: number) => Buffer {
  return (index) => requests[index % requests.length] ?? Buffer.alloc(0);
}

/** Return the wallet of a number. */
export function walletOf(index: number): `0x${string}` {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`;
}

/** Return tokens of a number of wallets, issued by the service itself. */
export async function issueTokens(server: ServerProcess, world: World, count: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await fetch(`http://127.0.0.1:${server.port}${basePath}/tokens`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${world.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ wallet_address: walletOf(index) }),
    });
    tokens.push(String((await fieldsOf(response))['token']));
  }
  return tokens;
}

/** A side of a market that accepts new positions. */
export interface OpenMarket {
  readonly ticker: string;
  readonly side: 'yes' | 'no';
}

/** Return tickers and sides that accept the sample size now, once the feed is warm. */
export async function openMarkets(server: ServerProcess, world: World): Promise<readonly OpenMarket[]> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const response = await fetch(
      `http://127.0.0.1:${server.port}${basePath}/markets?status=active&accepting_new_positions=true&limit=100`,
      { headers: { authorization: `Api-Key ${world.apiKey}` } },
    );
    const { data } = await fieldsOf(response);
    const open = (Array.isArray(data) ? data : []).flatMap((market): OpenMarket[] => {
      const { sided_eligibility: sides, leverage, ticker } = market;
      const isOpen = { yes: sides.yes.accepting_new_positions, no: sides.no.accepting_new_positions };
      // Well above the requested leverage, so that a small move of the price refuses nothing.
      const isRoomy = { yes: leverage.max_yes_bps >= 30_000, no: leverage.max_no_bps >= 30_000 };
      return (['yes', 'no'] as const).filter((side) => isOpen[side] && isRoomy[side]).map((side) => ({ ticker, side }));
    });
    if (open.length >= 8) return open;
    await pause(1_000);
  }
  throw new Error('the venue never had enough markets open');
}

/** Return the body of a quote of a size that every open side accepts. */
export function quoteBodyOf({ ticker, side }: OpenMarket): object {
  return {
    market_ticker: ticker,
    effective_side: side,
    leverage_bps: 20_000,
    notional_amount_usd_pips: '200000',
    slippage_bps: 500,
    provider: 'venue',
    allow_revision: true,
  };
}

/** Return a POST /quotes of a user. */
export function quoteRequestBytes(token: string, market: OpenMarket): Buffer {
  const headers = { authorization: `Bearer ${token}` };
  return requestBytes({ method: 'POST', path: `${basePath}/quotes`, headers, body: quoteBodyOf(market) });
}
