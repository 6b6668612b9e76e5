import { sampleNowMs } from '@core/position/testing';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/createTestDatabase.ts';
import { openStore } from '../openStore.ts';
import { databaseFaultOf, isDatabaseFault } from './databaseFault.ts';

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const faultsByCode: readonly (readonly [string, string])[] = [
  ['08006', 'unreachable'],
  ['0A000', 'read_only'],
  ['25006', 'read_only'],
  ['25P02', 'session_state'],
  ['28P01', 'access_refused'],
  ['3D000', 'access_refused'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['53100', 'disk_full'],
  ['53300', 'out_of_resources'],
  ['55P03', 'conflict'],
  ['57014', 'stopped'],
  ['57P01', 'stopped'],
  ['57P03', 'stopped'],
  ['58030', 'system_error'],
];

test('databaseFaultOf: names outages and serialization failures, null for a wrong statement', async () => {
  const { databaseUrl, close } = await createTestDatabase();
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  expect(isDatabaseFault(await caught(client.query('SELECT nothing_of_this_name')))).toBe(false);
  expect(isDatabaseFault(await caught(client.query('SELECT 1 / 0')))).toBe(false);
  for (const [code, fault] of faultsByCode) {
    const raise = `DO $$ BEGIN RAISE EXCEPTION 'of the test' USING ERRCODE = '${code}'; END $$`;
    expect(`${code} ${databaseFaultOf(await caught(client.query(raise)))}`).toBe(`${code} ${fault}`);
  }
  await client.query('BEGIN READ ONLY');
  const outcomes = [await caught(client.query('DELETE FROM heartbeats')), await caught(client.query('SELECT 1'))];
  expect(outcomes.map(databaseFaultOf)).toEqual(['read_only', 'session_state']);
  await client.query('ROLLBACK');
  expect(isDatabaseFault(await caught(client.query('SELECT pg_terminate_backend(pg_backend_pid())')))).toBe(true);
  expect(isDatabaseFault(await caught(client.query('SELECT 1')))).toBe(true);
  await client.end().catch(() => undefined);
  const unserved = new Client({ connectionString: 'postgres://postgres@127.0.0.1:9/none' });
  expect(isDatabaseFault(await caught(unserved.connect()))).toBe(true);
  const unservedStore = openStore({ databaseUrl: 'postgres://postgres@127.0.0.1:9/none' });
  expect(isDatabaseFault(await caught(unservedStore.partners.list()))).toBe(true);
  expect(isDatabaseFault('no error')).toBe(false);
  await unservedStore.close();
  await close();
});

const waitingBackends = `SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
  WHERE NOT granted AND datname = current_database()`;

const raiseOnHeartbeat = (code: string) => `
  CREATE OR REPLACE FUNCTION raise_fault() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'of the test' USING ERRCODE = TG_ARGV[0]; END $$;
  CREATE OR REPLACE TRIGGER fault BEFORE INSERT ON heartbeats FOR EACH ROW EXECUTE FUNCTION raise_fault('${code}')`;

test('isDatabaseFault: reads the SQLSTATE behind an error of Prisma', async () => {
  const { databaseUrl, close } = await createTestDatabase();
  const store = openStore({ databaseUrl, maxConnections: 1 });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const report = () => store.heartbeats.report({ name: 'keeper', nowMs: sampleNowMs, succeeded: true });
  for (const [code, fault] of faultsByCode) {
    await client.query(raiseOnHeartbeat(code));
    expect(`${code} ${databaseFaultOf(await caught(report()))}`).toBe(`${code} ${fault}`);
  }
  await client.query(raiseOnHeartbeat('23514'));
  expect(isDatabaseFault(await caught(report()))).toBe(false);
  await client.query('DROP TRIGGER fault ON heartbeats');
  await client.query('BEGIN; LOCK TABLE heartbeats');
  const outcome = caught(report());
  const waitingCount = async () => (await client.query(waitingBackends)).rowCount;
  await expect.poll(waitingCount).toBe(1);
  await client.query(`SELECT pg_terminate_backend(pid) FROM (${waitingBackends}) AS waiting`);
  expect(isDatabaseFault(await outcome)).toBe(true);
  await client.query('ROLLBACK');
  await report();
  expect((await store.heartbeats.all()).map(({ name }) => name)).toEqual(['keeper']);
  await client.end();
  await store.close();
  await close();
});
