import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, openTestStore, type TestStore } from '../../testing/index.ts';
import { openStore } from '../openStore.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

/** Probe a database as a program does, and return what its metrics show before and after. */
async function probed(databaseUrl: string): Promise<readonly unknown[]> {
  const store = openStore({ databaseUrl, maxConnections: 1 });
  const before = store.connections().database;
  const outcome = await store.probeWrite(1_700_000_000_000).then(
    () => 'written',
    () => 'refused',
  );
  const after = store.connections().database;
  await store.close();
  return [before, outcome, after];
}

test('probe: unknown before it, then the state of the database', async () => {
  const { databaseUrl } = testStore.database;
  expect(await probed(databaseUrl)).toEqual([null, 'written', 'ok']);
  expect(await probed('postgres://lev@127.0.0.1:9/lev')).toEqual([null, 'refused', 'unreachable']);
});

test('probe: a database without room for a file takes no writes, though a row can be updated', async () => {
  const { databaseUrl } = testStore.database;
  const name = new URL(databaseUrl).pathname.slice(1);
  await execute(databaseUrl, `ALTER DATABASE "${name}" SET temp_file_limit = 0`);
  const store = openStore({ databaseUrl, maxConnections: 1 });
  await store.heartbeats.report({ name: 'row', nowMs: 1_700_000_000_000, succeeded: true, detail: {} });
  await store.close();
  expect(await probed(databaseUrl)).toEqual([null, 'refused', 'unwritable']);
  await execute(databaseUrl, `ALTER DATABASE "${name}" RESET temp_file_limit`);
  expect(await probed(databaseUrl)).toEqual([null, 'written', 'ok']);
});

test('probe: a standby takes no writes', async () => {
  const { databaseUrl } = testStore.database;
  const name = new URL(databaseUrl).pathname.slice(1);
  await execute(databaseUrl, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  expect(await probed(databaseUrl)).toEqual([null, 'refused', 'unwritable']);
});
