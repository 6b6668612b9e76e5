import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'redis';
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

/** A Redis that has not answered by then is down. */
const commandTimeoutMs = 500;
const connectTimeoutMs = 1_000;
const longestPauseMs = 2_000;

export interface RedisLimits extends LimitStore {
  close(): Promise<void>;
}

/**
 * Fixed windows in Redis, so all processes that name it share them. While it does not answer, `fallback` counts: the
 * limits of a window may then be used twice, once in each, and no request fails because of it.
 */
export function createRedisLimits(options: {
  readonly redisUrl: string;
  /** Keeps the services apart that share a Redis. */
  readonly prefix: string;
  readonly refused: RefusedSubjects;
  readonly fallback: LimitStore;
  readonly onFault: (cause: unknown) => void;
}): RedisLimits {
  const { redisUrl, prefix, refused, fallback, onFault } = options;
  const keyOf = ({ name, points, windowMs }: LimitBucket, subject: string): string =>
    `${prefix}:limit:${name}:${points}:${windowMs}:${subject}`;
  const client = createClient({
    url: redisUrl,
    // A command that cannot be sent fails at once instead of waiting for the connection.
    disableOfflineQueue: true,
    commandOptions: { timeout: commandTimeoutMs },
    socket: {
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: (attempt) => Math.min(longestPauseMs, 50 * 2 ** attempt),
    },
  });
  client.on('error', onFault);
  // Connects until it is closed; the first requests wait for the first attempt.
  const connecting = client.connect().then(
    () => undefined,
    () => undefined,
  );
  const opened = Promise.race([connecting, delay(connectTimeoutMs, undefined, { ref: false })]);
  return {
    async consume(bucket, subject) {
      const known = refused.refusalOf(bucket, keyOf(bucket, subject));
      if (known !== null) return known;
      await opened;
      const reply = await client
        .eval(takePoint, { keys: [keyOf(bucket, subject)], arguments: [String(bucket.windowMs)] })
        .catch(() => null);
      // Whatever went wrong was reported by the client; the request goes on in the database.
      const taken = takenOf(reply);
      if (taken === null) return fallback.consume(bucket, subject);
      return refused.stateOf({ bucket, key: keyOf(bucket, subject) }, taken);
    },
    refusalOf: (bucket, subject) => refused.refusalOf(bucket, keyOf(bucket, subject)),
    chargeOf: () => null,
    // Redis forgets windows by itself; what the fallback counted is in its own rows.
    removeExpired: (nowMs) => fallback.removeExpired(nowMs),
    async close() {
      client.destroy();
      await connecting;
    },
  };
}

/** Null for an answer that is not the script's. */
function takenOf(reply: unknown): { readonly points: number; readonly endsAtMs: number } | null {
  if (!Array.isArray(reply)) return null;
  const [points, leftMs]: unknown[] = reply;
  if (typeof points !== 'number' || typeof leftMs !== 'number') return null;
  return { points, endsAtMs: Date.now() + Math.max(0, leftMs) };
}
