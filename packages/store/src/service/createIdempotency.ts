import { removeOldest } from '../database/removeOldest.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { IdempotencyKey, PrismaClient } from '../generated/prisma/client.ts';

export interface IdempotencyRequest {
  /** Caller and route: environment, partner, wallet, route. */
  readonly scope: string;
  /** The caller's key, at most 255 characters. */
  readonly key: string;
  /** Hash of the request body. */
  readonly requestHash: string;
  readonly nowMs: number;
}

export type IdempotencyStart =
  | { readonly kind: 'started' }
  | { readonly kind: 'replay'; readonly responseStatus: number; readonly responseBody: string }
  | { readonly kind: 'in_progress' }
  /** The key was used with another body. */
  | { readonly kind: 'reused' };

export interface IdempotencyResult {
  readonly scope: string;
  readonly key: string;
  readonly responseStatus: number;
  readonly responseBody: string;
}

const idempotencyLifetimeMs = 24 * 60 * 60 * 1_000;
/**
 * A process that dies in the middle blocks its key no longer than this. A request that takes longer and its repeat then
 * run side by side, which does no harm: a quote's seed follows from its key, and nothing else a POST does takes room.
 */
export const idempotencyLockMs = 10_000;

/** Takes the key when it is new, expired, or was left by a process that died; one statement, so one of many wins. */
const begin: Statement = {
  name: 'idempotency_begin',
  text: `INSERT INTO idempotency_keys AS held (scope, key, request_hash, state, locked_until, created_at, expires_at)
         VALUES ($1, $2, $3, 'in_progress', $5, $4, $6)
         ON CONFLICT (scope, key) DO UPDATE SET request_hash = EXCLUDED.request_hash, state = 'in_progress',
           response_status = NULL, response_body = NULL, locked_until = EXCLUDED.locked_until,
           created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
         WHERE held.expires_at <= $4 OR (held.state = 'in_progress' AND held.locked_until <= $4
           AND held.request_hash = EXCLUDED.request_hash)
         RETURNING 1 AS claim`,
};
const complete: Statement = {
  name: 'idempotency_complete',
  text: `UPDATE idempotency_keys SET state = 'done', response_status = $3, response_body = $4
         WHERE scope = $1 AND key = $2 AND state = 'in_progress'`,
};
export const removeExpiredKeys = removeOldest({
  name: 'idempotency_expire',
  table: 'idempotency_keys',
  column: 'expires_at',
});

export function createIdempotency(prisma: PrismaClient, sql: Sql) {
  return {
    async begin({ scope, key, requestHash, nowMs }: IdempotencyRequest): Promise<IdempotencyStart> {
      const times = [nowMs, nowMs + idempotencyLockMs, nowMs + idempotencyLifetimeMs].map((ms) => new Date(ms));
      const claim = await sql.row(begin, [scope, key, requestHash, ...times]);
      if (claim !== null) {
        return { kind: 'started' };
      }
      return startOf(await prisma.idempotencyKey.findUnique({ where: { scope_key: { scope, key } } }), requestHash);
    },
    /** Store a 2xx answer for 24 hours. */
    async complete({ scope, key, responseStatus, responseBody }: IdempotencyResult): Promise<void> {
      await sql.count(complete, [scope, key, responseStatus, responseBody]);
    },
    /** The request was refused or failed: nothing is kept. */
    async abandon(scope: string, key: string): Promise<void> {
      await prisma.idempotencyKey.deleteMany({ where: { scope, key, state: 'in_progress' } });
    },
    /** Delete at most `limit` expired keys. Return their number. */
    removeExpired: (nowMs: number, limit: number): Promise<number> =>
      sql.count(removeExpiredKeys, [new Date(nowMs), limit]),
  };
}

function startOf(row: IdempotencyKey | null, requestHash: string): IdempotencyStart {
  if (row === null) {
    // It was abandoned between the two statements: the caller tries again later.
    return { kind: 'in_progress' };
  }
  if (row.requestHash !== requestHash) {
    return { kind: 'reused' };
  }
  if (row.state === 'done' && row.responseStatus !== null && row.responseBody !== null) {
    return { kind: 'replay', responseStatus: row.responseStatus, responseBody: row.responseBody };
  }
  return { kind: 'in_progress' };
}

export type IdempotencyStore = ReturnType<typeof createIdempotency>;
