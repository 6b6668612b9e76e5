import type { Clock } from '@core/runtime';
import type { SettlingMarket, Store } from '@core/store';
import type { Logger } from 'pino';
import { isolatingFailures, type ProjectPositions } from '../indexer/projectPositions.ts';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';

export interface SettleMarketsOptions {
  readonly store: Pick<Store, 'markets' | 'positions' | 'transaction'>;
  readonly project: ProjectPositions;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Positions of one transaction: no market holds its locks for long, however many positions it has. */
const batchSize = 50;
/** Markets of one round, each with one batch: no market waits for all positions of another. */
const marketsAtOnce = 16;
/** Maximum number of batches of a market in one round, so that new markets join soon. */
const maxRounds = 20;
/** Markets settled concurrently: every transaction uses a database connection. */
const maxSettling = 4;

/**
 * Settle the positions of markets with recorded payouts: their status, and the event for their owner, batch by batch
 * and market by market. A position that cannot be folded is frozen, a failing market is retried later, and the others
 * continue.
 */
export function settleMarketsTask(options: SettleMarketsOptions): Task {
  const { store, metrics, logger } = options;
  const settling = new IsolatedItems({ name: 'settleMarkets', atOnce: maxSettling, logger, metrics });
  return {
    name: 'settleMarkets',
    lock: locks.index,
    intervalMs: 250,
    async run() {
      for (let round = 0; round < maxRounds; round += 1) {
        const markets = await store.markets.settling({ except: settling.waiting, limit: marketsAtOnce });
        if (markets.length === 0) return;
        await settling.serve(
          markets,
          ({ id }) => id,
          (market) => settleBatch(options, market),
        );
      }
    },
  };
}

async function settleBatch({ store, project }: SettleMarketsOptions, market: SettlingMarket): Promise<true> {
  const { id, settledAfter } = market;
  const batch = await store.positions.activeAfter({ marketId: id, afterId: settledAfter, limit: batchSize });
  const to = batch.length < batchSize ? null : (batch.at(-1)?.id ?? null);
  const subjects = batch.map(({ positionKey }) => positionKey);
  await isolatingFailures((isolation) =>
    store.transaction(async (unit) => {
      await project(unit, {
        subjects,
        fromBlock: null,
        also: 'position.settlement_state_changed',
        ...isolation,
      });
      await unit.markets.moveSettling(id, { from: settledAfter, to });
    }),
  );
  return true;
}
