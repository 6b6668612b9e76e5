import { httpAttestationSource } from '@core/attestation';
import { deployLocal, type LocalDeployment, LocalDriver, startLocalChain } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { NodeHealth, systemClock } from '@core/runtime';
import { type Lease, openStore } from '@core/store';
import { createTestDatabase } from '@core/store/testing';
import { type HttpFaultProxy, startHttpFaultProxy } from '@core/testkit';
import { SigningKey } from '@core/vault';
import { HttpReferenceFeeds, HttpVenueClient, MarketWatch } from '@core/venue';
import pino from 'pino';
import { createPublicClient, http } from 'viem';
import type { KeeperConnections } from '../src/connections.ts';
import { FillWatch } from '../src/indexer/fillWatch.ts';
import { positionProjection } from '../src/indexer/projectPositions.ts';
import { createKeeperMetrics } from '../src/runner/keeperMetrics.ts';
import { MarketShares } from '../src/runner/marketShares.ts';
import { Wake } from '../src/runner/wake.ts';
import { keeperTasks } from '../src/tasks.ts';
import { noFailpoint } from '../src/transactions/failpoint.ts';
import { intentsOf } from '../src/transactions/intents.ts';
import { TransactionSender } from '../src/transactions/transactionSender.ts';
import { transactionSignerOf } from '../src/transactions/transactionSigner.ts';
import { VenueBreaker } from '../src/transactions/venueBreaker.ts';
import { VenueOrders } from '../src/transactions/venueOrders.ts';

const unusedUrl = 'http://127.0.0.1:9';

export interface TestConnections {
  readonly connections: KeeperConnections;
  /** Runs one round of a task under a lease; every share of the markets is held. */
  readonly run: (taskName: string) => Promise<void>;
  readonly lease: Lease;
  readonly databaseUrl: string;
  /** Folds a position again from the events that are stored. */
  readonly refold: (positionKey: string) => Promise<void>;
  readonly deployment: LocalDeployment;
  /** Speaks to the chain directly. */
  readonly driver: LocalDriver;
  /** Stands between the keeper and the chain. */
  readonly proxy: HttpFaultProxy;
  close(): Promise<void>;
}

/**
 * Start the keeper's parts on a real chain, behind a proxy that fails on request, and a real database; no venue, no
 * signer.
 *
 * @param openChain A chain whose blocks are mined with its transactions alone by default.
 */
export async function startTestConnections(
  openChain: () => Promise<{ readonly rpcUrl: string; close(): Promise<void> }> = () =>
    startLocalChain({ blockIntervalMs: 0 }),
): Promise<TestConnections> {
  const chain = await openChain();
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  const proxy = await startHttpFaultProxy(chain.rpcUrl);
  const database = await createTestDatabase();
  const store = openStore({ databaseUrl: database.databaseUrl });
  const [lease] = await store.locks.tryAcquire(['keeper:test']);
  if (lease === undefined) {
    throw new Error('the lock of a fresh database is free');
  }
  const shares = new MarketShares({
    locks: store.locks,
    shareCount: () => store.sharing.shareCount(),
    others: async () => [],
    onChanged: () => undefined,
  });
  await shares.balance(lease, () => false);
  const client = createPublicClient({ transport: http(proxy.url, { timeout: 3_000, retryCount: 0 }), cacheTime: 0 });
  const { chainId, contracts } = deployment;
  const intents = intentsOf(store.intents);
  const feeCeiling = {
    maxFeePerGasWei: 2_000_000_000_000n,
    onReached: () => undefined,
  };
  const sender = new TransactionSender({
    intents,
    client,
    account: transactionSignerOf(new SigningKey(deployment.roles.keeper.privateKey)),
    chainId,
    clock: systemClock,
    failpoint: noFailpoint,
    feeCeiling,
    // Nothing is replaced because a machine is busy.
    timing: { receiptPollMs: 20, rebroadcastMs: 100, bumpMs: 120_000, giveUpMs: 180_000 },
  });
  const venue = new HttpVenueClient({ url: unusedUrl });
  const reference = new HttpReferenceFeeds({ url: unusedUrl, clock: systemClock });
  const watch = new MarketWatch({ client: venue, marketSocketUrl: unusedUrl, clock: systemClock, reference });
  const logger = pino({ level: 'silent' });
  const metrics = createKeeperMetrics();
  const breaker = new VenueBreaker({ venue, logger, metrics });
  const chainKey = `${chainId}:${contracts.vault.toLowerCase()}`;
  const connections: KeeperConnections = {
    chain: {
      client,
      nodes: [client],
      health: new NodeHealth(1),
      chainId,
      chainKey,
      contracts,
      deploymentBlock: deployment.deploymentBlock,
      finality: 0n,
      rescanDelayMs: 500,
      newHead: new Wake(),
      lastHead: { block: null },
    },
    store,
    intents,
    shares,
    sender,
    orders: new VenueOrders({
      intents,
      venue,
      clock: systemClock,
      owner: 'keeper',
      failpoint: noFailpoint,
      breaker,
      logger,
      metrics,
    }),
    breaker,
    venue,
    venueDomain: { ...deployment.venueDomain, chainId, exchange: contracts.exchange },
    marks: watch,
    role: { keeper: deployment.roles.keeper.address, isHeld: true },
    priceSigners: [{ name: 'none', source: httpAttestationSource({ url: unusedUrl, secret: 'none listens here' }) }],
    oracles: [deployment.roles.oracle.address],
    policy: policyDefaults,
    route: 'direct',
    fills: new FillWatch({ store, chainKey, route: 'fill', policy: policyDefaults, clock: systemClock }),
    clock: systemClock,
    logger,
    metrics,
    health: () => [],
    onVenueOrder: () => undefined,
  };
  const project = positionProjection({
    chainKey,
    chainId,
    vault: contracts.vault,
    clock: systemClock,
    onFailed: () => undefined,
  });
  const tasks = new Map(keeperTasks(connections).map((task) => [task.name, task]));
  return {
    connections,
    run: async (taskName) => {
      const task = tasks.get(taskName);
      if (task === undefined) throw new Error(`there is no task ${taskName}`);
      await task.run(lease);
    },
    lease,
    databaseUrl: database.databaseUrl,
    refold: (positionKey) =>
      store.transaction(async (unit) => {
        await project(unit, { subjects: [positionKey.toLowerCase()], fromBlock: null });
      }),
    deployment,
    driver: new LocalDriver({ rpcUrl: chain.rpcUrl, deployment }),
    proxy,
    close: async () => {
      watch.close();
      reference.close();
      await shares.release();
      await lease.release();
      await store.close();
      await database.close();
      await proxy.close();
      await chain.close();
    },
  };
}
