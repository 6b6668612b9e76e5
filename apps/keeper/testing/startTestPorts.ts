import { deployLocal, type LocalDeployment, LocalDesk, startLocalChain } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { type Lease, openStore } from '@core/store';
import { createTestDatabase } from '@core/store/testing';
import { type HttpFaultProxy, startHttpFaultProxy } from '@core/testkit';
import { HttpReferenceFeeds, HttpVenueClient, MarketWatch, systemClock } from '@core/venue';
import pino from 'pino';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { DebtWatch } from '../src/debt/debtWatch.ts';
import { httpAttestationSource } from '../src/effects/attestationSource.ts';
import { reachNothing } from '../src/effects/crashPoint.ts';
import { TransactionLane } from '../src/effects/transactionLane.ts';
import { createKeeperMetrics } from '../src/http/keeperMetrics.ts';
import type { KeeperPorts } from '../src/ports.ts';
import { SaleWaits } from '../src/position/saleWaits.ts';
import { effectsLock } from '../src/tasks.ts';

const nobodyUrl = 'http://127.0.0.1:9';

export interface TestPorts {
  readonly ports: KeeperPorts;
  readonly lease: Lease;
  readonly deployment: LocalDeployment;
  /** Speaks to the chain directly. */
  readonly desk: LocalDesk;
  /** Stands between the ports and the chain. */
  readonly proxy: HttpFaultProxy;
  close(): Promise<void>;
}

/** The keeper's ports on a real chain, behind a proxy that fails on request, and a real database; no venue, no signer. */
export async function startTestPorts(): Promise<TestPorts> {
  const chain = await startLocalChain({ blockIntervalMs: 0 });
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  const proxy = await startHttpFaultProxy(chain.rpcUrl);
  const database = await createTestDatabase();
  const store = openStore({ databaseUrl: database.databaseUrl });
  const lease = await store.locks.tryAcquire(effectsLock);
  if (lease === null) {
    throw new Error('the lock of a fresh database is free');
  }
  const client = createPublicClient({ transport: http(proxy.url, { timeout: 1_000, retryCount: 0 }), cacheTime: 0 });
  const { chainId, contracts } = deployment;
  const lane = new TransactionLane({
    intents: store.intents,
    client,
    account: privateKeyToAccount(deployment.roles.keeper.privateKey),
    chainId,
    clock: systemClock,
    lockName: effectsLock,
    reach: reachNothing,
    timing: { receiptPollMs: 20, rebroadcastMs: 100, bumpMs: 400, giveUpMs: 5_000 },
  });
  const venue = new HttpVenueClient({ url: nobodyUrl });
  const reference = new HttpReferenceFeeds({ url: nobodyUrl, clock: systemClock });
  const watch = new MarketWatch({ client: venue, marketSocketUrl: nobodyUrl, clock: systemClock, reference });
  const ports: KeeperPorts = {
    store,
    client,
    venue,
    attestations: httpAttestationSource({ url: nobodyUrl, secret: 'nobody listens here' }),
    lane,
    clock: systemClock,
    policy: policyDefaults,
    contracts,
    venueDomain: { ...deployment.venueDomain, chainId, exchange: contracts.exchange },
    chainId,
    chainKey: `${chainId}:${contracts.vault.toLowerCase()}`,
    deploymentBlock: deployment.deploymentBlock,
    finalityDepth: 0n,
    oracles: [deployment.roles.oracle.address],
    venueOwner: 'keeper',
    reach: reachNothing,
    debts: new DebtWatch(watch),
    saleWaits: new SaleWaits(),
    logger: pino({ level: 'silent' }),
    metrics: createKeeperMetrics(),
    health: () => [],
  };
  return {
    ports,
    lease,
    deployment,
    desk: new LocalDesk({ rpcUrl: chain.rpcUrl, deployment }),
    proxy,
    close: async () => {
      watch.close();
      reference.close();
      await lease.release();
      await store.close();
      await database.close();
      await proxy.close();
      await chain.close();
    },
  };
}
