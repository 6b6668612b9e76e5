import type { Fault } from '@core/errors';
import { lowerHex } from '@core/position';
import type { ChainBlock, ChainEventRecord } from '@core/store';
import { type Address, type Block, BlockNotFoundError, type Log, type PublicClient } from 'viem';
import { chainFault } from '../transactions/chainFault.ts';

/** Contracts to read, and the node to read them from. */
export interface ChainSource {
  readonly client: PublicClient;
  readonly contracts: { readonly vault: Address; readonly pool: Address; readonly exchange: Address };
  readonly chainKey: string;
}

/** Last block that the poll of the chain has seen; null before the first one. */
export interface LastHead {
  block: HeadBlock | null;
}

export type HeadBlock = Block<bigint, false, 'latest'>;

export type Headers = ReadonlyMap<bigint, ChainBlock>;
export type MinedLog = Log<bigint, number, false>;

/** Blocks of one range, which every node answers. */
const maxRangeBlocks = 500n;

/** Return the last block of a range from `from`, at most `last`. */
export function rangeEndOf(from: bigint, last: bigint): bigint {
  const end = from + maxRangeBlocks - 1n;
  return last < end ? last : end;
}

/**
 * Read a current header of the chain; null only when the node answers that it has no block of that number.
 * @throws Fault retryable when the node does not answer: that proves nothing about the chain.
 */
export async function headerOf(source: ChainSource, blockNumber: bigint): Promise<ChainBlock | null> {
  try {
    return toHeader(source, await source.client.getBlock({ blockNumber }));
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw unreadable(blockNumber, error);
  }
}

/** @throws Fault retryable when the node does not answer. */
export async function headOf(source: ChainSource): Promise<ChainBlock> {
  const block = await source.client.getBlock({ blockTag: 'latest' }).catch((cause: unknown) => {
    throw chainFault('the head cannot be read', cause);
  });
  return toHeader(source, block);
}

/** @throws Fault retryable when the node does not answer, or has no block of a number. */
export async function headersOf(source: ChainSource, numbers: readonly bigint[]): Promise<Headers> {
  const blocks = await Promise.all(
    [...new Set(numbers)].map((blockNumber) =>
      source.client.getBlock({ blockNumber }).catch((cause: unknown) => {
        throw unreadable(blockNumber, cause);
      }),
    ),
  );
  return new Map(blocks.map((block) => [block.number, toHeader(source, block)]));
}

function unreadable(blockNumber: bigint, cause: unknown): Fault {
  return chainFault(`block ${blockNumber} cannot be read`, cause);
}

export function toHeader({ chainKey }: Pick<ChainSource, 'chainKey'>, block: HeadBlock): ChainBlock {
  return {
    chainKey,
    blockNumber: block.number,
    blockHash: block.hash,
    parentHash: block.parentHash,
    blockTimeMs: Number(block.timestamp) * 1_000,
  };
}

/** A log as the index stores it. */
export function recordOf(
  { chainKey }: ChainSource,
  log: Pick<MinedLog, 'blockNumber' | 'logIndex' | 'transactionHash' | 'transactionIndex' | 'address'>,
  event: Pick<ChainEventRecord, 'name' | 'subject' | 'arguments'> & { readonly headers: Headers },
): ChainEventRecord {
  return {
    chainKey,
    blockNumber: log.blockNumber,
    logIndex: log.logIndex,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
    contractAddress: lowerHex(log.address),
    name: event.name,
    subject: event.subject,
    arguments: event.arguments,
    blockTimeMs: event.headers.get(log.blockNumber)?.blockTimeMs ?? 0,
  };
}
