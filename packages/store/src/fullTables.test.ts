import { hashOf, sampleNowMs, samplePosition, walletOf } from '@core/position/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { execute, openTestStore, reserveQuote, sampleMarket, sampleReserve, type TestStore } from '../testing/index.ts';
import type { FinalizedQuery } from './market/finalizedMarkets.ts';
import { openStore, type Store } from './openStore.ts';

/** Rows of each table that grows: enough for a scan of all to be the dearest way to a few. */
const rowCount = 8_000;
const partnerId = 'ptn_full';
const walletAddress = walletOf(1);
const owner = { partnerId, walletAddress } as const;

/** A position with as many intents as all others together. */
const oldSubject = hashOf(2_000_000);
const recentlyKept = { authorize_unwind: 5, post_unwind: 2, authorize_close: 3, settle: 1 };

let testStore: TestStore;
let marketId = '';
let databaseUrl = '';
beforeAll(async () => {
  testStore = await openTestStore();
  ({ databaseUrl } = testStore.database);
  const { store } = testStore;
  await store.markets.sync([sampleMarket(1)], sampleNowMs);
  marketId = (await store.markets.byTicker('market-1'))?.id ?? '';
  const position = samplePosition(1, { ...owner, marketId, status: 'open' });
  await store.positions.put({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  await reserveQuote(store, sampleReserve(1, { quote: { ...owner, marketId } }));
  const event = { id: 'evt_1', type: 'position.opened', ...owner, positionId: position.id, marketId: null } as const;
  await store.outbox.append([{ ...event, payload: { position, market: null }, createdAtMs: sampleNowMs }]);
  await store.idempotency.begin({ scope: 's', key: 'k', requestHash: 'h', nowMs: sampleNowMs });
  await store.intents.prepare({
    subject: hashOf(1),
    operation: 'settle',
    attempt: 0,
    plan: {},
    lockName: 'lock',
    fenceToken: 1n,
    nowMs: sampleNowMs,
  });
  const tip = { chainKey: 'full', blockNumber: 1n, blockHash: hashOf(1), finalizedNumber: 1n };
  await store.chain.advance({ cursor: { ...tip, blockTimeMs: sampleNowMs }, blocks: [], events: [] });
  const others = "md5('w' || n % 500)";
  await copies(
    'markets',
    { id: 'id', ticker: 'ticker', venue_market_id: 'venue_market_id' },
    {
      status: "'finalized'",
      title: "'Market ' || n || CASE WHEN n % 2 = 0 THEN ' of Bitcoin' ELSE ' of Ether' END",
      category: "CASE WHEN n % 4000 = 0 THEN 'sport' ELSE 'crypto' END",
      discovered_at: "original.discovered_at + n * interval '1 second'",
      event_ticker: "'event-' || n",
      series_ticker: "'series-' || n % 4",
      yes_token_id: "'y' || n",
      no_token_id: "'n' || n",
      version: 'next_market_version()',
    },
  );
  await copies(
    'positions',
    { id: 'id', position_key: 'position_key' },
    {
      wallet_address: others,
      market_id: "'mkt_' || n",
      venue_token_id: "'t' || n",
      status: "CASE WHEN n % 20 = 0 THEN 'open' ELSE 'closed' END",
      principal_usdc_units: 'CASE WHEN n % 20 = 0 THEN original.principal_usdc_units ELSE 0 END',
      opened_mark_price_pips: 'CASE WHEN n % 400 = 0 THEN NULL ELSE 5000 END',
      created_at: "original.created_at - n * interval '1 second'",
      closed_at: "CASE WHEN n % 20 = 0 THEN NULL ELSE original.created_at - n * interval '1 second' END",
    },
  );
  await copies('quotes', { id: 'id', position_key: 'position_key', digest: 'digest' }, { wallet_address: others });
  await copies(
    'reservations',
    { position_key: 'position_key' },
    {
      state: "CASE WHEN n % 200 = 0 THEN 'live' ELSE 'used' END",
      release_at: "original.release_at + n * interval '1 second'",
    },
  );
  await copies('usage_counters', { key: 'key' }, { active_notional_usd_pips: '1' });
  await copies(
    'outbox_events',
    { id: 'id' },
    {
      wallet_address: others,
      partner_id: "CASE WHEN n % 3 = 0 THEN NULL ELSE 'ptn_' || n % 50 END",
      position_id: "CASE WHEN n % 3 = 0 THEN NULL ELSE 'pos_' || n END",
      market_id: "CASE WHEN n % 3 = 0 THEN 'mkt_' || n END",
      sequence: 'next_outbox_sequence()',
      created_at: "original.created_at + n * interval '1 second'",
    },
  );
  await copies('idempotency_keys', { key: 'key' }, { expires_at: "original.expires_at + n * interval '1 second'" });
  await copies(
    'intents',
    { id: 'id', subject: 'subject' },
    {
      state: "CASE WHEN n % 2 = 0 THEN 'replaced' ELSE 'final' END",
      updated_at: "original.updated_at + n * interval '1 second'",
    },
  );
  // A position on which an order was tried thousands of times.
  await copies(
    'intents',
    {},
    {
      id: "'old-' || n",
      subject: `'${oldSubject}'`,
      operation: "CASE WHEN n % 2 = 0 THEN 'authorize_unwind' ELSE 'post_unwind' END",
      attempt: '(n + 1) / 2',
      created_at: "original.created_at + n * interval '1 second'",
      state: `CASE WHEN n = 1 THEN 'reorged' WHEN n = ${rowCount} THEN 'included' ELSE 'dropped' END`,
    },
  );
  await execute(databaseUrl, 'ANALYZE');
  await store.close();
  // As it is left by the vacuum that comes by itself, whose first round may still have seen a reader.
  await vi.waitUntil(
    async () => {
      await execute(databaseUrl, 'VACUUM markets');
      const [row] = await execute(
        databaseUrl,
        "SELECT relallvisible = relpages AS done FROM pg_class WHERE relname = 'markets'",
      );
      return row?.['done'] === true;
    },
    { timeout: 60_000, interval: 500 },
  );
});
afterAll(() => testStore.database.close());

/** Insert copies of a table's one row, with columns that differ. */
async function copies(
  table: string,
  unique: Readonly<Record<string, string>>,
  changed: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = await execute(
    databaseUrl,
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${table}' ORDER BY ordinal_position`,
  );
  const names = rows.map(({ name }) => String(name));
  const values = names.map((name) =>
    name in unique ? `original."${name}" || '-' || n` : (changed[name] ?? `original."${name}"`),
  );
  await execute(
    databaseUrl,
    `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) SELECT ${values.join(', ')}
     FROM (SELECT * FROM ${table} LIMIT 1) AS original, generate_series(1, ${rowCount}) AS n`,
  );
}

/** Sequential scans of every table that grows, as the server counts them. */
async function scansOf(): Promise<ReadonlyMap<string, number>> {
  const rows = await execute(
    databaseUrl,
    `SELECT relname AS name, seq_scan::int AS count FROM pg_stat_user_tables WHERE n_live_tup >= ${rowCount}`,
  );
  return new Map(rows.map(({ name, count }) => [String(name), Number(count)]));
}

/** Tables that were read whole since then. A session hands in what it counted before it ends. */
async function scannedSince(before: ReadonlyMap<string, number>): Promise<readonly string[]> {
  await vi.waitUntil(
    async () => {
      const others = await execute(
        databaseUrl,
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
           AND pid <> pg_backend_pid()`,
      );
      return others.length === 0;
    },
    { timeout: 30_000 },
  );
  const after = await scansOf();
  return [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
}

/** Rows of a table that were read, whichever way, as the server counts them. */
async function rowsReadOf(table: string): Promise<number> {
  const [row] = await execute(
    databaseUrl,
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_user_tables WHERE relname = '${table}'`,
  );
  return Number(row?.['count']);
}

/** Time at which the last of the replaced intents ended. */
const lastReplacedMs = sampleNowMs + rowCount * 1_000;

type HotQuery = (store: Store) => Promise<unknown>;
let lastNumber = 77_000;
const page = { ...owner, sortBy: 'created_at', sortDirection: 'desc', limit: 25, withTotalCount: false } as const;
const scope = { ...owner, marketId: 'mkt_5', clusterKey: null };
const ownEvents = { kind: 'user', ...owner } as const;
const partnerEvents = { kind: 'partner', partnerId } as const;
const start = { transactionId: 0n, sequence: 0n };

const finalized = { sort: 'ticker', limit: 25, cursor: null, withTotalCount: false } as const;
/** Pages of finalized markets. */
const finalizedQueries: readonly Partial<FinalizedQuery>[] = [
  {},
  { sort: 'discovered' },
  // The few of a category, and the many of a series.
  { category: 'sport' },
  { category: 'sport', sort: 'discovered' },
  { seriesTicker: 'series-3' },
  { seriesTicker: 'series-3', sort: 'discovered' },
  { eventTicker: 'event-7' },
  // Found in half of the titles, in one, in none; as a ticker and as a token.
  { query: 'bitcoin' },
  { query: 'bitcoin', sort: 'discovered' },
  { query: 'market 4711 of' },
  { query: 'nothing of this name' },
  { query: 'qz' },
  { query: '#' },
  { query: 'MARKET-1-77' },
  { query: 'y77' },
  { query: 'market 4711 of', withTotalCount: true },
  { withTotalCount: true },
  { category: 'sport', withTotalCount: true },
  { seriesTicker: 'series-3', withTotalCount: true },
];

/** By aggregate: what requests, connections and rounds of the keeper ask again and again. */
const hotQueries: Readonly<Record<string, readonly HotQuery[]>> = {
  positions: [
    // Positions by creation.
    ({ positions }) => positions.list(page),
    // Positions by end.
    ({ positions }) => positions.list({ ...page, sortBy: 'closed_at' }),
    // Open positions.
    ({ positions }) => positions.list({ ...page, state: 'active' }),
    // Positions of a market.
    ({ positions }) => positions.list({ ...page, ticker: 'market-1' }),
    // Positions counted.
    ({ positions }) => positions.list({ ...page, withTotalCount: true }),
    // One position.
    ({ positions }) => positions.findOwn({ id: 'pos_1', ...owner }),
    // A position by key.
    ({ positions }) => positions.byKey(hashOf(1)),
    // Its transactions.
    ({ positions }) => positions.transactions(hashOf(1)),
    // A snapshot of a wallet.
    ({ positions }) => positions.active({ ...owner, after: null, limit: 100 }),
    // Positions of a finished market.
    ({ positions }) => positions.activeOfMarket('mkt_5'),
  ],
  markets: [
    // A market by ticker.
    ({ markets }) => markets.byTicker('market-1-5'),
    // The version of the markets.
    ({ markets }) => markets.version(),
    // Markets that changed.
    ({ markets }) => markets.changedSince(10n ** 15n),
    // An event of markets.
    ({ markets }) => markets.hasEvent('event-7'),
    // A series of markets.
    ({ markets }) => markets.hasSeries('series-7'),
    ...finalizedQueries.map(
      (query): HotQuery =>
        ({ markets }) =>
          markets.listFinalized({ ...finalized, ...query }),
    ),
    // The total of a search, which is as dear as it has matches.
    ({ markets }) => markets.listFinalized({ ...finalized, query: 'bitcoin', withTotalCount: true }),
  ],
  quotes: [
    // A quote by digest.
    ({ quotes }) => quotes.byDigests([hashOf(1)]),
    // A quote, reserved.
    (unit) => reserveQuote(unit, sampleReserve((lastNumber += 1), { quote: { ...owner, marketId } })),
  ],
  usage: [
    // Usage.
    ({ usage }) => usage.read(scope),
    // Usage of a page.
    ({ usage }) => usage.readMarkets(partnerId, [{ id: 'mkt_5', clusterKey: null }]),
    // Reservations that are due.
    ({ usage }) => usage.dueReservations({ nowMs: sampleNowMs, except: [], limit: 100 }),
  ],
  outbox: [
    // The feed.
    ({ outbox }) => outbox.settledAfter({ transactionId: 10n ** 12n, sequence: 0n }, 500),
    // Events of a wallet.
    ({ outbox }) => outbox.ownAfter({ audience: ownEvents, after: start, upTo: start, limit: 200 }),
    // The last event of a wallet.
    ({ outbox }) => outbox.lastOf(ownEvents),
    // The last event of a partner.
    ({ outbox }) => outbox.lastOf(partnerEvents),
    // The last event of the markets.
    ({ outbox }) => outbox.lastOf({ kind: 'markets' }),
    // The place of an event.
    ({ outbox }) => outbox.placeOf(ownEvents, 'evt_1-9'),
    // Old events.
    ({ outbox }) => outbox.removeOlderThan(0, 100),
  ],
  idempotency: [
    // A key that is used again.
    ({ idempotency }) => idempotency.begin({ scope: 's', key: 'k', requestHash: 'h', nowMs: sampleNowMs }),
    // Keys that are over.
    ({ idempotency }) => idempotency.removeExpired(0, 100),
  ],
  chain: [
    // What the contracts count as well.
    ({ chain }) => chain.counts('full'),
  ],
  intents: [
    // Intents of a position.
    ({ intents }) => intents.ofSubject(hashOf(1), ['settle']),
    // What a look at a position reads of them.
    ({ intents }) => intents.recent(hashOf(1), recentlyKept),
    ({ intents }) => intents.recent(oldSubject, recentlyKept),
    // Intents of the positions that owe.
    ({ intents }) => intents.ofSubjects([hashOf(1), hashOf(2)], 'authorize_unwind'),
    // Intents under way.
    ({ intents }) => intents.inStates(['prepared', 'signed', 'broadcast']),
    // Transactions that are not final, and those that were replaced lately.
    ({ intents }) => intents.followed(lastReplacedMs),
  ],
};

test.each(Object.entries(hotQueries))(
  'with full tables no hot query of %s reads a whole table',
  async (_name, queries) => {
    const before = await scansOf();
    expect(before.size).toBeGreaterThanOrEqual(8);
    const store = openStore({ databaseUrl, maxConnections: 1 });
    // A prepared statement may get another plan from its sixth run on.
    for (let time = 0; time < 7; time += 1) {
      for (const query of queries) await query(store);
    }
    await store.close();
    expect(await scannedSince(before)).toEqual([]);
  },
);

test('finalized: no search reads many rows', async () => {
  for (const query of finalizedQueries) {
    const before = await rowsReadOf('markets');
    const store = openStore({ databaseUrl, maxConnections: 1 });
    await store.markets.listFinalized({ ...finalized, ...query });
    await store.close();
    await scannedSince(new Map());
    const readCount = (await rowsReadOf('markets')) - before;
    expect(`${JSON.stringify(query)} ${readCount < rowCount / 3 ? 'few' : readCount}`).toBe(
      `${JSON.stringify(query)} few`,
    );
  }
});

test('intents of a position: reads few rows, however many exist', async () => {
  const before = await rowsReadOf('intents');
  const store = openStore({ databaseUrl, maxConnections: 1 });
  const times = 10;
  for (let time = 0; time < times; time += 1) {
    const recent = await store.intents.recent(oldSubject, recentlyKept);
    const operations = recent.map(({ operation, attempt }) => `${operation} ${rowCount / 2 - attempt}`);
    const last = ['post_unwind 1', 'authorize_unwind 1', 'post_unwind 0', 'authorize_unwind 0'];
    // One that is under way is read whatever its age.
    const older = [`post_unwind ${rowCount / 2 - 1}`, ...[4, 3, 2].map((number) => `authorize_unwind ${number}`)];
    expect(operations).toEqual([...older, ...last]);
  }
  await store.close();
  await scannedSince(new Map());
  expect((await rowsReadOf('intents')) - before).toBeLessThan(times * 20);
});

test('transactions to follow: reads few rows, however many were replaced', async () => {
  const before = await rowsReadOf('intents');
  const store = openStore({ databaseUrl, maxConnections: 1 });
  const times = 10;
  for (let time = 0; time < times; time += 1) {
    const states = (await store.intents.followed(lastReplacedMs)).map(({ state }) => state);
    expect(states).toEqual(['replaced', 'included']);
  }
  await store.close();
  await scannedSince(new Map());
  expect((await rowsReadOf('intents')) - before).toBeLessThan(times * 20);
});

test('the measure detects a query that reads a whole table', async () => {
  const before = await scansOf();
  await execute(databaseUrl, "SELECT count(*) FROM positions WHERE close_reason = 'none'");
  expect(await scannedSince(before)).toEqual(['positions']);
});
