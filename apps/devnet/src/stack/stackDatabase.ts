import { existsSync, readFileSync, rmSync } from 'node:fs';
import { partnerTermsOf } from '@core/policy';
import { FriendlyError, replaceFile } from '@core/runtime';
import { migrate, openStore, type Store } from '@core/store';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { z } from 'zod';
import type { StateFolder } from './state/stateFolder.ts';
import { freshCommand } from './state/stateFolder.ts';

const partnerSchema = z.object({ name: z.string(), apiKey: z.string() });
const recordSchema = z.object({
  name: z.string().regex(/^lev_[a-z0-9]+$/),
  /** Identifier of the chain that the database describes. */
  deploymentId: z.string(),
  /** Missing while the database is being created. */
  partners: z.array(partnerSchema).optional(),
});

type DatabaseRecord = z.infer<typeof recordSchema>;

export interface StackDatabase {
  readonly databaseUrl: string;
  /** Partners with their one key, of which the database has only a hash. */
  readonly partners: readonly z.infer<typeof partnerSchema>[];
}

/** Two partners, which shows that neither sees the positions of the other. */
const partnerNames = ['local', 'other'] as const;
const connectionTimeoutMs = 10_000;
/** SQLSTATE of a database that does not exist. */
const unknownDatabase = '3D000';

/**
 * Open the database of this chain with all migrations and two partners, on a server that may hold others. A database of
 * another chain or an unfinished one is dropped.
 *
 * @throws FriendlyError when the server or the existing database cannot be used.
 */
export async function openStackDatabase(
  serverUrl: string,
  folder: StateFolder,
  { deploymentId, nowMs }: { readonly deploymentId: string; readonly nowMs: number },
): Promise<StackDatabase> {
  const earlier = recordOf(folder.database);
  if (earlier?.partners !== undefined && earlier.deploymentId === deploymentId) {
    const databaseUrl = withDatabase(serverUrl, earlier.name);
    await goOn(databaseUrl, earlier.name);
    return { databaseUrl, partners: earlier.partners };
  }
  const record: DatabaseRecord = { name: `lev_${nowMs.toString(36)}`, deploymentId };
  await replaceDatabase(serverUrl, folder, { earlier: earlier?.name ?? null, record });
  const databaseUrl = withDatabase(serverUrl, record.name);
  await migrate(databaseUrl);
  const store = openStore({ databaseUrl, maxConnections: 2 });
  try {
    const partners = await seedPartners(store, nowMs);
    replaceFile(folder.database, `${JSON.stringify({ ...record, partners })}\n`);
    return { databaseUrl, partners };
  } finally {
    await store.close();
  }
}

/** Check that a PostgreSQL at the address accepts the login. @throws FriendlyError otherwise. */
export async function checkServer(serverUrl: string): Promise<void> {
  await (await connect(serverUrl)).end();
}

/** Drop the database of this folder on an external server. */
export async function dropStackDatabase(serverUrl: string, folder: StateFolder): Promise<void> {
  const record = recordOf(folder.database);
  if (record === null) return;
  const client = await connect(serverUrl);
  try {
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(record.name)} WITH (FORCE)`);
  } finally {
    await client.end();
  }
  rmSync(folder.database, { force: true });
}

async function goOn(databaseUrl: string, name: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (error) {
    // A lock of another session: neither version nor database is at fault.
    if (error instanceof FriendlyError) throw error;
    const reason =
      error instanceof DatabaseError && error.code === unknownDatabase
        ? `is not on the server at ${new URL(databaseUrl).host}: start with the DATABASE_URL of the last start`
        : `cannot be migrated to this version (${error instanceof Error ? error.message : String(error)}): check out its own version`;
    throw new FriendlyError(`The database ${name} ${reason}, or start from scratch with \`${freshCommand}\`.`);
  }
}

async function replaceDatabase(
  serverUrl: string,
  folder: StateFolder,
  { earlier, record }: { readonly earlier: string | null; readonly record: DatabaseRecord },
): Promise<void> {
  const client = await connect(serverUrl);
  try {
    if (earlier !== null) await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(earlier)} WITH (FORCE)`);
    replaceFile(folder.database, `${JSON.stringify(record)}\n`);
    await client.query(`CREATE DATABASE ${escapeIdentifier(record.name)}`);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new FriendlyError(
      `The PostgreSQL at ${new URL(serverUrl).host} refuses (${error.message}): ` +
        'use a DATABASE_URL whose user may create databases, or unset it to use the embedded server.',
    );
  } finally {
    await client.end();
  }
}

/** Connect to a server. @throws FriendlyError when it does not answer or refuses the login. */
async function connect(serverUrl: string): Promise<Client> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: connectionTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const reason = error instanceof Error ? (error.message === '' ? error.name : error.message) : String(error);
    throw new FriendlyError(
      `No usable PostgreSQL at ${new URL(serverUrl).host} (${reason}): ` +
        'start it and check DATABASE_URL, or unset it to use the embedded server.',
    );
  }
}

async function seedPartners(store: Store, nowMs: number): Promise<StackDatabase['partners']> {
  const seeded: z.infer<typeof partnerSchema>[] = [];
  for (const name of partnerNames) {
    const terms = partnerTermsOf();
    const partner = await store.partners.create({ name, environment: 'sandbox', terms, createdAtMs: nowMs });
    const issued = await store.apiKeys.issue({ partnerId: partner.id, environment: 'sandbox', nowMs });
    if (issued.kind !== 'issued') throw new Error('a new partner has no key yet');
    seeded.push({ name, apiKey: issued.secret });
  }
  return seeded;
}

function recordOf(file: string): DatabaseRecord | null {
  if (!existsSync(file)) return null;
  const parsed = recordSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : null;
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
