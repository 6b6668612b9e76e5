import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, execute, type TestDatabase } from '../../testing/index.ts';
import { prismaFolder } from '../../testing/schemaEngine.ts';
import { pausesOf } from './giveWay.ts';
import { migrate, pendingMigrations } from './migrate.ts';

const probe = '20991231000000_probe';
let folder: string;
let database: TestDatabase;
/** Session with a lock of the weakest kind on `positions`, as a dump has it. */
let dump: Client;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-waits-'));
  await cp(path.join(prismaFolder, 'migrations'), folder, { recursive: true });
  await mkdir(path.join(folder, probe));
  await writeFile(path.join(folder, probe, 'migration.sql'), 'ALTER TABLE positions ADD COLUMN probe INTEGER;\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  database = await createTestDatabase();
  dump = new Client({ connectionString: database.databaseUrl, application_name: 'pg_dump' });
  await dump.connect();
  await dump.query('BEGIN; LOCK TABLE positions IN ACCESS SHARE MODE');
});
afterEach(async () => {
  await dump.end();
  await database.close();
});

/** Wait until a session waits for a lock. */
const someSessionWaits = () =>
  expect
    .poll(() => execute(database.databaseUrl, 'SELECT pid FROM pg_locks WHERE NOT granted'), { interval: 5 })
    .not.toEqual([]);

test('migrate: behind a dump it gives way to statements, and applies when the dump has ended', async () => {
  const events: string[] = [];
  let reading: Promise<unknown> = Promise.resolve();
  const pause = async (): Promise<void> => {
    await reading;
    if (!events.includes('read')) return;
    events.push('dump ends');
    await dump.query('COMMIT');
  };
  const migrating = migrate(database.databaseUrl, folder, { attemptMs: 1_000, totalMs: 60_000, pause });
  await someSessionWaits();
  // It has queued behind the migration.
  reading = execute(database.databaseUrl, 'SELECT id FROM positions').then(() => events.push('read'));
  expect(await migrating).toEqual([probe]);
  expect(events).toEqual(['read', 'dump ends']);
});

test('migrate: behind a dump that does not end it fails with the session, records nothing, and can be run again', async () => {
  const { databaseUrl } = database;
  const { pid } = (await dump.query('SELECT pg_backend_pid() AS pid')).rows[0];
  const failed = migrate(databaseUrl, folder, { attemptMs: 100, totalMs: 500, pause: async () => undefined });
  await expect(failed).rejects.toMatchObject({ name: 'FriendlyError' });
  await expect(failed).rejects.toThrow(`${probe} waited`);
  await expect(failed).rejects.toThrow(`positions is locked by session ${pid} of pg_dump since `);
  await expect(failed).rejects.toThrow('(SELECT pg_backend_pid() AS pid)');
  expect(await pendingMigrations(databaseUrl, folder)).toEqual([probe]);
  await dump.query('COMMIT');
  expect(await migrate(databaseUrl, folder)).toEqual([probe]);
  expect(await execute(databaseUrl, 'SELECT probe FROM positions')).toEqual([]);
});

test('migrate: the session that looks for the reason ends early → the migration fails by its own wait all the same', async () => {
  const { databaseUrl } = database;
  const failed = migrate(databaseUrl, folder, { attemptMs: 2_000, totalMs: 2_000, pause: async () => undefined });
  const failure = failed.catch((cause: unknown) => cause);
  await someSessionWaits();
  const ended = `SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
    WHERE query LIKE '%pg_blocking_pids%' AND pid <> pg_backend_pid() AND datname = current_database()`;
  await expect.poll(() => execute(databaseUrl, ended), { interval: 5 }).toEqual([{ done: true }]);
  expect(await failure).toMatchObject({ name: 'FriendlyError' });
});

test('migrate: a run that another one keeps out fails with its session', async () => {
  const { databaseUrl } = database;
  const { pid } = (await dump.query('SELECT pg_backend_pid() AS pid')).rows[0];
  // Ends in a pause of its own, with the lock that keeps other runs out.
  const isEnded = Promise.withResolvers<void>();
  const isPausing = Promise.withResolvers<void>();
  const pause = (): Promise<void> => {
    isPausing.resolve();
    return isEnded.promise;
  };
  const first = migrate(databaseUrl, folder, { attemptMs: 50, totalMs: 5_000, pause });
  await isPausing.promise;
  const second = migrate(databaseUrl, folder, { attemptMs: 50, totalMs: 50, pause });
  await expect(second).rejects.toThrow(/the run waited .* blocked by session \d+/);
  await expect(second).rejects.not.toThrow(`session ${pid} `);
  await dump.query('COMMIT');
  isEnded.resolve();
  expect(await first).toEqual([probe]);
});

test('pausesOf: attempts and pauses fit the whole, and statements have at least half of it', () => {
  expect(pausesOf({ attemptMs: 1_000, totalMs: 60_000 })).toEqual([
    1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000,
  ]);
  const property = fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(600_000), (attemptMs, totalMs) => {
    const pauses = pausesOf({ attemptMs, totalMs });
    const pausedMs = pauses.reduce((sum, pauseMs) => sum + pauseMs, 0);
    expect(pausedMs + (pauses.length + 1) * attemptMs).toBeLessThanOrEqual(Math.max(attemptMs, totalMs));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(attemptMs);
  });
  fc.assert(property);
});

/** Migrations that were released before the rule. */
const olderThanTheRule = new Set(['intents_state_updated_at_idx']);
const files = `SELECT class.relname AS name, owner.relname AS "table", pg_relation_filenode(class.oid) AS file
  FROM pg_class AS class LEFT JOIN pg_index ON indexrelid = class.oid
    LEFT JOIN pg_class AS owner ON owner.oid = indrelid
  WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'i')`;

// Decision: packages/store/DECISIONS.md#a-migration-gives-way-and-holds-a-lock-for-a-moment
test('migrations after the release rewrite no table that existed before, and build no index on one', async () => {
  const { databaseUrl } = database;
  await dump.query('COMMIT');
  await execute(databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const names = (await readdir(folder)).filter((entry) => /^\d/.test(entry)).sort();
  const long: unknown[] = [];
  for (const [index, name] of names.entries()) {
    const before = await execute(databaseUrl, files);
    await execute(databaseUrl, await readFile(path.join(folder, name, 'migration.sql'), 'utf8'));
    if (index === 0) continue;
    for (const relation of await execute(databaseUrl, files)) {
      const earlier = before.find((other) => other['name'] === relation['name']);
      const isNewIndex = earlier === undefined && before.some((other) => other['name'] === relation['table']);
      if (isNewIndex || (earlier !== undefined && earlier['file'] !== relation['file'])) long.push(relation['name']);
    }
  }
  expect(long.filter((name) => !olderThanTheRule.has(String(name)))).toEqual([]);
  expect(long).toHaveLength(olderThanTheRule.size);
});
