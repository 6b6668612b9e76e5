import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/createTestDatabase.ts';
import { openStore } from '../openStore.ts';
import { isDatabaseFault } from './databaseFault.ts';

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('a database that is away, or undoes work for others, failed; a wrong statement did not', async () => {
  const { databaseUrl, close } = await createTestDatabase();
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  expect(isDatabaseFault(await caught(client.query('SELECT nothing_of_this_name')))).toBe(false);
  expect(isDatabaseFault(await caught(client.query('SELECT 1 / 0')))).toBe(false);
  for (const code of ['40001', '40P01', '53100', '53300', '55P03', '57014', '08006']) {
    const raise = `DO $$ BEGIN RAISE EXCEPTION 'of the test' USING ERRCODE = '${code}'; END $$`;
    expect(`${code} ${isDatabaseFault(await caught(client.query(raise)))}`).toBe(`${code} true`);
  }
  expect(isDatabaseFault(await caught(client.query('SELECT pg_terminate_backend(pg_backend_pid())')))).toBe(true);
  expect(isDatabaseFault(await caught(client.query('SELECT 1')))).toBe(true);
  await client.end().catch(() => undefined);
  const unserved = new Client({ connectionString: 'postgres://postgres@127.0.0.1:9/none' });
  expect(isDatabaseFault(await caught(unserved.connect()))).toBe(true);
  const unservedStore = openStore({ databaseUrl: 'postgres://postgres@127.0.0.1:9/none' });
  expect(isDatabaseFault(await caught(unservedStore.partners.list()))).toBe(true);
  await unservedStore.close();
  expect(isDatabaseFault('no error')).toBe(false);
  await close();
});
