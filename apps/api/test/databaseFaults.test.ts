import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrate, openStore, startEmbeddedPostgres } from '@core/store';
import { createTestDatabase, execute, openTestStore, type TestDatabase } from '@core/store/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { writePosition, writtenPosition } from '../testing/positionWriter.ts';
import { quoteBody } from '../testing/quoteBody.ts';
import { SocketClient } from '../testing/socketClient.ts';
import {
  codeOf,
  fieldOf,
  send,
  startTestApi,
  type TestAnswer,
  type TestApi,
  wallets,
} from '../testing/startTestApi.ts';

let api: TestApi | null = null;
// Held open so that the database server outlives the single tests.
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  await api?.close();
  api = null;
});

const body = { ...quoteBody, notional_amount_usd_pips: '2000000' };

/** Expect the answer of a service whose database is away: retry soon. */
function expectComeBack(answer: TestAnswer): void {
  expect([answer.status, codeOf(answer)]).toEqual([503, 'internal_server_error']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.text).not.toMatch(/postgres|connect|select|disk|stack/i);
}

/** Repeat a request as the answers say, until it is answered. */
async function answered(request: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await request();
    if (answer.status !== 503 || attempt === 120) return answer;
    await delay(250);
  }
}

/** A port that the system gives to no other program while the server is away, and no other test file to its own. */
const mortalPort = 16_000 + (process.pid % 5_000);

