import { defaultMarketShareCount, marketShareCounts } from '@core/runtime';
import type { PrismaClient } from '../generated/prisma/client.ts';

/** Key of the one row. */
const id = 1;

export function createSharing(prisma: PrismaClient) {
  return {
    /** Return the number of shares that all keepers of the database divide the markets into. */
    async shareCount(): Promise<number> {
      const row = await prisma.marketSharing.findUnique({ where: { id } });
      return row?.shareCount ?? defaultMarketShareCount;
    },
    /**
     * Set the number of shares; the same number again changes nothing. Running keepers read it twice a second and
     * move to it share by share.
     * @throws RangeError for anything but one of `marketShareCounts`.
     */
    async setShareCount(shareCount: number, nowMs: number): Promise<void> {
      if (!marketShareCounts.includes(shareCount)) {
        throw new RangeError(`expected one of ${marketShareCounts.join(', ')}, got ${shareCount}`);
      }
      const row = { shareCount, changedAt: new Date(nowMs) };
      await prisma.marketSharing.createMany({ data: { id, ...row }, skipDuplicates: true });
      await prisma.marketSharing.updateMany({ where: { id, shareCount: { not: shareCount } }, data: row });
    },
  };
}

export type SharingStore = ReturnType<typeof createSharing>;
