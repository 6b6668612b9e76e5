import type { PolicyConfig } from '@core/policy';
import type { Clock } from '@core/runtime';
import type { Store } from '@core/store';
import type { AttestationSource, VenueDomain } from '@core/vault';
import type { VenueClient } from '@core/venue';
import type { Logger } from 'pino';
import type { Address, PublicClient } from 'viem';
import { indexChainTask } from './indexer/indexChain.ts';
import { type ProjectPositions, positionProjection } from './indexer/projectPositions.ts';
import { verifyChainTask } from './indexer/verifyChain.ts';
import { DebtWatch, type MarkFeed } from './liquidation/debtWatch.ts';
import { ExitTimes } from './liquidation/exitTimes.ts';
import { followDebtsTask } from './liquidation/followDebts.ts';
import { measureExitsTask } from './liquidation/measureExits.ts';
import { announceUnresolvedTask } from './markets/announceUnresolved.ts';
import { readPayoutsTask } from './markets/readPayouts.ts';
import { registerOutcomesTask } from './markets/registerOutcomes.ts';
import { syncCatalogueTask } from './markets/syncCatalogue.ts';
import { positionAdvancer } from './positions/advancePosition.ts';
import { advanceDueTask, advancePositionsTask } from './positions/advancePositions.ts';
import { actionExecutor } from './positions/executeAction.ts';
import { orderFollower } from './positions/followOrder.ts';
import { positionObserver } from './positions/observePosition.ts';
import { type AuthorizeOrder, orderAuthorizer } from './positions/orderAuthorizer.ts';
import { PositionDriver } from './positions/positionDriver.ts';
import { PositionNotes } from './positions/positionNotes.ts';
import { bookReader } from './positions/readBook.ts';
import { UnwindRefusals } from './positions/unwindRefusals.ts';
import { balanceSharesTask } from './runner/balanceShares.ts';
import type { TaskHealth } from './runner/health.ts';
import type { KeeperMetrics } from './runner/keeperMetrics.ts';
import type { MarketShares } from './runner/marketShares.ts';
import type { Task } from './runner/task.ts';
import { Wake } from './runner/wake.ts';
import { PriceSigners } from './signers/priceSigners.ts';
import { probePriceSignersTask } from './signers/probePriceSigners.ts';
import { signatureQuorum } from './signers/signatureQuorum.ts';
import { followTransactionsTask } from './transactions/followTransactions.ts';
import type { Intents } from './transactions/intents.ts';
import { resumeTransactionsTask } from './transactions/resumeTransactions.ts';
import { retireOrdersTask } from './transactions/retireOrders.ts';
import type { TransactionSender } from './transactions/transactionSender.ts';
import type { VenueBreaker } from './transactions/venueBreaker.ts';
import type { VenueOrders } from './transactions/venueOrders.ts';
import { heartbeatTask } from './upkeep/heartbeat.ts';
import { KeeperState } from './upkeep/keeperState.ts';
import { probeVenueTask } from './upkeep/probeVenue.ts';
import { releaseReservationsTask } from './upkeep/releaseReservations.ts';
import { removeExpiredTask } from './upkeep/removeExpired.ts';

/** Addresses the keeper reads and writes. */
export interface KeeperContracts {
  readonly vault: Address;
  readonly pool: Address;
  readonly exchange: Address;
  readonly conditionalTokens: Address;
  readonly usdc: Address;
}

/** The chain as the keeper follows it, and its name in the store. */
export interface KeeperChain {
  readonly client: PublicClient;
  /** Every node by itself, for reading that must not mix their answers. */
  readonly nodes: readonly PublicClient[];
  readonly chainId: number;
  readonly chainKey: string;
  readonly contracts: KeeperContracts;
  readonly deploymentBlock: bigint;
  readonly finalityDepth: bigint;
  /** How long blocks have been final before they are read a second time. */
  readonly rescanDelayMs: number;
}

/** What was opened for one keeper. Only the list below takes it apart; no task sees it. */
export interface KeeperConnections {
  readonly chain: KeeperChain;
  readonly store: Store;
  readonly intents: Intents;
  /** The shares of the markets that this process holds. */
  readonly shares: MarketShares;
  readonly sender: TransactionSender;
  readonly orders: VenueOrders;
  readonly breaker: VenueBreaker;
  readonly venue: VenueClient;
  /** Calls its listener with the hash of an order that the venue says has changed. */
  readonly onVenueOrder: (listener: (orderHash: string) => void) => void;
  readonly venueDomain: VenueDomain;
  readonly marks: MarkFeed;
  readonly priceSigners: readonly { readonly name: string; readonly source: AttestationSource }[];
  readonly oracles: readonly Address[];
  readonly policy: PolicyConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: KeeperMetrics;
  /** How the tasks of this process are doing. */
  readonly health: () => readonly TaskHealth[];
}

