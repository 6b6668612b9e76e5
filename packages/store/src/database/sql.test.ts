import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/index.ts';
import { startForgetfulProxy } from '../../testing/startForgetfulProxy.ts';
import { isDatabaseFault } from './databaseFault.ts';
import { createPool, type Sql, sqlOfPool, transact } from './sql.ts';

const create = { name: 'test_create', text: 'CREATE TABLE meetings (key text PRIMARY KEY, visits int NOT NULL)' };
const fill = { name: 'test_fill', text: "INSERT INTO meetings VALUES ('a', 0), ('b', 0)" };
const visit = { name: 'test_visit', text: 'UPDATE meetings SET visits = visits + 1 WHERE key = $1' };
const whoAmI = { name: 'test_pid', text: 'SELECT pg_backend_pid() AS pid' };
const kill = { name: 'test_kill', text: 'SELECT pg_terminate_backend($1::int, 5000)' };
const selectMeetings = { name: 'test_read', text: 'SELECT key, visits FROM meetings ORDER BY key' };

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.databaseUrl });
  const sql = sqlOfPool(pool);
  await sql.count(create);
  await sql.count(fill);
});

afterAll(async () => {
  await pool.end();
  await database.close();
});

test('two transactions in a deadlock both commit, each once', async () => {
  let starts = 0;
  let firstVisits = 0;
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const inOrder = (first: string, second: string) => async (sql: Sql) => {
    starts += 1;
    await sql.count(visit, [first]);
    firstVisits += 1;
    // Each holds its first row when it asks for the other's.
    if (firstVisits >= 2) meet();
    await met;
    await sql.count(visit, [second]);
  };
  await Promise.all([transact(pool, inOrder('a', 'b')), transact(pool, inOrder('b', 'a'))]);
  expect(starts).toBe(3);
  expect(await sqlOfPool(pool).rows(selectMeetings)).toEqual([
    { key: 'a', visits: 2 },
    { key: 'b', visits: 2 },
  ]);
});

test('any other failure is thrown at once', async () => {
  let starts = 0;
  const failing = transact(pool, async (sql) => {
    starts += 1;
    await sql.count(fill);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(starts).toBe(1);
});

test('a connection that dies between two statements of a transaction fails it, and nothing else', async () => {
  const before = await sqlOfPool(pool).rows(selectMeetings);
  const cut = transact(pool, async (sql) => {
    await sql.count(visit, ['a']);
    const session = await sql.row<{ readonly pid: number }>(whoAmI);
    await sqlOfPool(pool).row(kill, [session?.pid]);
    // Long enough for the end of the connection to arrive while no statement runs.
    await pause(200);
    await sql.count(visit, ['b']);
  });
  await expect(cut).rejects.toSatisfy(isDatabaseFault);
  expect(await sqlOfPool(pool).rows(selectMeetings)).toEqual(before);
});

test('a silent server fails pending statements; the next one gets a new connection', async () => {
  const proxy = await startForgetfulProxy(database.databaseUrl);
  const behind = createPool({ databaseUrl: proxy.databaseUrl, maxConnections: 1 });
  const sql = sqlOfPool(behind);
  const before = await sql.rows(selectMeetings);
  proxy.isSilent = true;
  await expect(sql.rows(selectMeetings)).rejects.toSatisfy(isDatabaseFault);
  proxy.isSilent = false;
  expect(await sql.rows(selectMeetings)).toEqual(before);
  await behind.end();
  await proxy.close();
});
