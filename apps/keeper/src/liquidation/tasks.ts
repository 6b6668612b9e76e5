import type { Clock } from '@core/runtime';
import type { Store } from '@core/store';
import type { Logger } from 'pino';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { MarketShares } from '../runner/marketShares.ts';
import { locks, type Task } from '../runner/task.ts';
import type { Wake } from '../runner/wake.ts';
import type { Intents } from '../transactions/intents.ts';
import { DebtWatch, type MarkFeed } from './debtWatch.ts';
import { ExitTimes } from './exitTimes.ts';
import { type FollowDebtsOptions, followDebtsTask } from './followDebts.ts';
import { type UnsellableOptions, unsellableDebts } from './unsellableDebts.ts';

export interface LiquidationOptions extends UnsellableOptions {
  readonly store: Pick<Store, 'positions' | 'markets' | 'chain' | 'exits'>;
  readonly intents: Pick<Intents, 'ofSubjects'>;
  readonly marks: MarkFeed;
  readonly shares: Pick<MarketShares, 'current' | 'leaseOf'>;
  /** Called when the shares of this keeper change. */
  readonly sharesChanged: Wake;
  /** Called with the positions that a tick or a deadline made due. */
  readonly onDue: (positionKeys: readonly string[]) => void;
  readonly bounds: FollowDebtsOptions['bounds'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: KeeperMetrics;
}

/** Debts of this keeper's markets, their exit times, and the tasks that keep both current. */
export interface Liquidation {
  readonly debts: DebtWatch;
  readonly exitTimes: ExitTimes;
  readonly tasks: readonly Task[];
}

export function liquidationOf(options: LiquidationOptions): Liquidation {
  const { store, marks, shares, sharesChanged, onDue, policy, clock, logger, metrics } = options;
  const isolated = new IsolatedItems({ name: 'followDebts', logger, metrics });
  const exitTimes = new ExitTimes({ exits: store.exits, policy, clock, metrics });
  const debts = new DebtWatch(marks, {
    onDue,
    onRepaid: (sale) => exitTimes.record(sale),
    isHeld: (marketId) => shares.leaseOf(marketId) !== null,
    isolated,
    policy,
    clock,
  });
  const measureExits: Task = {
    name: 'measureExits',
    lock: locks.signer,
    intervalMs: 2_000,
    async run() {
      const unsellable = unsellableDebts(debts, options);
      metrics.unsellableDebts.set(unsellable.size);
      const waiting = debts.waiting().filter(({ positionKey }) => !unsellable.has(positionKey));
      const closeAtMs = await store.positions.oldestCloseAtMs();
      const debtAgeMs = Math.max(0, ...waiting.map(({ durationMs }) => durationMs));
      const closeAgeMs = closeAtMs === null ? 0 : Math.max(0, clock.nowMs() - closeAtMs);
      metrics.saleAge.set({ kind: 'debt' }, debtAgeMs / 1_000);
      metrics.saleAge.set({ kind: 'close' }, closeAgeMs / 1_000);
      await exitTimes.update(waiting);
    },
  };
  const tasks = [followDebtsTask({ ...options, debts, isolated, wake: sharesChanged }), measureExits];
  return { debts, exitTimes, tasks };
}
