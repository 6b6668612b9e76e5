import { type Pool, type QueryConfig, types } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitBucket, LimitStore } from './limits.ts';

/**
 * Fixed windows in the database, so all processes share them. A subject that is over its limit is refused from memory
 * until its window ends: an attacker costs one map lookup, not one statement.
 */
export function createLimits(pool: Pool): LimitStore {
  // The limiter computes with JavaScript numbers, so its rows keep pg's own types.
  const storeClient = {
    query: (config: QueryConfig) => pool.query({ ...config, types: { getTypeParser: types.getTypeParser } }),
  };
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = (bucket: LimitBucket): RateLimiterPostgres => {
    const id = `${bucket.name}:${bucket.points}:${bucket.windowMs}`;
    let limiter = limiters.get(id);
    if (limiter === undefined) {
      limiter = new RateLimiterPostgres({
        storeClient,
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
      // A subject refused from memory has no count of its own: that it was refused is all there is to know.
      let allowed = true;
      const result = await limiterOf(bucket)
        .consume(subject)
        .catch((refusal: unknown) => {
          if (refusal instanceof RateLimiterRes) {
            allowed = false;
            return refusal;
          }
          throw refusal;
        });
      return {
        allowed,
        limit: bucket.points,
        remaining: Math.max(0, result.remainingPoints),
        resetMs: Math.max(0, result.msBeforeNext),
      };
    },
    async removeExpired(nowMs) {
      const { rowCount } = await pool.query({
        name: 'rate_limits_expire',
        text: 'DELETE FROM rate_limits WHERE expire <= $1',
        values: [Math.floor(nowMs)],
      });
      return rowCount ?? 0;
    },
  };
}
