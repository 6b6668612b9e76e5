import { defaultMarketShareCount, marketShareCounts } from '@core/runtime';
import type { Sql, Statement } from '../database/sql.ts';

const select: Statement = { name: 'sharing_select', text: 'SELECT share_count AS "shareCount" FROM market_sharing' };
/** The same count again changes nothing. */
const put: Statement = {
  name: 'sharing_put',
  text: `INSERT INTO market_sharing AS current (id, share_count, changed_at) VALUES (1, $1, $2)
         ON CONFLICT (id) DO UPDATE SET share_count = excluded.share_count, changed_at = excluded.changed_at
         WHERE current.share_count <> excluded.share_count`,
};

export function createSharing(sql: Sql) {
  return {
    /** Return the number of shares that all keepers of the database divide the markets into. */
    async shareCount(): Promise<number> {
      const row = await sql.row<{ shareCount: number }>(select);
      return row?.shareCount ?? defaultMarketShareCount;
    },
    /**
     * Set the number of shares. Running keepers read it twice a second and move to it share by share.
     * @throws RangeError for anything but one of `marketShareCounts`.
     */
    async setShareCount(shareCount: number, nowMs: number): Promise<void> {
      if (!marketShareCounts.includes(shareCount)) {
        throw new RangeError(`expected one of ${marketShareCounts.join(', ')}, got ${shareCount}`);
      }
      await sql.count(put, [shareCount, new Date(nowMs)]);
    },
  };
}

export type SharingStore = ReturnType<typeof createSharing>;
