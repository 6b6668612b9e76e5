import { createHash, randomBytes } from 'node:crypto';
import { recordsOf, selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { createId } from '../ids.ts';
import type { Environment } from './createPartners.ts';

/** Stored part of a key: enough to recognise it, never enough to use it. */
export interface ApiKeyRecord {
  /** `key_…` */
  readonly id: string;
  readonly partnerId: string;
  readonly environment: Environment;
  /** First characters of the key, to distinguish two keys in a list. */
  readonly prefix: string;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}

/** A key as a list reads it: one that cannot be used does not keep the others out. */
export type ListedApiKey = Omit<ApiKeyRecord, 'environment'>;

export interface NewApiKey {
  readonly partnerId: string;
  readonly environment: Environment;
  readonly nowMs: number;
}

export interface IssuedApiKey {
  readonly record: ApiKeyRecord;
  /** The key itself, `<live|sbx>_skey_<random>`: shown once, stored nowhere. */
  readonly secret: string;
}

export type IssueOutcome =
  | ({ readonly kind: 'issued' } & IssuedApiKey)
  /** Two keys of this environment are active already: revoke one first. */
  | { readonly kind: 'too_many_active_keys' };

/** Spec, Authentication: at most two active keys per environment. */
const maxActiveKeys = 2;
const shownCharacters = 6;
const secretByteLength = 32;
const secretPrefixes: Readonly<Record<Environment, string>> = { production: 'live_skey_', sandbox: 'sbx_skey_' };

const listedFields = ['id', 'partnerId', 'prefix', 'createdAtMs', 'revokedAtMs'] as const;
const listed = recordsOf<ListedApiKey>(listedFields);
/** Every request with an API key runs it. */
const selectByHash: Statement = {
  name: 'api_keys_by_hash',
  text: `SELECT environment, ${selectListOf(listedFields)} FROM api_keys WHERE hash = $1 AND environment = $2`,
};

export function createApiKeys(prisma: PrismaClient, sql: Sql) {
  return {
    /** A new key; at most two of a partner and environment are active at any time, under any concurrency. */
    issue: (request: NewApiKey): Promise<IssueOutcome> =>
      prisma.$transaction(async (unit): Promise<IssueOutcome> => {
        const { partnerId, environment } = request;
        await lockPartner(unit, partnerId);
        const activeCount = await unit.apiKey.count({ where: { partnerId, environment, revokedAt: null } });
        if (activeCount >= maxActiveKeys) return { kind: 'too_many_active_keys' };
        return { kind: 'issued', ...(await issueKey(unit, request)) };
      }),
    /** A new key and, in the same transaction, the end of every other one: after a leak. */
    rotate: (request: NewApiKey): Promise<IssuedApiKey> =>
      prisma.$transaction(async (unit) => {
        const { partnerId, environment, nowMs } = request;
        await lockPartner(unit, partnerId);
        const active = { partnerId, environment, revokedAt: null };
        await unit.apiKey.updateMany({ where: active, data: { revokedAt: new Date(nowMs) } });
        return issueKey(unit, request);
      }),
    /** False when no such key was active. */
    async revoke(id: string, nowMs: number): Promise<boolean> {
      const data = { revokedAt: new Date(nowMs) };
      return (await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data })).count === 1;
    },
    /** All keys of a partner, the oldest first, also those of an environment that is none. */
    listByPartner: (partnerId: string): Promise<readonly ListedApiKey[]> =>
      listed.many(prisma.apiKey.findMany({ where: { partnerId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })),
    /**
     * The active key with this secret in this environment; `revoked` for one that was; null for any other text. One
     * prepared statement on the hash.
     */
    async authenticate(secret: string, environment: Environment): Promise<ApiKeyRecord | 'revoked' | null> {
      const record = await sql.row<ApiKeyRecord>(selectByHash, [hashOf(secret), environment]);
      return record === null || record.revokedAtMs === null ? record : 'revoked';
    },
  };
}

/**
 * Lock the partner, so that two concurrent issues cannot both be the second key.
 * @throws Error for an unknown partner.
 */
async function lockPartner(unit: Prisma.TransactionClient, partnerId: string): Promise<void> {
  const rows: readonly unknown[] = await unit.$queryRaw`SELECT id FROM partners WHERE id = ${partnerId} FOR UPDATE`;
  if (rows.length === 0) throw new Error(`unknown partner: ${partnerId}`);
}

async function issueKey(
  unit: Prisma.TransactionClient,
  { partnerId, environment, nowMs }: NewApiKey,
): Promise<IssuedApiKey> {
  const secret = `${secretPrefixes[environment]}${randomBytes(secretByteLength).toString('base64url')}`;
  const prefix = secret.slice(0, secretPrefixes[environment].length + shownCharacters);
  const key = { id: createId('key', nowMs), partnerId, environment, prefix };
  await unit.apiKey.create({ data: { ...key, hash: hashOf(secret), createdAt: new Date(nowMs) } });
  return { record: { ...key, createdAtMs: nowMs, revokedAtMs: null }, secret };
}

/**
 * Return the hash of a key. Keys are 256 random bits, so an unsalted hash is as good as a slow one and can be looked
 * up.
 */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export type ApiKeyStore = ReturnType<typeof createApiKeys>;
