import { setTimeout as delay } from 'node:timers/promises';
import { sampleNowMs } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';
import { describeHolder, lockedAfterMs } from './lockHolders.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
});

/** Open a session of another program, and return it with its process. */
async function sessionOf(application_name: string) {
  const client = new Client({ connectionString: testStore.database.databaseUrl, application_name });
  // Ended by its server at the end of a test.
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return { client, pid: Number(rows[0].pid) };
}

const named = async () =>
  (await testStore.store.lockHolders()).map(({ table, pid, application }) => ({ table, pid, application }));

test('lockHolders: names the session behind a queue, not those in it; none when it has ended', async () => {
  const dump = await sessionOf('pg_dump');
  const owner = await sessionOf('psql');
  await dump.client.query('BEGIN; LOCK TABLE positions IN ACCESS SHARE MODE');
  const altering = owner.client.query('ALTER TABLE positions ADD COLUMN probe INTEGER').catch(() => undefined);
  const reading = testStore.store.positions.lackingCounts();
  const holder = { table: 'positions', pid: dump.pid, application: 'pg_dump' };
  await expect.poll(named, { timeout: 10_000 }).toEqual([holder]);
  await dump.client.query('COMMIT');
  await Promise.all([altering, reading]);
  expect(await named()).toEqual([]);
});

test('lockHolders: names a lock without a queue, and no lock of rows or of a dump', async () => {
  const { client, pid } = await sessionOf('a stranger');
  const [dump, rows, waiting] = await Promise.all(['pg_dump', 'rows', 'rows'].map(sessionOf));
  if (dump === undefined || rows === undefined || waiting === undefined) throw new Error('three are opened');
  await testStore.store.probeWrite(sampleNowMs);
  await dump.client.query('BEGIN; LOCK TABLE quotes IN ACCESS SHARE MODE');
  await rows.client.query(`BEGIN; UPDATE heartbeats SET detail = '{}'`);
  const behind = [waiting, await sessionOf('rows')].map((other) =>
    other.client.query(`UPDATE heartbeats SET detail = '{}'`),
  );
  await delay(lockedAfterMs + 200);
  expect(await named()).toEqual([]);
  await client.query('BEGIN; LOCK TABLE drafts IN SHARE MODE');
  await expect.poll(named, { timeout: 10_000 }).toEqual([{ table: 'drafts', pid, application: 'a stranger' }]);
  await rows.client.query('COMMIT');
  await Promise.all(behind);
});

test('lockHolders: names no command that waits for another one, when neither keeps statements from the table', async () => {
  const [vacuum, second] = await Promise.all(['vacuumdb', 'psql'].map(sessionOf));
  if (vacuum === undefined || second === undefined) throw new Error('two are opened');
  await vacuum.client.query('BEGIN; LOCK TABLE positions IN SHARE UPDATE EXCLUSIVE MODE');
  const analyzing = second.client.query('ANALYZE positions');
  await delay(lockedAfterMs + 200);
  await testStore.store.positions.lackingCounts();
  expect(await named()).toEqual([]);
  await vacuum.client.query('COMMIT');
  await analyzing;
});

test('lockHolders: names no report that is refreshed', async () => {
  const { client } = await sessionOf('a report');
  await client.query('CREATE MATERIALIZED VIEW report AS SELECT 1 AS one');
  await client.query('BEGIN; REFRESH MATERIALIZED VIEW report');
  await delay(lockedAfterMs + 200);
  expect(await named()).toEqual([]);
  await client.query('COMMIT; DROP MATERIALIZED VIEW report');
});

test('describeHolder: says what the server shows', () => {
  const sinceMs = Date.UTC(2026, 10, 26);
  const dump = { table: 'positions', pid: 7, application: 'pg_dump', sinceMs, query: 'COPY' };
  expect(describeHolder(dump)).toBe(
    'positions is locked by session 7 of pg_dump since 2026-11-26T00:00:00.000Z (COPY)',
  );
  const prepared = { table: null, pid: 0, application: null, sinceMs: null, query: null };
  expect(describeHolder(prepared)).toBe('blocked by a prepared transaction');
});
