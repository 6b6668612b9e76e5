import { httpAttestationSource } from '@core/attestation';
import { observedSigner } from '@core/keys';
import { policyDefaults, type Route, routes } from '@core/policy';
import {
  awaitEnds,
  type Clock,
  createLogger,
  httpExchange,
  type Logger,
  openClock,
  pollRepeatedly,
  watchNodes,
} from '@core/runtime';
import { openStore, type Store } from '@core/store';
import { type PlannedRestart, restartPauseMsOf } from '@core/venue';
import type { Address } from 'viem';
import { startMetricsServer } from './http/metricsServer.ts';
import { FillWatch } from './indexer/fillWatch.ts';
import { type ChainSettings, chainReachOf, checkVault, openChain, sendingClientOf } from './openChain.ts';
import { openVenue, type VenueSettings } from './openVenue.ts';
import { createKeeperMetrics, type KeeperMetrics } from './runner/keeperMetrics.ts';
import { Leases, lockHolder } from './runner/leases.ts';
import { type Loop, startLoop } from './runner/loop.ts';
import { MarketShares, type MarketSharesOptions, sharesOfOthers } from './runner/marketShares.ts';
import type { OwnRole } from './signers/probePriceSigners.ts';
import { keeperTasks } from './tasks.ts';
import { type Failpoint, noFailpoint } from './transactions/failpoint.ts';
import type { FeeCeiling } from './transactions/feeReader.ts';
import { intentsOf } from './transactions/intents.ts';
import { TransactionSender } from './transactions/transactionSender.ts';
import { transactionSignerOf } from './transactions/transactionSigner.ts';
import { VenueBreaker } from './transactions/venueBreaker.ts';
import { VenueOrders } from './transactions/venueOrders.ts';

export interface KeeperConfig extends ChainSettings, VenueSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly route: Route;
  /** EIP-712 name and version of the exchange. */
  readonly venueDomain: { readonly name: string; readonly version: string };
  /** Each with the secret that it shares with the keeper. */
  readonly priceSigners: readonly { readonly url: string; readonly secret: string }[];
  /** Oracles whose conditions are listed. */
  readonly oracles: readonly Address[];
  /** Planned restarts of the venue, in whose windows nothing opens; none when absent. */
  readonly restarts?: readonly PlannedRestart[];
  /** Upper bound of the fee per gas. */
  readonly maxFeePerGasWei?: bigint;
  /** Origin of the simulator whose clock is followed; the system clock when absent. */
  readonly clockUrl?: string;
  /** Port of metrics and health; 0 takes a free one. */
  readonly metricsPort?: number;
  /** Interface of metrics and health; loopback when absent. */
  readonly metricsHost?: string;
  /** Called at every moment at which a process may die; recovery tests kill it there. */
  readonly failpoint?: Failpoint;
  readonly logger?: Logger;
}