/** Every task of the keeper, closed over what it needs. Metrics and health follow from this list. */
export function keeperTasks(connections: KeeperConnections): readonly Task[] {
  const { chain, store, intents, shares, sender, venue, policy, clock, logger, metrics, health } = connections;
  const { client, nodes, chainKey, contracts, finalityDepth } = chain;
  const { markets, positions } = store;
  const project = projectionOf(connections);
  const wake = new Wake();
  const onChanged = (positionKeys: readonly string[]): void => wake.call(positionKeys);
  connections.onVenueOrder((orderHash) => wake.call(connections.orders.positionsOf(orderHash)));
  const debts: DebtWatch = new DebtWatch(connections.marks, {
    onDue: onChanged,
    onRepaid: (sale) => exitTimes.note(sale),
    isHeld: (marketId) => shares.leaseOf(marketId) !== null,
    policy,
    clock,
  });
  const exitTimes = new ExitTimes({ exits: store.exits, waiting: () => debts.waiting(), policy, clock, metrics });
  const signers = new PriceSigners(connections.priceSigners);
  const state = new KeeperState({
    address: sender.address,
    breaker: connections.breaker,
    signers,
    debts,
    exitTimes,
    shares,
  });
  const driver = driverOf(connections, { project, feed: debts, signers });
  const driving = { positions, driver, dueBy: (positionKey: string) => debts.dueBy(positionKey) };
  const rules = { collateralToken: contracts.usdc, oracles: connections.oracles, policy };
  const index = { chain: store.chain, chainKey };
  const sharesChanged = new Wake();
  const following = { wake: sharesChanged, bounds: chain, clock, metrics };
  return [
    syncCatalogueTask({ venue, markets, rules, clock, logger }),
    indexChainTask({ source: chain, nodes, store, project, onChanged, bounds: chain, clock, logger, metrics }),
    verifyChainTask({ source: chain, nodes, store, project, onChanged, bounds: chain, clock, logger, metrics }),
    readPayoutsTask({ client, conditionalTokens: contracts.conditionalTokens, store, project, metrics, clock, logger }),
    announceUnresolvedTask({ markets, clock }),
    registerOutcomesTask({ client, contracts, markets, intents, sender, clock }),
    balanceSharesTask({
      shares,
      isBusyIn: (share) => driver.isBusyIn(share),
      onChanged: () => sharesChanged.call(['shares']),
    }),
    followDebtsTask({ store, intents, debts, shares, onLooked: (held) => state.looked(held), ...following }),
    measureExitsTask({ exitTimes }),
    advanceDueTask({ ...driving, wake, dueNow: () => debts.dueNow() }),
    advancePositionsTask(driving),
    resumeTransactionsTask({ sender }),
    followTransactionsTask({ intents, client, index, finalityDepth, clock }),
    probeVenueTask({ breaker: connections.breaker }),
    probePriceSignersTask({ signers, client, vault: contracts.vault, metrics }),
    retireOrdersTask({ intents, orders: connections.orders, clock }),
    releaseReservationsTask({ usage: store.usage, clock, logger }),
    heartbeatTask({ heartbeats: store.heartbeats, report: () => state.report(), clock, health }),
    removeExpiredTask({ store, chainKey, exitWindowMs: policy.exit.windowMs, clock }),
  ];
}

/** What observes, decides and executes for positions. */
function driverOf(
  connections: KeeperConnections,
  parts: { readonly project: ProjectPositions; readonly feed: DebtWatch; readonly signers: PriceSigners },
): PositionDriver {
  const { project, feed, signers } = parts;
  const { chain, store, intents, shares, sender, orders, venue, policy, clock, logger, metrics } = connections;
  const { vault } = chain.contracts;
  const { maxOpenAttempts } = policy.execution;
  const notes = new PositionNotes({ store, intents, project, maxOpenAttempts, clock, metrics });
  const refusals = new UnwindRefusals();
  const { venueDomain } = connections;
  const askPriceSigners = signatureQuorum({ signers, domain: { chainId: chain.chainId, vault } });
  const authorize = orderAuthorizer({ askPriceSigners, sender, orders, vault, venueDomain, logger });
  const advance = positionAdvancer({
    unfinished: { intents, sender },
    observe: positionObserver({ chain, readBook: bookReader(venue), intents, feed, refusals, policy }),
    follow: orderFollower({ orders }),
    execute: actionExecutor({
      authorize: whileVenueTakesOrders(connections.breaker, authorize),
      notes,
      refusals,
      sender,
      vault,
      logger,
    }),
    config: policy.execution,
  });
  const { positions, markets } = store;
  const isDue = (positionKey: string): boolean => feed.dueBy(positionKey) !== null;
  const leaseOf = (marketId: string | null) => shares.leaseOf(marketId);
  return new PositionDriver({ advance, positions, markets, leaseOf, isDue, logger, metrics });
}

/** Nothing is authorised that could not be posted: the vault's order would run out unused. */
function whileVenueTakesOrders(breaker: VenueBreaker, authorize: AuthorizeOrder): AuthorizeOrder {
  return async (seen, action, lease) => {
    if (!breaker.isOpen) return authorize(seen, action, lease);
    return { kind: 'wait', reason: 'venue_refuses', untilMs: seen.observation.nowMs + breaker.remainingMs };
  };
}

/** A position without a stored quote is counted and logged; nothing is ever done for it. */
function projectionOf({ chain, clock, logger, metrics }: KeeperConnections) {
  const { chainKey, chainId, contracts } = chain;
  return positionProjection({
    chainKey,
    chainId,
    vault: contracts.vault,
    clock,
    onUnknownQuote: (positionKey) => {
      metrics.unknownQuotes.inc();
      logger.error({ positionKey }, 'position without a stored quote: frozen');
    },
  });
}