/** A PostgreSQL of the test's own, which may be killed. */
async function startMortalDatabase() {
  const folder = await mkdtemp(path.join(tmpdir(), 'api-mortal-'));
  const config = { dataDir: path.join(folder, 'pg'), port: mortalPort };
  let server = await startEmbeddedPostgres(config);
  const { databaseUrl } = server;
  await migrate(databaseUrl);
  return {
    databaseUrl,
    /** As the system would: nothing is flushed and no client is warned. */
    kill: async () => {
      const [pid] = (await readFile(path.join(server.folder, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      await server.ended;
    },
    start: async () => {
      server = await startEmbeddedPostgres(config);
    },
    /** Restart as a standby that follows no primary; return its promotion, after which it takes writes again. */
    demote: async () => {
      await server.close();
      await writeFile(path.join(server.folder, 'standby.signal'), '', { mode: 0o666 });
      const starting = startEmbeddedPostgres(config);
      return async () => {
        await execute(databaseUrl, 'SELECT pg_promote()');
        server = await starting;
      };
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An API on such a database, and a user of it. */
async function apiOnMortalDatabase() {
  const database = await startMortalDatabase();
  const store = openStore({ databaseUrl: database.databaseUrl, redisUrl: process.env['TEST_REDIS_URL'] });
  const close = async (): Promise<void> => {
    await store.close();
    await database.close();
  };
  const service = await startTestApi({ store: { store, close }, limits: 'real' });
  api = service;
  return { database, store, service, authorization: await service.userOf(wallets.alice) };
}

test('F18: PostgreSQL is killed and comes back: 503 meanwhile, then everything that was answered is still true', async () => {
  const { database, store, service, authorization } = await apiOnMortalDatabase();
  const request = { authorization, body, headers: { 'Idempotency-Key': 'before the kill' } };
  const before = await service.call('/quotes', request);
  expect(before.status).toBe(201);
  const market = (await store.markets.changedSince(0n)).find(({ ticker }) => ticker === 'btc-up');
  if (market === undefined) throw new Error('the market is listed');
  const own = { partnerId: service.partners[0]?.record.id ?? '', walletAddress: wallets.alice, market };
  const sockets = service.api.url.replace('http', 'ws').replace('/v1/', '/v1/ws/');
  const client = await new SocketClient(`${sockets}/customer-positions`, {
    headers: { Authorization: authorization },
  }).opened();
  await client.frame('snapshot');

  await database.kill();
  // Nothing a process remembers of a caller is younger than this.
  await delay(600);
  for (const path of ['/positions', '/quotes', '/draft-quotes', '/markets/unknown', '/user-limits']) {
    const request = path.endsWith('quotes') ? { authorization, body } : { authorization };
    expectComeBack(await service.call(path, request));
  }
  // A credential that is not remembered has to be looked up.
  expectComeBack(await service.call('/partner-limits', { authorization: service.keyOf(1) }));
  expect((await send(`${service.api.origin}/healthz`, {})).status).toBe(200);
  expect((await send(`${service.api.origin}/readyz`, {})).status).toBe(503);

  await database.start();
  const replayed = await answered(() => service.call('/quotes', request));
  expect([replayed.status, replayed.text]).toEqual([201, before.text]);
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect((await answered(() => service.call('/positions', { authorization }))).status).toBe(200);
  // The connection outlived the database, and its feed follows again.
  const position = writtenPosition({ ...own, number: 1, status: 'open' });
  await writePosition(store, position, 'position.opened');
  const [event] = await client.events(1);
  expect(event).toMatchObject({ seq: 1, type: 'position.opened' });
  client.end();
});

/** Readiness: status, what is missing and why the database is. */
async function readinessOf(service: TestApi): Promise<readonly unknown[]> {
  const { status, body: shown } = await send(`${service.api.origin}/readyz`, {});
  return [status, fieldOf(shown, 'missing'), fieldOf(shown, 'database_fault')];
}

/** Expect that no route serves while the database takes no writes, and that readiness names it. */
async function expectNoWrites(service: TestApi, authorization: string): Promise<void> {
  await expect.poll(() => readinessOf(service), { timeout: 15_000 }).toEqual([503, ['database'], 'read_only']);
  const paths = ['/markets', '/positions', '/contract-info', '/quotes', '/draft-quotes'];
  for (const path of paths) {
    const request = path.endsWith('quotes') ? { authorization, body } : { authorization };
    expectComeBack(await service.call(path, request));
  }
}

test('F18: the database takes no writes: 503 and not ready by name, and both end with it', async () => {
  const own = await openTestStore();
  const service = await startTestApi({ store: own, limits: 'real' });
  api = service;
  const authorization = await service.userOf(wallets.alice);
  const url = new URL(own.database.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const alter = (change: string) => execute(url.href, `ALTER DATABASE ${name} ${change}`);
  await alter('SET default_transaction_read_only = on');
  await execute(url.href, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  await expectNoWrites(service, authorization);
  await alter('RESET default_transaction_read_only');
  await expect.poll(() => readinessOf(service), { timeout: 15_000 }).toEqual([200, [], null]);
  expect((await answered(() => service.call('/quotes', { authorization, body }))).status).toBe(201);
});

test('F18: the server becomes a standby: 503 and not ready by name, until it is promoted', async () => {
  const { database, service, authorization } = await apiOnMortalDatabase();
  const promote = await database.demote();
  await expectNoWrites(service, authorization);
  await promote();
  await expect.poll(() => readinessOf(service), { timeout: 15_000 }).toEqual([200, [], null]);
  expect((await answered(() => service.call('/quotes', { authorization, body }))).status).toBe(201);
});

test('F18: a migration of another program waits behind a dump: not ready by name and no quotes, until the dump ends', async () => {
  const own = await openTestStore();
  const service = await startTestApi({ store: own, limits: 'real' });
  api = service;
  const authorization = await service.userOf(wallets.alice);
  const { databaseUrl } = own.database;
  // Its statement is ended below.
  const dumping = execute(databaseUrl, 'BEGIN; LOCK TABLE positions IN ACCESS SHARE MODE; SELECT pg_sleep(60)').catch(
    () => 'ended by hand',
  );
  const sleepers = `FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`;
  await expect.poll(() => execute(databaseUrl, `SELECT pid ${sleepers}`)).toHaveLength(1);
  expect((await service.call('/positions', { authorization })).status).toBe(200);
  const altering = execute(databaseUrl, 'ALTER TABLE positions ADD COLUMN probe INTEGER');
  // More than the pool has connections: all of it waits.
  const waiting = Array.from({ length: 12 }, () => service.call('/positions', { authorization }));
  await expect.poll(() => readinessOf(service), { timeout: 15_000 }).toEqual([503, ['database'], 'locked']);
  // Another session's statement waits for the lock, the quote for nothing.
  // A queued quote would wait for five seconds.
  const other = execute(databaseUrl, `SET lock_timeout = '4s'; SELECT id FROM positions`).catch(() => 'gave up');
  const quoting = service.call('/quotes', { authorization, body });
  expect(await Promise.race([other, quoting])).toBe(await quoting);
  expectComeBack(await quoting);
  expect(await other).toBe('gave up');
  await execute(databaseUrl, `SELECT pg_cancel_backend(pid) ${sleepers}`);
  expect(await dumping).toBe('ended by hand');
  await Promise.all([altering, ...waiting]);
  await expect.poll(() => readinessOf(service), { timeout: 15_000 }).toEqual([200, [], null]);
  expect((await service.call('/positions', { authorization })).status).toBe(200);
});

test('F18: with every connection taken requests are refused with 503, and are answered once one is free', async () => {
  const single = await openTestStore(1, null);
  const service = await startTestApi({ store: single });
  api = service;
  const authorization = await service.userOf(wallets.alice);
  expect((await service.call('/positions', { authorization })).status).toBe(200);
  const isTaken = Promise.withResolvers<undefined>();
  const holding = single.store.transaction(async (unit) => {
    await unit.outbox.snapshot();
    await isTaken.promise;
  });
  const refusals = await Promise.all(Array.from({ length: 5 }, () => service.call('/positions', { authorization })));
  for (const answer of refusals) expectComeBack(answer);
  isTaken.resolve(undefined);
  await holding;
  expect((await service.call('/positions', { authorization })).status).toBe(200);
});

// As it says it itself: the disk is full, memory is out, no more connections, files cannot be read, stopped by hand.
test('F18: a server without resources keeps nothing of a quote, and the same request goes through later', async () => {
  const own = await openTestStore();
  const { databaseUrl } = own.database;
  const service = await startTestApi({ store: own });
  api = service;
  const authorization = await service.userOf(wallets.alice);
  const request = { authorization, body, headers: { 'Idempotency-Key': 'the same throughout' } };
  for (const code of [
    '53100',
    '53200',
    '53300',
    '58030',
    '57014',
    '57P01',
    '57P03',
    '25006',
    '25P02',
    '08006',
    '28P01',
  ]) {
    await execute(
      databaseUrl,
      `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'of the test' USING ERRCODE = '${code}'; END $$;
       CREATE OR REPLACE TRIGGER failing BEFORE INSERT ON quotes FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    expectComeBack(await service.call('/quotes', request));
  }
  expect(await execute(databaseUrl, 'SELECT key FROM idempotency_keys')).toEqual([]);
  const scope = { partnerId: service.partners[0]?.record.id ?? '', walletAddress: wallets.alice.toLowerCase() };
  const usage = await own.store.usage.read({ ...scope, marketId: null, clusterKey: null });
  expect(usage.user).toMatchObject({ activeNotionalUsdPips: 0n, inFlightNotionalUsdPips: 0n });
  await execute(databaseUrl, 'DROP TRIGGER failing ON quotes');
  const answer = await service.call('/quotes', request);
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
});
