import { type BlockRange, liquidityPoolAbi } from '@core/vault';
import { chainReaderOf } from '../chain/chain.ts';
import { LogHistory } from '../chain/logHistory.ts';
import type { PoolSource } from './readPool.ts';

const readPart = ({ rpcUrl, pool }: PoolSource, { from, to }: BlockRange) =>
  chainReaderOf(rpcUrl, 0).getContractEvents({
    address: pool,
    abi: liquidityPoolAbi,
    fromBlock: from,
    toBlock: to,
    strict: true,
  });

export type PoolLog = Awaited<ReturnType<typeof readPart>>[number];

const histories = new Map<string, LogHistory<PoolLog>>();

/** Return the history of a pool's events, which all parts of a page share. */
export function poolLogsOf(source: PoolSource): LogHistory<PoolLog> {
  const { rpcUrl, pool } = source;
  const key = `${rpcUrl} ${pool}`;
  const history =
    histories.get(key) ?? new LogHistory({ rpcUrl, contract: pool, read: (part) => readPart(source, part) });
  histories.set(key, history);
  return history;
}

/** Read all events of the pool, the oldest first. @throws when some blocks cannot be read. */
export async function readPoolLogs(source: PoolSource): Promise<readonly PoolLog[]> {
  const history = poolLogsOf(source);
  await history.resume();
  const { logs, unread, failure } = history.state.get();
  if (failure !== null) throw failure;
  if (unread.length > 0) throw new Error('Some events of the pool were not read.');
  return logs;
}
