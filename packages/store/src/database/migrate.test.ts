import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { positionFields } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/index.ts';
import { openSchemaEngine, prismaFolder } from '../../testing/schemaEngine.ts';
import { columnOf, fieldNamesOf, insertTextOf, valuesOf } from './columns.ts';
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

test('repeated and concurrent runs apply nothing', async () => {
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

test('refuses an edited migration; a failing one leaves nothing', async () => {
  const { client, databaseUrl } = await connect();
  await client.query(`UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%release%'`);
  await expect(migrate(databaseUrl)).rejects.toThrow(/edited/);
  await client.query('DELETE FROM _prisma_migrations');
  await expect(migrate(databaseUrl)).rejects.toThrow(/failed/);
  expect((await client.query('SELECT 1 FROM _prisma_migrations')).rowCount).toBe(0);
});

test('a checkout with line ends of Windows has nothing to apply, and migrates an empty database to the same record', async () => {
  const { client, databaseUrl } = await connect();
  const folder = await mkdtemp(path.join(tmpdir(), 'store-crlf-'));
  await cp(path.join(prismaFolder, 'migrations'), folder, { recursive: true });
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const file = path.join(folder, entry.name, 'migration.sql');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\n', '\r\n'));
  }
  const record = 'SELECT migration_name, checksum FROM _prisma_migrations ORDER BY migration_name';
  const { rows } = await client.query(record);
  expect(await pendingMigrations(databaseUrl, folder)).toEqual([]);
  expect(await migrate(databaseUrl, folder)).toEqual([]);
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  expect(await migrate(databaseUrl, folder)).toHaveLength(rows.length);
  expect((await client.query(record)).rows).toEqual(rows);
  await rm(folder, { recursive: true, force: true });
});

const release = '20261126000000_release_1_0';

/** A database that has the release migration alone, recorded under a name, with one position. */
async function releaseDatabase(recordedName: string) {
  const { client, databaseUrl } = await connect();
  const { rows } = await client.query('SELECT checksum FROM _prisma_migrations WHERE migration_name = $1', [release]);
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await client.query(await readFile(path.join(prismaFolder, 'migrations', release, 'migration.sql'), 'utf8'));
  await client.query(`CREATE TABLE _prisma_migrations (
    id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255),
    logs text, rolled_back_at timestamptz, started_at timestamptz DEFAULT now(), applied_steps_count int)`);
  await client.query(
    'INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name) VALUES (gen_random_uuid(), $1, now(), $2)',
    [rows[0]?.checksum, recordedName],
  );
  const { rows: columns } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns WHERE table_name = 'positions'`,
  );
  const names = new Set(columns.map(({ column_name }) => column_name));
  const fields = fieldNamesOf(positionFields).filter((field) => names.has(columnOf(field)));
  await client.query(insertTextOf('positions', fields), valuesOf(fields, samplePosition(1)));
  return { client, databaseUrl };
}

test.each([
  ['the release', release],
  ['the last version before the release', '20261125200000_reserve_quotes'],
])('a database of %s is upgraded and keeps its rows', async (_version, recordedName) => {
  const { client, databaseUrl } = await releaseDatabase(recordedName);
  const pending = await pendingMigrations(databaseUrl);
  expect(await migrate(databaseUrl)).toEqual(pending);
  expect(pending.includes(release)).toBe(recordedName !== release);
  expect((await client.query(describeTables)).rows).toEqual((await migrated.client.query(describeTables)).rows);
  const { rows } = await client.query('SELECT id FROM positions');
  expect(rows).toEqual([{ id: samplePosition(1).id }]);
  expect(await migrate(databaseUrl)).toEqual([]);
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
