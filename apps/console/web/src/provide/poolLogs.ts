import { liquidityPoolAbi } from '@core/vault';
import { chainReaderOf } from '../chain/chain.ts';
import type { PoolSource } from './readPool.ts';

/** Blocks below the newest that are read again each time, because a node may have replaced them. */
const rereadBlocks = 64n;

const readFrom = ({ rpcUrl, pool }: PoolSource, fromBlock: bigint, toBlock: bigint) =>
  chainReaderOf(rpcUrl).getContractEvents({ address: pool, abi: liquidityPoolAbi, fromBlock, toBlock, strict: true });

export type PoolLog = Awaited<ReturnType<typeof readFrom>>[number];

interface PoolLogs {
  readonly logs: readonly PoolLog[];
  readonly toBlock: bigint;
}

const logsByPool = new Map<string, PoolLogs>();

/** Read the events of the pool, the oldest first. After the first read only the newest blocks are read. */
export async function readPoolLogs(source: PoolSource): Promise<readonly PoolLog[]> {
  const key = `${source.rpcUrl} ${source.pool}`;
  const toBlock = await chainReaderOf(source.rpcUrl).getBlockNumber({ cacheTime: 0 });
  const last = logsByPool.get(key);
  // A chain that was reset to an older state has other blocks than those read before.
  const settledTo = last === undefined || toBlock < last.toBlock ? -1n : last.toBlock - rereadBlocks;
  const settledLogs = last?.logs.filter(({ blockNumber }) => blockNumber <= settledTo) ?? [];
  const logs = [...settledLogs, ...(await readFrom(source, settledTo < 0n ? 0n : settledTo + 1n, toBlock))];
  logsByPool.set(key, { logs, toBlock });
  return logs;
}
