import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deployLocal, startLocalChain } from '@core/contracts/local';
import { type PartnerTerms, partnerTermsOf } from '@core/policy';
import { openStore, type PartnerRecord, type Store } from '@core/store';
import { createTestDatabase } from '@core/store/testing';
import { HttpVenueClient } from '@core/venue';
import { type MarketDraft, startVenueSim } from '@core/venue-sim';
import { VenueControl } from '@core/venue-sim/control';
import { localWorldOf } from '@core/world';
import { vi } from 'vitest';
import { reportKeeper } from './aheadKeeper.ts';
import { listedMarketOf } from './listedMarketOf.ts';
import { serviceEnvironment } from './serviceEnvironment.ts';
import type { SpawnedApi } from './spawnApi.ts';
import { fieldOf, send } from './startTestApi.ts';

/** A partner with the one key that was issued to it. */
interface NewPartner {
  readonly record: PartnerRecord;
  readonly apiKey: string;
  readonly apiKeyId: string;
}

/** A service in a process of its own, or in this one. */
type ReachedApi = Pick<SpawnedApi, 'url'>;

/** Everything the real program stands on, so that it can be spawned as often as a test likes. */
export interface Surroundings {
  readonly store: Store;
  readonly databaseUrl: string;
  readonly tokenKeysFile: string;
  /** Environment of one process; Redis is in it when `TEST_REDIS_URL` names one. */
  readonly environment: Readonly<Record<string, string>>;
  createPartner(name: string, terms?: PartnerTerms): Promise<NewPartner>;
  /** `Bearer …` for a wallet, of the first partner or of the one whose key is given. */
  userOf(api: ReachedApi, wallet: string, apiKey?: string): Promise<string>;
  /** Wait until the feeds of all given processes are warm; the body of a quote that each of them accepts then. */
  warmBody(...apis: readonly ReachedApi[]): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * Start database, venue and chain and create the first partner. The listed crypto markets run for hours, and their
 * prices do not move, however slow the machine is.
 */
export async function startSurroundings(): Promise<Surroundings> {
  const [database, sim, chain] = await Promise.all([
    createTestDatabase(),
    startVenueSim({ isListed: isDailyCrypto }),
    startLocalChain({}),
  ]);
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  const store = openStore({ databaseUrl: database.databaseUrl });
  const folder = await mkdtemp(path.join(tmpdir(), 'api-test-'));
  const { databaseUrl } = database;
  const world = localWorldOf({ rpcUrl: chain.rpcUrl, deployment, venue: sim }, 'fill');
  const environment = await serviceEnvironment(world, {
    folder,
    databaseUrl,
    quoteSigner: deployment.roles.quoteSigner,
  });
  await listMarkets(store, sim.url);
  const createPartner = async (name: string, terms = partnerTermsOf()): Promise<NewPartner> => {
    const nowMs = Date.now();
    const record = await store.partners.create({ name, environment: 'sandbox', terms, createdAtMs: nowMs });
    const issued = await store.apiKeys.issue({ partnerId: record.id, environment: 'sandbox', nowMs });
    if (issued.kind !== 'issued') throw new Error('no key was issued');
    return { record, apiKey: issued.secret, apiKeyId: issued.record.id };
  };
  const first = await createPartner('first');
  return {
    store,
    databaseUrl,
    tokenKeysFile: environment['TOKEN_KEYS_FILE'] ?? '',
    createPartner,
    environment,
    userOf: async (api, wallet, apiKey = first.apiKey) => {
      const authorization = `Api-Key ${apiKey}`;
      const answer = await send(`${api.url}/tokens`, { authorization, body: { wallet_address: wallet } });
      return `Bearer ${String(fieldOf(answer.body, 'token'))}`;
    },
    warmBody: (...apis) => warmBody(apis, `Api-Key ${first.apiKey}`),
    close: async () => {
      await store.close();
      await Promise.all([database.close(), sim.close(), chain.close(), rm(folder, { recursive: true })]);
    },
  };
}

/** Markets of a day: the others would end while the tests run, and cost every process a book. */
const isDailyCrypto = ({ category, event }: MarketDraft): boolean =>
  category === 'crypto' && event.series?.recurrence === 'daily';

async function listMarkets(store: Store, venueUrl: string): Promise<void> {
  const nowMs = Date.now();
  const { markets } = await new HttpVenueClient({ url: venueUrl }).cataloguePage({ limit: 100 });
  const listed = markets.filter(
    ({ category, closeTimeMs }) => category === 'crypto' && (closeTimeMs ?? 0) > nowMs + 2 * 3_600_000,
  );
  await new VenueControl(venueUrl).pin(listed.map(({ ticker }) => ticker));
  await store.markets.sync(listed.map(listedMarketOf), nowMs);
  const records = await store.markets.changedSince(0n);
  const tokenIds = records.flatMap(({ yesTokenId, noTokenId }) => [yesTokenId, noTokenId]);
  await store.markets.recordOutcomes(
    tokenIds.map((tokenId, index) => ({ tokenId, outcomeId: index + 1 })),
    nowMs,
  );
  await reportKeeper(store.heartbeats, { nowMs });
}

async function warmBody(apis: readonly ReachedApi[], authorization: string): Promise<Record<string, unknown>> {
  const accepting = await vi.waitFor(
    async () => {
      const lists = await Promise.all(apis.map((api) => acceptingMarkets(api, authorization)));
      const tickers = lists.map((markets) => new Set(markets.map((market) => fieldOf(market, 'ticker'))));
      const market = lists[0]?.find((one) => tickers.every((known) => known.has(fieldOf(one, 'ticker'))));
      if (market === undefined) throw new Error('no market accepts positions in every process yet');
      return market;
    },
    { timeout: 120_000, interval: 500 },
  );
  const side = fieldOf(accepting, 'sided_eligibility', 'yes', 'accepting_new_positions') === true ? 'yes' : 'no';
  return {
    market_ticker: fieldOf(accepting, 'ticker'),
    effective_side: side,
    leverage_bps: 20_000,
    notional_amount_usd_pips: '200000',
    slippage_bps: 1_000,
    allow_revision: true,
  };
}

async function acceptingMarkets(api: ReachedApi, authorization: string): Promise<readonly unknown[]> {
  const answer = await send(`${api.url}/markets?accepting_new_positions=true&limit=100`, { authorization });
  const markets = fieldOf(answer.body, 'data');
  return Array.isArray(markets) ? markets : [];
}
