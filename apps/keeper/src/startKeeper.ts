import { policyDefaults } from '@core/policy';
import {
  type Clock,
  chainClientOf,
  chainNodesOf,
  connectChain,
  createLogger,
  httpExchange,
  type Logger,
  openClock,
} from '@core/runtime';
import { openStore, type Store } from '@core/store';
import { httpAttestationSource, Role, vaultAbi } from '@core/vault';
import type { Address, PublicClient } from 'viem';
import { startMetricsServer } from './http/metricsServer.ts';
import { openVenue, type VenueSettings } from './openVenue.ts';
import { ChainReach } from './runner/chainReach.ts';
import { createKeeperMetrics, type KeeperMetrics } from './runner/keeperMetrics.ts';
import { Leases, lockHolder } from './runner/leases.ts';
import { type Loop, startLoop } from './runner/loop.ts';
import { MarketShares } from './runner/marketShares.ts';
import { sharesOfOthers } from './runner/otherKeepers.ts';
import { type KeeperChain, type KeeperContracts, keeperTasks } from './tasks.ts';
import { type Failpoint, noFailpoint } from './transactions/failpoint.ts';
import { intentsOf } from './transactions/intents.ts';
import type { FeeCeiling } from './transactions/signedTransactions.ts';
import { TransactionSender } from './transactions/transactionSender.ts';
import { transactionSignerOf } from './transactions/transactionSigner.ts';
import { VenueBreaker } from './transactions/venueBreaker.ts';
import { VenueOrders } from './transactions/venueOrders.ts';

export interface KeeperConfig extends VenueSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly rpcUrl: string;
  /** Further nodes of the same chain. */
  readonly fallbackRpcUrls?: readonly string[];
  readonly chainId: number;
  readonly contracts: KeeperContracts;
  /** Where the index begins. */
  readonly deploymentBlock: bigint;
  /** Blocks behind the head that may still be reorganised; 0 on the local chain. */
  readonly finalityDepth?: number;
  /** How long blocks have been final before they are read a second time; a minute and a half by default. */
  readonly rescanDelayMs?: number;
  /** EIP-712 name and version of the exchange. */
  readonly venueDomain: { readonly name: string; readonly version: string };
  /** Each with the secret that it shares with the keeper. */
  readonly priceSigners: readonly { readonly url: string; readonly secret: string }[];
  /** Oracles whose conditions are listed. */
  readonly oracles: readonly Address[];
  /** No transaction offers more per gas. */
  readonly maxFeePerGasWei?: bigint;
  /** Origin of the simulator whose clock is followed; the system clock when absent. */
  readonly clockUrl?: string;
  /** Port of metrics and health on loopback; 0 takes a free one. */
  readonly metricsPort?: number;
  /** Called at every moment at which a process may die; recovery tests die there. */
  readonly failpoint?: Failpoint;
  readonly logger?: Logger;
}

