import { tokenRouteOf } from '@core/vault';
import type { KeeperConnections } from './connections.ts';
import { positionProjection } from './indexer/projectPositions.ts';
import { indexTasks } from './indexer/tasks.ts';
import { liquidationOf } from './liquidation/tasks.ts';
import { marketTasks } from './markets/tasks.ts';
import { positionTasks } from './positions/tasks.ts';
import { locks, type Task } from './runner/task.ts';
import { Wake } from './runner/wake.ts';
import { PriceSigners } from './signers/priceSigners.ts';
import { probePriceSignersTask } from './signers/probePriceSigners.ts';
import { transactionTasks } from './transactions/tasks.ts';
import { keeperReportOf } from './upkeep/keeperReport.ts';
import { upkeepTasks } from './upkeep/tasks.ts';

/** Build every task of the keeper from the lists of its folders. Metrics and health follow from this list. */
export function keeperTasks(connections: KeeperConnections): readonly Task[] {
  const { chain, store, shares, sender, breaker, policy, logger, metrics } = connections;
  const { client, chainKey, contracts, finality } = chain;
  const wake = new Wake();
  const onChanged = (positionKeys: readonly string[]): void => wake.call(positionKeys);
  connections.onVenueOrder((orderHash) => wake.call(connections.orders.positionsOf(orderHash)));
  const sharesChanged = new Wake();
  const signers = new PriceSigners(connections.priceSigners);
  const project = projectionOf(connections);
  const common = { ...connections, project, chainKey, client, contracts, finality, bounds: chain };
  const routeOf = (tokenId: string) => tokenRouteOf(connections.route, tokenId);
  const liquidation = liquidationOf({ ...common, sharesChanged, onDue: onChanged, routeOf });
  const { debts, exitTimes } = liquidation;
  const positions = positionTasks({ ...common, signers, debts, wake });
  const { usdc: collateralToken, oracleAggregator } = contracts;
  const rules = { collateralToken, oracles: connections.oracles, oracleAggregator, policy };
  const report = () =>
    keeperReportOf({
      address: sender.address,
      breaker,
      signers,
      debts,
      exitTimes,
      fills: connections.fills,
      shares,
      chain: () => connections.chainReport?.(),
    });
  const balanceShares: Task = {
    name: 'balanceShares',
    lock: locks.signer,
    // Another keeper takes over a dead keeper's share within a second.
    intervalMs: 500,
    async run(lease) {
      if (await shares.balance(lease, positions.isBusyIn)) sharesChanged.call(['shares']);
    },
  };
  return [
    ...marketTasks({ ...common, markets: store.markets, rules }),
    ...indexTasks({
      ...common,
      source: chain,
      nodes: chain.nodes,
      health: chain.health,
      newHead: chain.newHead,
      lastHead: chain.lastHead,
      onChanged,
    }),
    balanceShares,
    ...liquidation.tasks,
    ...positions.tasks,
    ...transactionTasks({ ...common, lockStore: store.locks, index: { chain: store.chain, chainKey } }),
    probePriceSignersTask({ signers, client, vault: contracts.vault, role: connections.role, logger, metrics }),
    ...upkeepTasks({ ...common, exitWindowMs: policy.exit.windowMs, report }),
  ];
}

/** Build the projection of positions: one that cannot be folded is counted, logged and frozen. */
function projectionOf({ chain, clock, logger, metrics }: KeeperConnections) {
  const { chainKey, chainId, contracts } = chain;
  return positionProjection({
    chainKey,
    chainId,
    vault: contracts.vault,
    clock,
    onFailed: (positionKey, err) => {
      metrics.failedProjections.inc();
      logger.error({ positionKey, err }, 'position frozen: its events cannot be folded');
    },
  });
}
