import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { positionFields } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/index.ts';
import { openSchemaEngine, prismaFolder } from '../../testing/schemaEngine.ts';
import { fieldNamesOf, insertTextOf, valuesOf } from './columns.ts';
import { migrate, pendingMigrations } from './migrate.ts';

const databases: TestDatabase[] = [];
const connect = async (): Promise<{ client: Client; databaseUrl: string }> => {
  const database = await createTestDatabase();
  databases.push(database);
  const client = new Client({ connectionString: database.databaseUrl });
  await client.connect();
  clients.push(client);
  return { client, databaseUrl: database.databaseUrl };
};
const clients: Client[] = [];

/**
 * Every column, index and key of the public schema as text, without Prisma's own record. A Prisma schema has no words
 * for a partial index; the plans of the queries that need one are tested instead.
 */
const describeTables = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' '
    || coalesce(column_default, '') || ' ' || coalesce(datetime_precision::text, '') AS line
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
  UNION ALL
  SELECT 'index ' || indexdef FROM pg_indexes
  WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' AND indexdef NOT LIKE '% WHERE %'
  ORDER BY line`;

let migrated: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  migrated = await connect();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await Promise.all(databases.map((database) => database.close()));
});

test('a second run, and many at once, apply nothing', async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(migrated.databaseUrl)));
  expect(runs).toEqual([[], [], [], []]);
});

test('an empty database gets every migration once, in order, from racing processes', async () => {
  const { client, databaseUrl } = await connect();
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const pending = await pendingMigrations(databaseUrl);
  const runs = await Promise.all([migrate(databaseUrl), migrate(databaseUrl)]);
  const { rows } = await client.query('SELECT migration_name FROM _prisma_migrations ORDER BY started_at');
  expect(runs.flat()).toEqual(rows.map((row) => row.migration_name));
  expect(runs.flat()).toEqual(pending);
  expect(await pendingMigrations(databaseUrl)).toEqual([]);
  expect(pending).toEqual(pending.toSorted());
});

test('an edited migration is refused and a failing one leaves nothing', async () => {
  const { client, databaseUrl } = await connect();
  await client.query(`UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%tables'`);
  await expect(migrate(databaseUrl)).rejects.toThrow(/edited/);
  await client.query('DELETE FROM _prisma_migrations');
  await expect(migrate(databaseUrl)).rejects.toThrow(/failed/);
  expect((await client.query('SELECT 1 FROM _prisma_migrations')).rowCount).toBe(0);
});

test('a position from before a column was added has nothing that waits', async () => {
  const { client, databaseUrl } = await connect();
  await client.query(`ALTER TABLE positions DROP COLUMN deferred_usdc_units;
    DELETE FROM _prisma_migrations WHERE migration_name LIKE '%deferred_payments'`);
  const fields = fieldNamesOf(positionFields).filter((field) => field !== 'deferredUsdcUnits');
  await client.query(insertTextOf('positions', fields), valuesOf(fields, samplePosition(1)));
  expect(await migrate(databaseUrl)).toEqual(['20261121060000_deferred_payments']);
  const { rows } = await client.query('SELECT deferred_usdc_units FROM positions');
  expect(rows).toEqual([{ deferred_usdc_units: '0' }]);
});

test('the migrations make exactly the tables of the Prisma schema', async () => {
  const { client, databaseUrl } = await connect();
  await client.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public;
    CREATE FUNCTION next_outbox_sequence() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
    CREATE FUNCTION next_market_version() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'`);
  const content = await readFile(path.join(prismaFolder, 'schema.prisma'), 'utf8');
  const engine = await openSchemaEngine(databaseUrl);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  engine.free();
  await client.query(stdout ?? '');
  const fromSchema = await client.query(describeTables);
  const fromMigrations = await migrated.client.query(describeTables);
  expect(fromMigrations.rows).toEqual(fromSchema.rows);
  expect(fromSchema.rows.length).toBeGreaterThan(100);
});
