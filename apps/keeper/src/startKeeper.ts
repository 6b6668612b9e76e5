import { type PolicyConfig, policyDefaults } from '@core/policy';
import { openStore, type Store } from '@core/store';
import { vaultAbi } from '@core/vault';
import { type Clock, followedClock, HttpReferenceFeeds, HttpVenueClient, MarketWatch, systemClock } from '@core/venue';
import pino, { type Logger } from 'pino';
import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { DebtWatch } from './debt/debtWatch.ts';
import { httpAttestationSource } from './effects/attestationSource.ts';
import { type Reach, reachNothing } from './effects/crashPoint.ts';
import { Leases } from './effects/leases.ts';
import { type LaneTiming, TransactionLane } from './effects/transactionLane.ts';
import { createKeeperMetrics } from './http/keeperMetrics.ts';
import { startMetricsServer } from './http/metricsServer.ts';
import { type Loop, startLoop } from './loop.ts';
import type { KeeperContracts, KeeperPorts } from './ports.ts';
import { SaleWaits } from './position/saleWaits.ts';
import { effectsLock, type TaskName, tasks } from './tasks.ts';

export interface KeeperConfig {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly contracts: KeeperContracts;
  /** Where the index begins. */
  readonly deploymentBlock: bigint;
  /** Blocks behind the head that may still be reorganised; 0 on the local chain. */
  readonly finalityDepth?: number;
  /** EIP-712 name and version of the exchange. */
  readonly venueDomain: { readonly name: string; readonly version: string };
  readonly venueUrl: string;
  /** `ws://…/ws/market`. */
  readonly marketSocketUrl: string;
  /** Origin of spot prices and games; `venueUrl` when absent. */
  readonly referenceUrl?: string;
  /** The keeper's account name at the venue. */
  readonly venueOwner?: string;
  readonly priceSignerUrl: string;
  readonly priceSignerSecret: string;
  readonly privateKey: Hex;
  /** Oracles whose conditions are listed. */
  readonly oracles: readonly Address[];
  /** Origin of the simulator whose clock is followed; the system clock when absent. */
  readonly clockUrl?: string;
  /** Port of metrics and health on loopback; 0 takes a free one. */
  readonly metricsPort?: number;
  readonly policy?: PolicyConfig;
  readonly intervalsMs?: Partial<Record<TaskName, number>>;
  readonly laneTiming?: Partial<LaneTiming>;
  /** Told about every moment at which a process may die; recovery tests die there. */
  readonly reach?: Reach;
  readonly logger?: Logger;
}

export interface Keeper {
  readonly address: Address;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

const requestTimeoutMs = 5_000;
/** The watch repeats its reads: one that takes longer is given up. */
const feedTimeoutMs = 2_000;

/**
 * Starts the keeper. It keeps nothing in memory that matters: killed at any moment and started again, it goes on from the
 * chain, the venue and its intents.
 *
 * @throws Error when the chain is another one, or the vault does not know the key as a keeper.
 */
export async function startKeeper(config: KeeperConfig): Promise<Keeper> {
  const logger = config.logger ?? pino({ level: 'silent' });
  const client = createPublicClient({ transport: http(config.rpcUrl, { timeout: requestTimeoutMs }), cacheTime: 0 });
  const account = privateKeyToAccount(config.privateKey);
  await checkVault(client, config, account.address);
  const followed = config.clockUrl === undefined ? null : await followedClock({ url: config.clockUrl });
  const clock = followed ?? systemClock;
  const store = openStore({ databaseUrl: config.databaseUrl });
  const lane = laneOf(config, { store, client, clock });
  const feed = feedOf(config, clock);
  let loop: Loop | null = null;
  const ports: KeeperPorts = {
    ...portsOf(config, { store, client, clock, lane, logger, debts: new DebtWatch(feed.watch) }),
    health: () => loop?.health() ?? [],
  };
  const leases = new Leases(store.locks);
  const server = await startMetricsServer(ports, config.metricsPort ?? 0);
  const intervalsMs = config.intervalsMs ?? {};
  loop = startLoop(
    ports,
    leases,
    tasks.map((task) => ({ ...task, intervalMs: intervalsMs[task.name] ?? task.intervalMs })),
  );
  logger.info({ address: account.address, metricsUrl: server.url }, 'keeper started');
  return {
    address: account.address,
    metricsUrl: server.url,
    close: async () => {
      await loop?.stop();
      await leases.release();
      await server.close();
      feed.close();
      followed?.close();
      await store.close();
    },
  };
}

interface Parts {
  readonly store: Store;
  readonly client: PublicClient;
  readonly clock: Clock;
  readonly lane: TransactionLane;
  readonly logger: Logger;
  readonly debts: DebtWatch;
}

/** The keeper's own feed: neither the API's nor the signer's view of a market is believed. */
function feedOf(config: KeeperConfig, clock: Clock): { readonly watch: MarketWatch; close(): void } {
  const { venueUrl, marketSocketUrl, policy } = config;
  const reference = new HttpReferenceFeeds({ url: config.referenceUrl ?? venueUrl, clock });
  const client = new HttpVenueClient({ url: venueUrl, timeoutMs: feedTimeoutMs, retry: { maxAttempts: 2 } });
  const watch = new MarketWatch({
    client,
    marketSocketUrl,
    clock,
    reference,
    ...(policy === undefined ? {} : { config: policy }),
  });
  return {
    watch,
    close: () => {
      watch.close();
      reference.close();
    },
  };
}

function laneOf(
  config: KeeperConfig,
  { store, client, clock }: Pick<Parts, 'store' | 'client' | 'clock'>,
): TransactionLane {
  return new TransactionLane({
    intents: store.intents,
    client,
    account: privateKeyToAccount(config.privateKey),
    chainId: config.chainId,
    clock,
    lockName: effectsLock,
    reach: config.reach ?? reachNothing,
    ...(config.laneTiming === undefined ? {} : { timing: config.laneTiming }),
  });
}

function portsOf(config: KeeperConfig, parts: Parts): Omit<KeeperPorts, 'health'> {
  const { chainId, contracts } = config;
  return {
    ...parts,
    venue: new HttpVenueClient({ url: config.venueUrl }),
    attestations: httpAttestationSource({ url: config.priceSignerUrl, secret: config.priceSignerSecret }),
    policy: config.policy ?? policyDefaults,
    contracts,
    venueDomain: { ...config.venueDomain, chainId, exchange: contracts.exchange },
    chainId,
    chainKey: `${chainId}:${contracts.vault.toLowerCase()}`,
    deploymentBlock: config.deploymentBlock,
    finalityDepth: BigInt(config.finalityDepth ?? 0),
    oracles: config.oracles,
    venueOwner: config.venueOwner ?? 'keeper',
    reach: config.reach ?? reachNothing,
    saleWaits: new SaleWaits(),
    metrics: createKeeperMetrics(),
  };
}

/** Chain and role are right, or nothing starts. */
async function checkVault(client: PublicClient, config: KeeperConfig, keeper: Address): Promise<void> {
  const chainId = await client.getChainId();
  if (chainId !== config.chainId) {
    throw new Error(`the chain is ${chainId}, not ${config.chainId}`);
  }
  const keeperRole = 1;
  const isKeeper = await client.readContract({
    address: config.contracts.vault,
    abi: vaultAbi,
    functionName: 'hasRole',
    args: [keeperRole, keeper],
  });
  if (!isKeeper) {
    throw new Error(`the vault does not know ${keeper} as a keeper`);
  }
}
