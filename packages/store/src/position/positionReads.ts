import { activeStatuses, type Position, type PositionStatus, type PositionUnwind } from '@core/position';
import { recordsOf } from '../database/columns.ts';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { columnFields, unwindFields } from './columnFields.ts';

const records = recordsOf<Position>(columnFields);
const unwinds = recordsOf<PositionUnwind>(unwindFields);
const keys = recordsOf<Pick<Position, 'id' | 'positionKey'>>(['id', 'positionKey']);
const oldestFirst: Prisma.PositionOrderByWithRelationInput[] = [{ createdAt: 'asc' }, { id: 'asc' }];
/** A request with a minimum price above a cent waits for that price. */
const sellsNow = [{ closeRequestedMinPricePips: null }, { closeRequestedMinPricePips: { lte: 100 } }];

/** Reads of positions, each on its own. */
export function positionReads({ position, positionUnwind }: PrismaClient) {
  const many = (selection: Prisma.PositionFindManyArgs): Promise<readonly Position[]> =>
    records.many(position.findMany(selection));
  return {
    byKey: (positionKey: string): Promise<Position | null> =>
      records.one(position.findUnique({ where: { positionKey: positionKey.toLowerCase() } })),
    /** Positions in these statuses that are not frozen, oldest first. */
    inStatuses: (statuses: readonly PositionStatus[]): Promise<readonly Position[]> =>
      many({ where: { status: { in: [...statuses] }, frozenReason: null }, orderBy: oldestFirst }),
    /** Positions in any status whose last event is of that block or a later one, and that are not frozen. */
    changedSince: (block: bigint): Promise<readonly Position[]> =>
      many({
        where: { updatedBlockNumber: { gte: block }, frozenReason: null },
        orderBy: [{ updatedBlockNumber: 'asc' }, { id: 'asc' }],
      }),
    /** Return frozen positions, the oldest first: they await review. */
    frozen: (limit: number): Promise<readonly Position[]> =>
      many({ where: { frozenReason: { not: null } }, orderBy: oldestFirst, take: limit }),
    /** The next positions of a market that are not finished, in the order of their ids; an empty id begins. */
    activeAfter: ({
      marketId,
      afterId,
      limit,
    }: ActiveAfter): Promise<readonly Pick<Position, 'id' | 'positionKey'>[]> =>
      keys.many(
        position.findMany({
          where: { marketId, id: { gt: afterId }, status: { in: [...activeStatuses] } },
          select: { id: true, positionKey: true },
          orderBy: { id: 'asc' },
          take: limit,
        }),
      ),
    unwinds: (positionKey: string): Promise<readonly PositionUnwind[]> =>
      unwinds.many(positionUnwind.findMany({ where: { positionKey }, orderBy: { sequence: 'asc' } })),
    /** Return the time of the oldest open request to sell at any price above a cent; null without one. */
    async oldestCloseAtMs(): Promise<number | null> {
      const where = { status: 'closing', frozenReason: null, OR: sellsNow };
      const { _min: oldest } = await position.aggregate({ _min: { closeRequestedAt: true }, where });
      return oldest.closeRequestedAt?.getTime() ?? null;
    },
    /** Return the tokens of open positions with debt, per token id. Tokens without debt need no fast sale. */
    async openTokenUnits(): Promise<ReadonlyMap<string, bigint>> {
      const where = { chainState: 'open', principalUsdcUnits: { gt: 0 } };
      const sums = await position.groupBy({ by: ['venueTokenId'], where, _sum: { tokenUnits: true } });
      return new Map(sums.map(({ venueTokenId, _sum: sum }) => [venueTokenId, sum.tokenUnits ?? 0n]));
    },
  };
}

/** Market, last id of the page before, and number of positions. */
interface ActiveAfter {
  readonly marketId: string;
  readonly afterId: string;
  readonly limit: number;
}
