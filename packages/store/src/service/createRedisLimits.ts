import type { RedisConnection } from '../database/redisConnection.ts';
import type { LimitBucket, LimitStore } from './limits.ts';
import type { RefusedSubjects } from './refusedSubjects.ts';

/** Fixed window: the first point of a subject starts it. One script, so that count and end belong together. */
const takePoint = `local points = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {points, left}`;

/**
 * Fixed windows in Redis, so all processes that name it share them. While it does not answer, `fallback` counts: the
 * limits of a window may then be used twice, once in each, and no request fails because of it.
 */
export function createRedisLimits(options: {
  readonly connection: RedisConnection;
  /** Keeps the services apart that share a Redis. */
  readonly prefix: string;
  readonly refused: RefusedSubjects;
  readonly fallback: LimitStore;
}): LimitStore {
  const { connection, prefix, refused, fallback } = options;
  const keyOf = ({ name, points, windowMs }: LimitBucket, subject: string): string =>
    `${prefix}:limit:${name}:${points}:${windowMs}:${subject}`;
  return {
    async consume(bucket, subject) {
      const key = keyOf(bucket, subject);
      const refusal = refused.refusalOf(bucket, key);
      if (refusal !== null) return refusal;
      const script = { keys: [key], arguments: [String(bucket.windowMs)] };
      // The connection has reported the failure; the request continues in the database.
      const reply = await connection.run((client) => client.eval(takePoint, script)).catch(() => null);
      const count = takenOf(reply);
      if (count === null) return fallback.consume(bucket, subject);
      return refused.stateOf({ bucket, key }, count);
    },
    refusalOf: (bucket, subject) => refused.refusalOf(bucket, keyOf(bucket, subject)),
    chargeOf: () => null,
    // Redis expires windows; the fallback counts in rows of its own.
    removeExpired: (nowMs, limit) => fallback.removeExpired(nowMs, limit),
  };
}

/** Null for an answer that is not the script's. */
function takenOf(reply: unknown): { readonly points: number; readonly endsAtMs: number } | null {
  if (!Array.isArray(reply)) return null;
  const [points, leftMs]: unknown[] = reply;
  if (typeof points !== 'number' || typeof leftMs !== 'number') return null;
  return { points, endsAtMs: Date.now() + Math.max(0, leftMs) };
}
