import type { MarketRecord, PositionStatus } from '@core/store';
import type { KeeperPorts } from '../ports.ts';

/** Statuses of the positions that hold tokens and may owe something. */
const heldStatuses: readonly PositionStatus[] = ['open', 'unwinding', 'closing', 'settling'];

/** Takes what the index saw since the last round into the watch of debts; at the first round, everything open. */
export async function followDebts(ports: KeeperPorts): Promise<void> {
  const { store, debts, clock, metrics } = ports;
  const reached = (await store.chain.cursor(ports.chainKey))?.blockNumber ?? ports.deploymentBlock;
  const from = debts.takenBlock;
  // A reorganisation may fold a position back to an earlier block.
  const changed =
    from === null
      ? await store.positions.inStatuses(heldStatuses)
      : await store.positions.changedSince(from - ports.finalityDepth);
  const markets = new Map<string, MarketRecord | null>();
  for (const position of changed) {
    const { marketId } = position;
    if (marketId !== null && !markets.has(marketId)) markets.set(marketId, await store.markets.byId(marketId));
    const market = marketId === null ? null : markets.get(marketId);
    if (market) debts.take(position, market, clock.nowMs());
  }
  debts.takenBlock = reached;
  debts.renew(clock.nowMs());
  metrics.followedDebts.set(debts.size);
  metrics.staleMarkets.set(debts.staleMarketCount);
}
