import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { databaseFaultOf } from './databaseFault.ts';
import { giveWay, migrationPatience } from './giveWay.ts';
import { openSession } from './session.ts';

/** Any 64-bit number does; it only has to be the same in every process of the service. */
const migrationLockKey = 7_261_009_441;

/** First migration: the whole database of version 1.0. */
const release = '20261126000000_release_1_0';
/** Last migration of the unreleased versions before 1.0: a database that has it has the tables of `release`. */
const lastBeforeRelease = '20261125200000_reserve_quotes';

const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Prisma's own record of applied migrations, column for column, so that `prisma migrate deploy` works as well. */
const recordTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Rows that come from another server carry its transactions' numbers, which this one has not reached: events would wait
 * for them. They are all settled, in the order of their sequence.
 */
const settleRestored = `UPDATE outbox_events SET transaction_id = '0'
  WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`;

interface Migration {
  readonly name: string;
  readonly script: string;
  readonly checksum: string;
}

/**
 * Apply the migrations a database has not seen, in order of name, and return those names; a second call returns
 * none. Each one commits together with its record or not at all. Processes that start together wait for each other.
 * A database of the last unreleased version gets the record of `release` alone.
 *
 * Prisma's WebAssembly engine could do this, but its adapter cuts scripts at every semicolon, also inside function
 * bodies.
 * @throws FriendlyError with the sessions that have a lock for too long; Error when a migration that was applied has
 * changed since, because history is added to and never edited.
 */
// Decision: packages/store/DECISIONS.md#a-migration-gives-way-and-holds-a-lock-for-a-moment
export async function migrate(
  databaseUrl: string,
  folder = migrationsFolder,
  patience = migrationPatience,
): Promise<readonly string[]> {
  const client = await openSession({ databaseUrl, settings: { lock_timeout: String(patience.attemptMs) } });
  try {
    const { rows } = await client.query<{ readonly pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid ?? 0;
    const locking = <Result>(name: string, attempt: () => Promise<Result>): Promise<Result> =>
      giveWay({ name, databaseUrl, pid, attempt }, patience);
    await locking('the run', () => client.query('SELECT pg_advisory_lock($1)', [migrationLockKey]));
    await locking('the record', () => client.query(recordTable));
    const record = await readRecord(client);
    const pending = unappliedOf(await readMigrations(folder), record);
    for (const migration of pending) {
      const isMade = migration.name === release && record.has(lastBeforeRelease);
      const pendingOne = isMade ? { ...migration, script: '' } : migration;
      await locking(`migration ${migration.name}`, () => apply(client, pendingOne));
    }
    await locking('the order of restored events', () => client.query(settleRestored));
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Return the names of pending migrations in their order; nothing is applied. @throws as `migrate`. */
export async function pendingMigrations(databaseUrl: string, folder = migrationsFolder): Promise<readonly string[]> {
  const client = await openSession({ databaseUrl });
  try {
    const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NULL AS is_empty`);
    const record = rows[0]?.is_empty === true ? new Map<string, string>() : await readRecord(client);
    return unappliedOf(await readMigrations(folder), record).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Read the migrations. Checkouts may have line ends of Windows: scripts and checksums have those of the repository. */
async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const text = await readFile(path.join(folder, name, 'migration.sql'), 'utf8');
      const script = text.replaceAll('\r\n', '\n');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
}

async function readRecord(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

/** The migrations still to run. */
function unappliedOf(migrations: readonly Migration[], record: ReadonlyMap<string, string>): readonly Migration[] {
  return migrations.filter(({ name, checksum }) => {
    const applied = record.get(name);
    if (applied !== undefined && applied !== checksum) {
      throw new Error(`migration ${name} was edited after it was applied`);
    }
    return applied === undefined;
  });
}

async function apply(client: Client, { name, script, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(script);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
       VALUES ($1, $2, now(), $3, 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (databaseFaultOf(error) === 'conflict') throw error;
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}