export interface Keeper {
  readonly address: Address;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

const requestTimeoutMs = 5_000;
/** Whether the chain answers at all is asked twice a second. */
const reachTimeoutMs = 1_000;
/** Longer than a node that lags usually does. */
const usualRescanDelayMs = 90_000;
/** 2,000 gwei: several times what the chain costs on its worst days. */
const usualMaxFeePerGasWei = 2_000_000_000_000n;

function storeOf({ databaseUrl, redisUrl }: KeeperConfig, logger: Logger): Store {
  return openStore({
    databaseUrl,
    redisUrl: redisUrl ?? undefined,
    onRedisFault: (err) => logger.warn({ err }, 'redis does not answer: readers of events look by themselves'),
  });
}

/**
 * Starts the keeper. It keeps nothing in memory that matters: killed at any moment and started again, it goes on from
 * the chain, the venue and its intents.
 *
 * @throws Fault when the chain does not answer or is another one.
 * @throws Error when the vault does not know the key as a keeper.
 */
export async function startKeeper(config: KeeperConfig): Promise<Keeper> {
  const logger = config.logger ?? createLogger({ name: 'keeper', level: 'silent' });
  const chain = await openChain(config);
  const { client } = chain;
  const account = transactionSignerOf(config.privateKey);
  await checkVault(client, config, account.address);
  const clock = await openClock(config.clockUrl ?? null);
  const store = storeOf(config, logger);
  const intents = intentsOf(store.intents);
  const failpoint = config.failpoint ?? noFailpoint;
  const venue = await openVenue(config, clock);
  const metrics = createKeeperMetrics();
  const feeCeiling = feeCeilingOf(config, { metrics, logger });
  const breaker = new VenueBreaker({ venue: venue.client, logger, metrics });
  const leases = new Leases(store.locks);
  const shares = sharesOf(account.address, { store, clock, metrics });
  const giveBack = () => Promise.all([shares.release(), leases.release()]).then(() => undefined);
  let loop: Loop | null = null;
  const health = () => loop?.health() ?? [];
  const tasks = keeperTasks({
    chain,
    store,
    intents,
    shares,
    sender: new TransactionSender({
      intents,
      client: sendingClientOf(config),
      account,
      chainId: chain.chainId,
      clock,
      failpoint,
      feeCeiling,
    }),
    orders: new VenueOrders({ intents, venue: venue.client, clock, owner: venue.owner, failpoint, breaker }),
    breaker,
    venue: venue.client,
    onVenueOrder: venue.onOrder,
    venueDomain: { ...config.venueDomain, chainId: chain.chainId, exchange: config.contracts.exchange },
    marks: venue.watch,
    priceSigners: config.priceSigners.map((signer) => ({
      name: new URL(signer.url).host,
      source: httpAttestationSource({ ...signer, exchange: httpExchange }),
    })),
    oracles: config.oracles,
    policy: config.policy ?? policyDefaults,
    clock,
    logger,
    metrics,
    health,
  });
  const server = await startMetricsServer({ registry: metrics.registry, health, port: config.metricsPort ?? 0 });
  const chainReach = new ChainReach({ client: reachClientOf(config), onLost: giveBack, logger, metrics });
  const isFit = (): boolean => chainReach.isReached;
  loop = startLoop({ tasks, hold: lockHolder(leases, account.address), isFit, metrics, logger, clock });
  logger.info({ address: account.address, metricsUrl: server.url }, 'keeper started');
  return {
    address: account.address,
    metricsUrl: server.url,
    close: async () => {
      await chainReach.stop();
      await loop?.stop();
      await giveBack();
      await server.close();
      venue.close();
      clock.close();
      await store.close();
    },
  };
}

/** The shares of the markets that this process holds: none yet. */
function sharesOf(
  address: Address,
  { store, clock, metrics }: { readonly store: Store; readonly clock: Clock; readonly metrics: KeeperMetrics },
): MarketShares {
  return new MarketShares({
    locks: store.locks,
    others: async () => sharesOfOthers(await store.heartbeats.all(), { address, nowMs: clock.nowMs() }),
    onChanged: (heldCount) => metrics.heldShares.set(heldCount),
  });
}

const rpcOf = ({ rpcUrl, fallbackRpcUrls }: KeeperConfig) => ({ rpcUrl, fallbackRpcUrls: fallbackRpcUrls ?? [] });

/** @throws Fault when the chain does not answer or is another one. */
async function openChain(config: KeeperConfig): Promise<KeeperChain> {
  const { chainId, contracts, deploymentBlock, finalityDepth, rescanDelayMs } = config;
  const reading = { ...rpcOf(config), timeoutMs: requestTimeoutMs, isBatched: true };
  return {
    client: await connectChain({ ...reading, chainId }),
    nodes: chainNodesOf(reading),
    chainId,
    chainKey: `${chainId}:${contracts.vault.toLowerCase()}`,
    contracts,
    deploymentBlock,
    finalityDepth: BigInt(finalityDepth ?? 0),
    rescanDelayMs: rescanDelayMs ?? usualRescanDelayMs,
  };
}

/** Each request by itself: a transaction that is due does not wait for the answers to a batch of reads. */
const sendingClientOf = (config: KeeperConfig): PublicClient =>
  chainClientOf({ ...rpcOf(config), timeoutMs: requestTimeoutMs });

/** Gives up soon and repeats nothing: it only asks whether the chain answers. */
const reachClientOf = (config: KeeperConfig): PublicClient =>
  chainClientOf({ ...rpcOf(config), timeoutMs: reachTimeoutMs, retryCount: 0 });

function feeCeilingOf(
  { maxFeePerGasWei }: KeeperConfig,
  { metrics, logger }: { readonly metrics: KeeperMetrics; readonly logger: Logger },
): FeeCeiling {
  return {
    maxFeePerGasWei: maxFeePerGasWei ?? usualMaxFeePerGasWei,
    onReached: () => {
      metrics.feeCeiling.inc();
      logger.warn('the price of gas is above the ceiling: transactions wait');
    },
  };
}

/** The role is right, or nothing starts. */
async function checkVault(client: PublicClient, config: KeeperConfig, keeper: Address): Promise<void> {
  const isKeeper = await client.readContract({
    address: config.contracts.vault,
    abi: vaultAbi,
    functionName: 'hasRole',
    args: [Role.Keeper, keeper],
  });
  if (!isKeeper) {
    throw new Error(`the vault does not know ${keeper} as a keeper`);
  }
}
