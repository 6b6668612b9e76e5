import { recordsOf } from '../database/columns.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { type ChainBlock, type ChainEventRecord, type EventPlace } from './chain.ts';
import { blockFields, type createChain, eventFields } from './createChain.ts';
import { type PostponedProjection } from './postponedProjections.ts';

const headers = recordsOf<ChainBlock>(blockFields);
const events = recordsOf<ChainEventRecord>(eventFields);

/** Reads of the index, each on its own. `chainKey` names one vault on one chain, for example `31337:0x…`. */
export function chainReads({ chainBlock, chainCursor, chainEvent, postponedProjection }: PrismaClient) {
  return {
    /** Stored headers at or below a block, newest first: candidates for the common ancestor. */
    blocksBelow: ({ chainKey, blockNumber, limit }: BlocksQuery): Promise<readonly ChainBlock[]> =>
      headers.many(
        chainBlock.findMany({
          where: { chainKey, blockNumber: { lte: blockNumber } },
          orderBy: { blockNumber: 'desc' },
          take: limit,
        }),
      ),
    eventsNamed: (chainKey: string, name: string): Promise<readonly ChainEventRecord[]> =>
      events.many(
        chainEvent.findMany({ where: { chainKey, name }, orderBy: [{ blockNumber: 'asc' }, { logIndex: 'asc' }] }),
      ),
    /** Return the positions of these blocks' events in the log, without their contents. */
    eventPlaces: ({ chainKey, from, to }: PlacesQuery): Promise<readonly EventPlace[]> =>
      chainEvent.findMany({
        where: { chainKey, blockNumber: { gte: from, lte: to } },
        select: { blockNumber: true, logIndex: true, name: true },
      }),
    /** Highest block that was read a second time when it could no longer be reorganised; null while none was. */
    verifiedNumber: async (chainKey: string): Promise<bigint | null> =>
      (await chainCursor.findUnique({ where: { chainKey } }))?.verifiedNumber ?? null,
    /** Return all postponed positions, the oldest events first. */
    postponed: (chainKey: string): Promise<readonly PostponedProjection[]> =>
      postponedProjection.findMany({
        where: { chainKey },
        select: { positionKey: true, fromBlock: true },
        orderBy: [{ fromBlock: 'asc' }, { positionKey: 'asc' }],
      }),
  };
}

interface BlocksQuery extends Pick<ChainBlock, 'chainKey' | 'blockNumber'> {
  readonly limit: number;
}

/** First and last block. */
interface PlacesQuery extends Pick<ChainBlock, 'chainKey'> {
  readonly from: bigint;
  readonly to: bigint;
}

export type ChainStore = ReturnType<typeof createChain> & ReturnType<typeof chainReads>;
