import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitBucket, LimitStore } from './limits.ts';

/**
 * Fixed windows in the database, so all processes share them. A subject that is over its limit is refused from memory
 * until its window ends: an attacker costs one map lookup, not one statement.
 */
export function createLimits(pool: pg.Pool): LimitStore {
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = (bucket: LimitBucket): RateLimiterPostgres => {
    const id = `${bucket.name}:${bucket.points}:${bucket.windowMs}`;
    let limiter = limiters.get(id);
    if (limiter === undefined) {
      limiter = new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: id,
        points: bucket.points,
        duration: bucket.windowMs / 1_000,
        inMemoryBlockOnConsumed: bucket.points + 1,
      });
      limiters.set(id, limiter);
    }
    return limiter;
  };
  return {
    async consume(bucket, subject) {
      const result = await limiterOf(bucket)
        .consume(subject)
        .catch((refusal: unknown) => {
          if (refusal instanceof RateLimiterRes) {
            return refusal;
          }
          throw refusal;
        });
      return {
        allowed: result.consumedPoints <= bucket.points,
        limit: bucket.points,
        remaining: Math.max(0, result.remainingPoints),
        resetMs: Math.max(0, result.msBeforeNext),
      };
    },
  };
}
