import type { Position, PositionStatus } from '@core/position';
import type { Clock } from '@core/runtime';
import type { MarketRecord, Store } from '@core/store';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { type DebtWatch, dueReasons } from './debtWatch.ts';

/** Statuses of the positions that hold tokens and may owe something. */
const heldStatuses: readonly PositionStatus[] = ['open', 'unwinding', 'closing', 'settling'];

/** Takes what the index saw since the last round into the watch of debts; at the first round, everything open. */
export function followDebtsTask(options: {
  readonly store: Pick<Store, 'positions' | 'markets' | 'chain'>;
  readonly debts: DebtWatch;
  /** Called after each round: every debt that is owed is in the watch. */
  readonly onLooked: () => void;
  readonly bounds: { readonly chainKey: string; readonly deploymentBlock: bigint; readonly finalityDepth: bigint };
  readonly clock: Clock;
  readonly metrics: Pick<KeeperMetrics, 'followedDebts' | 'staleMarkets' | 'dueDebts'>;
}): Task {
  const { store, debts, onLooked, bounds, clock, metrics } = options;
  /** Block up to which changes were taken in; null before the first round. */
  let takenBlock: bigint | null = null;
  return {
    name: 'followDebts',
    lock: locks.effects,
    intervalMs: 1_000,
    async run() {
      const reached = (await store.chain.cursor(bounds.chainKey))?.blockNumber ?? bounds.deploymentBlock;
      // A reorganisation may fold a position back to an earlier block.
      const changed =
        takenBlock === null
          ? await store.positions.inStatuses(heldStatuses)
          : await store.positions.changedSince(takenBlock - bounds.finalityDepth);
      const markets = new Map<string, MarketRecord | null>();
      const taken: { readonly position: Position; readonly market: MarketRecord }[] = [];
      for (const position of changed) {
        const { marketId } = position;
        if (marketId !== null && !markets.has(marketId)) markets.set(marketId, await store.markets.byId(marketId));
        const market = marketId === null ? null : markets.get(marketId);
        if (market) taken.push({ position, market });
      }
      debts.take(taken, clock.nowMs());
      takenBlock = reached;
      debts.renew(clock.nowMs());
      onLooked();
      metrics.followedDebts.set(debts.size);
      metrics.staleMarkets.set(debts.unseenTickers.length);
      const reasons = debts.dueNow().map((positionKey) => debts.dueBy(positionKey));
      for (const reason of dueReasons) {
        metrics.dueDebts.set({ reason }, reasons.filter((other) => other === reason).length);
      }
    },
  };
}