export interface Keeper {
  readonly address: Address;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

/** Interval of the probe of the database, for its metrics. */
const probeMs = 5_000;
/** Time for the poll of the chain to end: its reads end within a second. */
const reachStopMs = 5_000;

/** 2,000 gwei: several times the highest prices of the supported chains. */
const defaultMaxFeePerGasWei = 2_000_000_000_000n;

/** Open the store, bind it to the vault and probe it. @throws FriendlyError when it belongs to another one. */
async function openBoundStore(
  { databaseUrl, redisUrl, chainId, contracts }: KeeperConfig,
  { clock, logger, metrics }: { readonly clock: Clock; readonly logger: Logger; readonly metrics: KeeperMetrics },
): Promise<Store> {
  const store = openStore({
    databaseUrl,
    redisUrl: redisUrl ?? undefined,
    deployment: { chainId, vault: contracts.vault },
    onRedisFault: (err) => logger.warn({ err }, 'redis unreachable: event readers poll'),
  });
  metrics.shared.watchPool(store.connections);
  try {
    await store.binding.bind({ chainId, vaultAddress: contracts.vault, nowMs: clock.nowMs() });
    const probing = pollRepeatedly({
      task: () => store.probeWrite(clock.nowMs()),
      intervalMs: probeMs,
      onFailure: (err) => logger.warn({ err }, 'the database takes no writes'),
    });
    return { ...store, close: () => Promise.all([probing.stop(), store.close()]).then(() => undefined) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Start the keeper. It has no essential state in memory: killed at any moment and restarted, it resumes from the chain,
 * the venue and its intents.
 * @throws Fault when the chain does not answer or has another id.
 * @throws Error when the vault has not appointed the key as a keeper.
 */
export async function startKeeper(config: KeeperConfig): Promise<Keeper> {
  const logger = config.logger ?? createLogger({ name: 'keeper', level: 'silent' });
  const chain = await openChain(config);
  const metrics = createKeeperMetrics();
  watchNodes(metrics.registry, chain.health);
  const account = transactionSignerOf(observedSigner(config.signer, metrics.shared.onSignature));
  await checkVault(chain, account.address);
  const clock = await openClock(config.clockUrl ?? null);
  const common = { clock, logger, metrics };
  const store = await openBoundStore(config, common);
  const intents = intentsOf(store.intents, (id, err) => logger.error({ id, err }, 'intent unreadable'));
  const effects = { intents, clock, failpoint: config.failpoint ?? noFailpoint };
  const venue = await openVenue(config, { clock, onRequest: metrics.shared.onVenueRequest });
  const feeCeiling = feeCeilingOf(config, { metrics, logger });
  const plannedPauseMs = plannedPauseOf(config, clock);
  const breaker = new VenueBreaker({ venue: venue.client, logger, metrics, plannedPauseMs });
  const leases = new Leases(store.locks);
  const others = async (shareCount: number) =>
    sharesOfOthers(await store.heartbeats.all(), { address: account.address, nowMs: clock.nowMs(), shareCount });
  const shares = marketSharesOf(store, { others, metrics });
  const release = () => Promise.all([shares.release(), leases.release()]).then(() => undefined);
  const isFollowed = async () => (await others(1)).length > 0;
  const client = sendingClientOf(config, chain);
  const sender = new TransactionSender({ ...effects, client, account, chainId: chain.chainId, feeCeiling });
  const { role, sending } = ownStateOf(sender);
  const chainReach = chainReachOf(config, chain, { isFollowed, onLost: release, sending, clock, logger, metrics });
  const fills = new FillWatch({ store, chainKey: chain.chainKey, ...routedOf(config), clock });
  let loop: Loop | null = null;
  const health = () => loop?.health() ?? [];
  const tasks = keeperTasks({
    chain,
    store,
    intents,
    shares,
    sender,
    role,
    orders: new VenueOrders({ ...effects, venue: venue.client, owner: venue.owner, breaker, logger, metrics }),
    breaker,
    venue: venue.client,
    onVenueOrder: venue.onOrder,
    venueDomain: { ...config.venueDomain, chainId: chain.chainId, exchange: config.contracts.exchange },
    marks: venue.watch,
    priceSigners: config.priceSigners.map(priceSignerOf),
    oracles: config.oracles,
    ...routedOf(config),
    fills,
    ...common,
    health,
    chainReport: () => chainReach.report(),
  });
  const { metricsPort: port = 0, metricsHost: host } = config;
  const state = { health, nodes: chain.health, chain: () => chainReach.report(), fills };
  const server = await startMetricsServer({ registry: metrics.registry, ...state, port, host });
  const isFit = (): boolean => chainReach.isReached;
  loop = startLoop({ tasks, hold: lockHolder(leases, account.address), isFit, metrics, logger, clock });
  logger.info({ address: account.address, metricsUrl: server.url }, 'keeper started');
  return {
    address: account.address,
    metricsUrl: server.url,
    close: async () => {
      await awaitEnds([['chain reach', chainReach.stop()]], reachStopMs);
      await loop?.stop();
      await release();
      await server.close();
      venue.close();
      clock.close();
      await store.close();
    },
  };
}

function marketSharesOf(
  { locks, sharing }: Pick<Store, 'locks' | 'sharing'>,
  { others, metrics }: Pick<MarketSharesOptions, 'others'> & { readonly metrics: KeeperMetrics },
): MarketShares {
  return new MarketShares({
    locks,
    shareCount: () => sharing.shareCount(),
    others,
    onChanged: (heldCount, shareCount) => {
      metrics.heldShares.set(heldCount);
      metrics.shareCount.set(shareCount);
    },
  });
}

/** Return the role of the sender's account, and the state of its transactions with it. */
function ownStateOf(sender: TransactionSender) {
  const role: OwnRole = { keeper: sender.address, isHeld: true };
  return { role, sending: () => ({ ...sender.state, hasRole: role.isHeld }) };
}

/** Return the planned pause of the venue that runs now, in milliseconds. */
const plannedPauseOf =
  ({ restarts = [] }: KeeperConfig, clock: Clock) =>
  (): number =>
    restartPauseMsOf(restarts, clock.nowMs());

/** Return the route, and the policy with the attempts of its orders. */
function routedOf({ route, policy = policyDefaults }: KeeperConfig) {
  return { route, policy: { ...policy, execution: routes[route].executionOf(policy) } };
}

const priceSignerOf = (signer: KeeperConfig['priceSigners'][number]) => ({
  name: new URL(signer.url).host,
  source: httpAttestationSource({ ...signer, exchange: httpExchange }),
});

function feeCeilingOf(
  { maxFeePerGasWei }: KeeperConfig,
  { metrics, logger }: { readonly metrics: KeeperMetrics; readonly logger: Logger },
): FeeCeiling {
  return {
    maxFeePerGasWei: maxFeePerGasWei ?? defaultMaxFeePerGasWei,
    onReached: () => {
      metrics.feeCeiling.inc();
      logger.warn('gas price above the ceiling: transactions wait');
    },
  };
}
