import { removeOldest } from '../database/removeOldest.ts';
import { shareStatements } from '../database/shareStatements.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { LimitBucket, LimitState, LimitStore, StatementCharge } from './limits.ts';
import type { RefusedSubjects } from './refusedSubjects.ts';

const charge: Statement = {
  name: 'rate_limits_charge',
  text: 'SELECT points, expire AS "endsAtMs" FROM charge_buckets($1, $2, $3) ORDER BY place',
};
export const removeExpiredWindows = removeOldest({
  name: 'rate_limits_expire',
  table: 'rate_limits',
  column: 'expire',
});

/** Fixed windows in the database, so all processes share them. Charges of the same moment share a statement. */
export function createLimits(sql: Sql, refused: RefusedSubjects): LimitStore {
  const run = async (charges: readonly StatementCharge[]): Promise<readonly LimitState[]> => {
    const values = [charges.map(({ key }) => key), charges.map(({ bucket }) => bucket.windowMs), Date.now()];
    const rows = await sql.rows<{ points: bigint; endsAtMs: bigint }>(charge, values);
    return rows.flatMap(({ points, endsAtMs }, index) => {
      const charged = charges[index];
      if (charged === undefined) return [];
      return [refused.stateOf(charged, { points: Number(points), endsAtMs: Number(endsAtMs) })];
    });
  };
  // The statement counts a key that is named twice as if both had come alone.
  const take = shareStatements({ run, keysOf: () => [] });
  return {
    consume: async (bucket, subject) =>
      refused.refusalOf(bucket, keyOf(bucket, subject)) ?? take(chargeOf(bucket, subject)),
    refusalOf: (bucket, subject) => refused.refusalOf(bucket, keyOf(bucket, subject)),
    chargeOf,
    removeExpired: (nowMs, limit) => sql.count(removeExpiredWindows, [Math.floor(nowMs), limit]),
  };
}

function chargeOf(bucket: LimitBucket, subject: string): StatementCharge {
  return { bucket, key: keyOf(bucket, subject) };
}

/** Return the key of a bucket. A bucket whose size changed with a new release starts again. */
function keyOf({ name, points, windowMs }: LimitBucket, subject: string): string {
  return `${name}:${points}:${windowMs}:${subject}`;
}
