import type { Store } from '@core/store';
import type { LiveMarkets } from '../observe/liveMarkets.ts';
import type { PoolView } from '../observe/poolReader.ts';

/** What is missing before the service can quote; empty when it is ready. */
export async function missingParts(parts: {
  readonly store: Pick<Store, 'ping'>;
  readonly pool: PoolView;
  readonly live: LiveMarkets;
}): Promise<readonly string[]> {
  const { marketCount, staleMarketCount } = parts.live.health();
  const isFeedAlive = marketCount > 0 && staleMarketCount < marketCount;
  return [
    ...((await answers(parts.store)) ? [] : ['database']),
    ...(parts.pool.pool() === null ? ['chain'] : []),
    ...(isFeedAlive ? [] : ['feed']),
  ];
}

async function answers(store: Pick<Store, 'ping'>): Promise<boolean> {
  try {
    await store.ping();
    return true;
  } catch (cause) {
    if (cause instanceof Error) return false;
    throw cause;
  }
}
