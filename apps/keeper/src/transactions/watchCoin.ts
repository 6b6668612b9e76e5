import { type CoinLevel, type CoinReading, coinLevelOf } from '@core/runtime';
import type { Logger } from 'pino';
import { formatEther } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';

export interface WatchCoinOptions {
  readonly sender: {
    readonly address: string;
    /** Read the native coin of the account. */
    readCoin(): Promise<CoinReading>;
  };
  readonly metrics: Pick<KeeperMetrics, 'coinBalance' | 'coinReserve'>;
  readonly logger: Logger;
}

/** Hold the native coin of the keeper's account against what its next transactions may cost. */
export function watchCoinTask({ sender, metrics, logger }: WatchCoinOptions): Task {
  let logged: CoinLevel = 'enough';
  return {
    name: 'watchCoin',
    lock: locks.signer,
    intervalMs: 15_000,
    async run() {
      const reading = await sender.readCoin();
      const [balance, minimum, reserve] = [reading.balanceWei, reading.minimumWei, reading.reserveWei].map((wei) =>
        formatEther(wei),
      );
      metrics.coinBalance.set(Number(balance));
      metrics.coinReserve.set(Number(reserve));
      const level = coinLevelOf(reading);
      if (level === logged) return;
      logged = level;
      const facts = { address: sender.address, balance, minimum, reserve };
      if (level === 'short') logger.error(facts, 'native coin below the minimum: no quotes');
      else if (level === 'low') logger.warn(facts, 'native coin below the reserve');
      else logger.warn(facts, 'native coin suffices again');
    },
  };
}
