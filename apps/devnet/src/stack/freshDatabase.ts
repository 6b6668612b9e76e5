import { existsSync, readFileSync } from 'node:fs';
import { partnerTermsOf } from '@core/policy';
import { migrate, openStore, type Store } from '@core/store';
import { Client, escapeIdentifier } from 'pg';
import { z } from 'zod';
import type { StateFolder } from './stateFolder.ts';
import { writePrivately } from './writePrivately.ts';

const recordSchema = z.object({ name: z.string().regex(/^lev_[a-z0-9]+$/) });

/** A partner of the local stack with the one key that is ever shown. */
export interface SeededPartner {
  readonly name: string;
  readonly apiKey: string;
}

export interface FreshDatabase {
  readonly databaseUrl: string;
  readonly partners: readonly SeededPartner[];
}

/** Two partners, so that it can be seen that neither sees the other's positions. */
const partnerNames = ['local', 'other'] as const;

/**
 * A new database with all migrations and two partners, on a server that may hold others. The chain forgets everything
 * when it stops, so the database of an earlier start describes nothing any more: it is dropped.
 */
export async function createFreshDatabase(
  serverUrl: string,
  folder: StateFolder,
  nowMs: number,
): Promise<FreshDatabase> {
  const name = `lev_${nowMs.toString(36)}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const earlier = earlierNameOf(folder.database);
    if (earlier !== null) await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(earlier)} WITH (FORCE)`);
    writePrivately(folder.database, `${JSON.stringify({ name })}\n`);
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const databaseUrl = withDatabase(serverUrl, name);
  await migrate(databaseUrl);
  const store = openStore({ databaseUrl, maxConnections: 2 });
  try {
    return { databaseUrl, partners: await seedPartners(store, nowMs) };
  } finally {
    await store.close();
  }
}

async function seedPartners(store: Store, nowMs: number): Promise<readonly SeededPartner[]> {
  const seeded: SeededPartner[] = [];
  for (const name of partnerNames) {
    const terms = partnerTermsOf();
    const partner = await store.partners.create({ name, environment: 'sandbox', terms, createdAtMs: nowMs });
    const issued = await store.apiKeys.issue({ partnerId: partner.id, environment: 'sandbox', nowMs });
    if (issued.kind !== 'issued') throw new Error('a new partner has no key yet');
    seeded.push({ name, apiKey: issued.secret });
  }
  return seeded;
}

function earlierNameOf(file: string): string | null {
  if (!existsSync(file)) return null;
  const parsed = recordSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data.name : null;
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
