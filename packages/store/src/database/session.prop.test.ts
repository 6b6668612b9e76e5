import { sampleNowMs, walletOf } from '@core/position/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestDatabase,
  execute,
  sampleMarket,
  samplePartnerTerms,
  type TestDatabase,
} from '../../testing/index.ts';
import { openStore, type Store } from '../openStore.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/New_York',
  'Asia/Kathmandu',
  // Its offset has seconds before 1972.
  'Africa/Monrovia',
] as const;
const dateStyles = ['ISO, MDY', 'German', 'SQL, DMY', 'Postgres, MDY'] as const;

/** Places that change the defaults of a session, each for one database alone. */
const places = [
  { name: 'the database', prefixOf: (database: string) => `ALTER DATABASE ${database} SET` },
  { name: 'the role', prefixOf: (database: string) => `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET` },
] as const;
interface NamedOptions {
  readonly name: string;
  readonly options: string | null;
}
const commonOptions: readonly NamedOptions[] = [
  { name: 'no options', options: null },
  { name: 'a search path', options: '-c search_path=public -c work_mem=8MB' },
];
const otherZone: NamedOptions = { name: 'another time zone', options: '-c timezone=Asia/Tokyo -c datestyle=German' };

const anyInstant = fc.integer({ min: Date.UTC(1901), max: Date.UTC(2200) });

const epochOf = (table: string, column: string): string =>
  `(SELECT (extract(epoch FROM ${column}) * 1000)::float8 FROM ${table})`;
/** Times as the server has them, whatever the time zone of the session is. */
const storedTimes = `SELECT ${epochOf('markets', 'close_time')} AS close_time,
  ${epochOf('markets', 'latest_enter_at')} AS latest_enter_at,
  ${epochOf('heartbeats', 'last_heartbeat_at')} AS last_heartbeat_at,
  ${epochOf('exit_times', 'changed_at')} AS changed_at, ${epochOf('exit_sales', 'due_at')} AS due_at,
  ${epochOf('service_binding', 'bound_at')} AS bound_at`;

/** Write times by each way of the store, and compare what it reads and what the server has with what was written. */
async function compareTimes(store: Store, databaseUrl: string, instants: readonly [number, number]): Promise<void> {
  const [oneMs, otherMs] = instants;
  const market = sampleMarket(1, { closeTimeMs: oneMs, latestEnterAtMs: otherMs });
  await store.markets.sync([market], sampleNowMs);
  await store.heartbeats.report({ name: 'keeper', nowMs: oneMs, succeeded: true });
  await store.exits.setTime({ category: 'crypto', exitSeconds: 60, changedAtMs: otherMs });
  await store.exits.add([{ positionKey: '0x1', category: 'crypto', dueAtMs: oneMs, durationMs: 5 }]);
  expect(await store.markets.byTicker('market-1')).toMatchObject({
    closeTimeMs: oneMs,
    latestEnterAtMs: otherMs,
    discoveredAtMs: sampleNowMs,
  });
  expect(await store.heartbeats.byName('keeper')).toMatchObject({ lastHeartbeatAtMs: oneMs, lastSuccessAtMs: oneMs });
  expect((await store.exits.times()).map(({ changedAtMs }) => changedAtMs)).toEqual([otherMs]);
  expect(await store.exits.summaries(oneMs, [])).toHaveLength(1);
  expect(await store.exits.summaries(oneMs + 1, [])).toHaveLength(0);
  const [stored] = await execute(databaseUrl, storedTimes);
  expect(stored).toEqual({
    close_time: oneMs,
    latest_enter_at: otherMs,
    last_heartbeat_at: oneMs,
    changed_at: otherMs,
    due_at: oneMs,
    bound_at: sampleNowMs,
  });
  await store.exits.removeOlderThan(oneMs + 1, 10);
  await execute(databaseUrl, 'DELETE FROM markets');
}

describe.each(zones.map((zone, index) => ({ zone, index })))('a server in $zone', ({ zone, index }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { databaseUrl } = database;
    const prefix = places[index % places.length]?.prefixOf(new URL(databaseUrl).pathname.slice(1));
    const dateStyle = dateStyles[index % dateStyles.length] ?? '';
    const defaults = { timezone: zone, datestyle: dateStyle, default_transaction_isolation: 'serializable' };
    const statements = Object.entries(defaults).map(([name, value]) => `${prefix} ${name} TO '${value}'`);
    await execute(databaseUrl, statements.join('; '));
  });
  afterAll(() => database.close());

  test.each(zone === 'UTC' ? [otherZone] : commonOptions)(
    'with $name in the address, every time is read as it was written',
    async ({ options }) => {
      const url = new URL(database.databaseUrl);
      if (options !== null) url.search = `options=${encodeURIComponent(options)}`;
      const store = openStore({ databaseUrl: url.href, maxConnections: 2 });
      try {
        await store.binding.bind({ chainId: 137, vaultAddress: walletOf(1), nowMs: sampleNowMs });
        const property = fc.asyncProperty(fc.tuple(anyInstant, anyInstant), (instants) =>
          compareTimes(store, database.databaseUrl, instants),
        );
        await fc.assert(property, { numRuns: 2 });
        const terms = samplePartnerTerms;
        const name = `of ${options}`;
        const partner = await store.partners.create({ name, environment: 'sandbox', terms, createdAtMs: sampleNowMs });
        expect((await store.partners.byName(name))?.createdAtMs).toBe(sampleNowMs);
        expect((await store.partners.byId(partner.id))?.createdAtMs).toBe(sampleNowMs);
      } finally {
        await store.close();
      }
    },
  );
});
