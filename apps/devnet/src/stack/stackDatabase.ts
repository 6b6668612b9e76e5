import { existsSync, readFileSync, rmSync } from 'node:fs';
import { partnerTermsOf } from '@core/policy';
import { FriendlyError } from '@core/runtime';
import { migrate, openStore, type Store } from '@core/store';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { z } from 'zod';
import type { StateFolder } from './state/stateFolder.ts';
import { freshCommand } from './state/stateFolder.ts';
import { writePrivately } from './state/writePrivately.ts';

const partnerSchema = z.object({ name: z.string(), apiKey: z.string() });
const recordSchema = z.object({
  name: z.string().regex(/^lev_[a-z0-9]+$/),
  /** The chain the database describes. */
  deploymentId: z.string(),
  /** Missing while the database is being made. */
  partners: z.array(partnerSchema).optional(),
});

type DatabaseRecord = z.infer<typeof recordSchema>;

export interface StackDatabase {
  readonly databaseUrl: string;
  /** Each with its one key, which the database itself does not hold. */
  readonly partners: readonly z.infer<typeof partnerSchema>[];
}

/** Two partners, so that it can be seen that neither sees the other's positions. */
const partnerNames = ['local', 'other'] as const;
const connectionTimeoutMs = 10_000;
/** SQLSTATE of a database that does not exist. */
const unknownDatabase = '3D000';

/**
 * The database of this chain with all migrations and two partners, on a server that may hold others. One that describes
 * another chain, or was never finished, describes nothing any more: it is dropped.
 * @throws FriendlyError when the server cannot be used, or what was there cannot be gone on with.
 */
export async function openStackDatabase(
  serverUrl: string,
  folder: StateFolder,
  { deploymentId, nowMs }: { readonly deploymentId: string; readonly nowMs: number },
): Promise<StackDatabase> {
  const kept = recordOf(folder.database);
  if (kept?.partners !== undefined && kept.deploymentId === deploymentId) {
    const databaseUrl = withDatabase(serverUrl, kept.name);
    await goOn(databaseUrl, kept.name);
    return { databaseUrl, partners: kept.partners };
  }
  const record: DatabaseRecord = { name: `lev_${nowMs.toString(36)}`, deploymentId };
  await replaceDatabase(serverUrl, folder, { earlier: kept?.name ?? null, record });
  const databaseUrl = withDatabase(serverUrl, record.name);
  await migrate(databaseUrl);
  const store = openStore({ databaseUrl, maxConnections: 2 });
  try {
    const partners = await seedPartners(store, nowMs);
    writePrivately(folder.database, `${JSON.stringify({ ...record, partners })}\n`);
    return { databaseUrl, partners };
  } finally {
    await store.close();
  }
}

/** @throws FriendlyError when no PostgreSQL that lets us in answers at the address. */
export async function checkServer(serverUrl: string): Promise<void> {
  await (await connect(serverUrl)).end();
}

/** Drops the database of this folder, on a server that is not the folder's own. */
export async function dropStackDatabase(serverUrl: string, folder: StateFolder): Promise<void> {
  const kept = recordOf(folder.database);
  if (kept === null) return;
  const client = await connect(serverUrl);
  try {
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(kept.name)} WITH (FORCE)`);
  } finally {
    await client.end();
  }
  rmSync(folder.database, { force: true });
}

async function goOn(databaseUrl: string, name: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (error) {
    const reason =
      error instanceof DatabaseError && error.code === unknownDatabase
        ? `is not on the server at ${new URL(databaseUrl).host}: start with the DATABASE_URL of the last start`
        : `cannot be brought to this version (${error instanceof Error ? error.message : String(error)}): check out the version it is of`;
    throw new FriendlyError(`The database ${name} ${reason}, or begin anew with \`${freshCommand}\`.`);
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
    writePrivately(folder.database, `${JSON.stringify(record)}\n`);
    await client.query(`CREATE DATABASE ${escapeIdentifier(record.name)}`);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new FriendlyError(
      `The PostgreSQL at ${new URL(serverUrl).host} refuses (${error.message}): ` +
        'give DATABASE_URL a user that may create databases, or leave it out to use the embedded server.',
    );
  } finally {
    await client.end();
  }
}

/** @throws FriendlyError when the server does not answer or does not let us in. */
async function connect(serverUrl: string): Promise<Client> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: connectionTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    const reason = error instanceof Error ? (error.message === '' ? error.name : error.message) : String(error);
    throw new FriendlyError(
      `No PostgreSQL can be used at ${new URL(serverUrl).host} (${reason}): ` +
        'start it and check DATABASE_URL, or leave DATABASE_URL out to use the embedded server.',
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
