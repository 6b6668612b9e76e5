import { createHash, randomBytes } from 'node:crypto';
import { selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';
import type { ApiKeyRecord, ApiKeyStore, IssuedApiKey, NewApiKey } from './apiKeys.ts';
import type { Environment } from './partners.ts';

/** Spec, Authentication: at most two active keys per environment. */
const maxActiveKeys = 2;
const shownCharacters = 6;
const secretByteLength = 32;
const secretPrefixes: Readonly<Record<Environment, string>> = { production: 'live_skey_', sandbox: 'sbx_skey_' };

const fields = ['id', 'partnerId', 'environment', 'prefix', 'createdAtMs', 'revokedAtMs'] as const;
const columns = selectListOf(fields);

const lockPartner: Statement = {
  name: 'api_keys_lock',
  text: 'SELECT id FROM partners WHERE id = $1 FOR UPDATE',
};
const countActive: Statement = {
  name: 'api_keys_count',
  text: `SELECT count(*) AS "activeCount" FROM api_keys
         WHERE partner_id = $1 AND environment = $2 AND revoked_at IS NULL`,
};
const insert: Statement = {
  name: 'api_keys_insert',
  text: `INSERT INTO api_keys (id, partner_id, environment, hash, prefix, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
};
const revokeOthers: Statement = {
  name: 'api_keys_revoke_others',
  text: `UPDATE api_keys SET revoked_at = $3 WHERE partner_id = $1 AND environment = $2 AND revoked_at IS NULL`,
};
const revokeOne: Statement = {
  name: 'api_keys_revoke',
  text: 'UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL',
};
const selectByPartner: Statement = {
  name: 'api_keys_by_partner',
  text: `SELECT ${columns} FROM api_keys WHERE partner_id = $1 ORDER BY created_at, id`,
};
const selectByHash: Statement = {
  name: 'api_keys_by_hash',
  text: `SELECT ${columns} FROM api_keys WHERE hash = $1 AND environment = $2`,
};

export function createApiKeys(
  sql: Sql,
  transact: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>,
): ApiKeyStore {
  return {
    issue: (request) =>
      transact(async (unit) => {
        await lock(unit, request.partnerId);
        const row = await unit.row<{ activeCount: bigint }>(countActive, [request.partnerId, request.environment]);
        if (row === null || row.activeCount >= maxActiveKeys) {
          return { kind: 'too_many_active_keys' };
        }
        return { kind: 'issued', ...(await issueKey(unit, request)) };
      }),
    rotate: (request) =>
      transact(async (unit) => {
        await lock(unit, request.partnerId);
        await unit.count(revokeOthers, [request.partnerId, request.environment, new Date(request.nowMs)]);
        return issueKey(unit, request);
      }),
    async revoke(id, nowMs) {
      return (await sql.count(revokeOne, [id, new Date(nowMs)])) === 1;
    },
    listByPartner: (partnerId) => sql.rows<ApiKeyRecord>(selectByPartner, [partnerId]),
    async authenticate(secret, environment) {
      const record = await sql.row<ApiKeyRecord>(selectByHash, [hashOf(secret), environment]);
      return record === null || record.revokedAtMs === null ? record : 'revoked';
    },
  };
}

/** Issuing takes turns per partner, so that two at once cannot both be the second key. */
async function lock(sql: Sql, partnerId: string): Promise<void> {
  if ((await sql.row(lockPartner, [partnerId])) === null) {
    throw new Error(`unknown partner: ${partnerId}`);
  }
}

async function issueKey(sql: Sql, { partnerId, environment, nowMs }: NewApiKey): Promise<IssuedApiKey> {
  const secret = `${secretPrefixes[environment]}${randomBytes(secretByteLength).toString('base64url')}`;
  const prefix = secret.slice(0, secretPrefixes[environment].length + shownCharacters);
  const values = [createId('key', nowMs), partnerId, environment, hashOf(secret), prefix, new Date(nowMs)];
  const record = await sql.row<ApiKeyRecord>(insert, values);
  if (record === null) {
    throw new Error('the key was not stored');
  }
  return { record, secret };
}

/** Keys are 256 random bits, so one unsalted hash is as good as a slow one and can be looked up. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
