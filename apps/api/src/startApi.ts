import type { IncomingMessage, Server } from 'node:http';
import type { ContractTerms, PolicyConfig } from '@core/policy';
import { raw } from '@core/pricing';
import {
  awaitEnds,
  type Clock,
  HeartbeatReader,
  keeperHeartbeat,
  listen,
  type NodeHealth,
  type Polling,
  pollRepeatedly,
  startOperationsServer,
} from '@core/runtime';
import type { Store } from '@core/store';
import type { QuoteSigner } from '@core/vault';
import { basePath } from '@core/wire';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { CallerDirectory } from './auth/callerDirectory.ts';
import { PartnerDirectory } from './auth/partnerDirectory.ts';
import type { TokenKeys } from './auth/tokenKeys.ts';
import { UserTokens } from './auth/userTokens.ts';
import { lockWatch } from './databaseWatch.ts';
import type { ApiConfig, ApiFailpoint } from './env.ts';
import { allHandlers, reservingHandlers } from './handlers.ts';
import { createApp } from './http/createApp.ts';
import { httpServer } from './http/httpServer.ts';
import { Overload } from './http/overload.ts';
import { isProxyOf, subjectBehind } from './http/remoteAddress.ts';
import type { OnPoison } from './http/soundOnes.ts';
import { KeeperView } from './markets/keeperView.ts';
import { MarketBoard } from './markets/marketBoard.ts';
import { type LiveMarkets, MarketDirectory } from './markets/marketDirectory.ts';
import type { PoolReader } from './markets/poolReader.ts';
import type { PastPriceSource } from './markets/priceHistories.ts';
import { partnersWithKeys } from './operate/partners.ts';
import { createMetrics, type PoisonKind, readinessObserver } from './operations.ts';
import { servePages } from './pages/servePages.ts';
import { SocketGateways, type SocketOptions } from './sockets/socketGateways.ts';
import { checkPartnerFees } from './terms/contract.ts';
import type { VaultView, VaultWatch } from './terms/vaultWatch.ts';

/** Dependencies of the service; the caller opens and closes them. */
export interface ApiParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly live: LiveMarkets;
  readonly pastPrices: PastPriceSource;
  readonly pool: Pick<PoolReader, 'pool' | 'outcomeLoanOf' | 'ageMs' | 'refresh' | 'refreshLoans'>;
  /** The vault's view of quotes signed now. */
  readonly vault: VaultView & Pick<VaultWatch, 'refreshHead' | 'refreshSigner'>;
  /** Nodes that the readings of pool and vault come from. */
  readonly nodes: Pick<NodeHealth, 'state'>;
  readonly signer: QuoteSigner;
  readonly tokenKeys: TokenKeys;
  /** Handshakes per wallet; the default limit when absent. */
  readonly handshakes?: SocketOptions['handshakes'];
  /** Reads the token keys again; called twice a second. Left out where they stay as they are. */
  readonly refreshTokenKeys?: () => Promise<void>;
  readonly policy: PolicyConfig;
  /** Terms that the vault allows, read before the start. */
  readonly contract: ContractTerms;
  /** Metrics of the dependencies, served with those of the API. */
  readonly registry?: Registry;
  readonly logger: Logger;
}

/** A running service. */
export interface RunningApi {
  /** Ends in the base path of the interface. */
  readonly url: string;
  /** Origin of the pages outside the interface. */
  readonly origin: string;
  readonly metricsUrl: string | null;
  /** Stop taking requests, let those under way finish, stop every poll. */
  close(): Promise<void>;
}

/**
 * Start the service on the loopback address.
 * @throws Fault when a partner's fee is above what the vault allows.
 */
export async function startApi(config: ApiConfig, parts: ApiParts): Promise<RunningApi> {
  const { store, clock, pool, vault, live, logger, policy, contract, signer, pastPrices } = parts;
  const metrics = createMetrics({ signerImplementation: parts.signer.implementation, registry: parts.registry });
  const onPoison = poisonReports(logger, metrics);
  const markets = new MarketDirectory({ store, live, clock, onPoison: onPoison('market') });
  const heartbeat = new HeartbeatReader(store.heartbeats, keeperHeartbeat);
  const keeper = new KeeperView(heartbeat, policy);
  const userTokens = new UserTokens({ keys: parts.tokenKeys, environment: config.environment, clock });
  const partners = new PartnerDirectory(store.partners);
  await checkPartnerFees(store.partners, { contract, environment: config.environment }, onPoison('partner'));
  await Promise.all([markets.refresh(), heartbeat.refresh()]);
  const locks = lockWatch(store, (holders) => logger.warn({ holders }, 'tables are locked'));
  const polls = startPolls(parts, { markets, heartbeat, locks });
  const readiness = readinessObserver({ store, locks, pool, vault, nodes: parts.nodes, live, keeper, clock });
  const { environment, idNamespace, marketListAgeMs: maxAgeMs, limits } = config;
  const callers = new CallerDirectory({ environment, apiKeys: store.apiKeys, partners, userTokens });
  const listing = { markets, pool, keeper, config: policy, contract, idNamespace, maxAgeMs };
  const board = new MarketBoard({ store, ...listing, onPoison: onPoison('market') });
  const views = { markets, board, pastPrices, pool, keeper, vault };
  const connections = { config, policy, contract, store, signer, userTokens, ...views, onPoison: onPoison('position') };
  const overload = new Overload(() => performance.now(), limits);
  let listeningOrigin = '';
  const publicOrigin = (): string => config.publicUrl ?? listeningOrigin;
  const { admission } = store;
  const pipeline = { store, limits: store.limits, clock, callers, admission, overload, bodyLimits: limits };
  const app = createApp({
    pipeline: { ...pipeline, ...hooksOf(config.failpoint), ...locks, indexedBlock: indexedBlockOf(store, config) },
    handlers: allHandlers(connections),
    reservingHandlers: reservingHandlers(connections),
    logger,
    observer: metrics,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    readiness,
    publicOrigin,
    servePages: (pages) => servePages(pages, { publicOrigin, tokenKeys: parts.tokenKeys }),
  });
  const { server, gate, drain } = httpServer(app, limits);
  const addressOf = (request: IncomingMessage): string => subjectBehind(request, isProxyOf(app));
  const { corsOrigins: allowedOrigins, metricsPort: port, listenHost: host } = config;
  const entry = { callers, partners, allowedOrigins, addressOf, publicOrigin, markets, board, idNamespace, overload };
  const shared = { ...entry, config: policy, observer: metrics.sockets, processLimits: limits, onPoison };
  const sockets = await startSockets(parts, shared, server);
  metrics.watch({
    connections: () => gate.size,
    eventsWaitingMs: () => sockets.eventsWaitingMs,
    lockedTableCount: locks.tableCount,
    headAgeMs: () => vault.headAgeMs(),
    isQuoteKeyAccepted: () => !vault.problems().includes('quote_signer'),
    freeUsdcUnits: () => freeUsdcUnitsOf(pool),
  });
  const { url: origin } = await listen(server, { port: config.port, host: config.listenHost });
  listeningOrigin = origin;
  const facts = { '/partners': () => partnersWithKeys(store) };
  const operationsOptions = { registry: metrics.registry, readiness, facts };
  const operations = port === null ? null : await startOperationsServer(operationsOptions, { port, host });
  return {
    url: `${origin}${basePath}`,
    origin,
    metricsUrl: operations === null ? null : `${operations.url}/metrics`,
    close: async () => {
      // An upgraded connection keeps the server open: the sockets say goodbye while the requests end.
      const metricsEnd = operations?.close() ?? Promise.resolve();
      const ends = { requests: drain(), sockets: sockets.close(), metrics: metricsEnd };
      await awaitEnds(Object.entries(ends), limits.drainMs + pollStopMs);
      await stopPolls(polls);
      overload.close();
    },
  };
}

function freeUsdcUnitsOf(view: Pick<PoolReader, 'pool'>): bigint | null {
  const pool = view.pool();
  return pool === null ? null : raw(pool.freeLiquidityUsdcUnits);
}

/** Log and count each item that cannot be read. */
function poisonReports(
  logger: Logger,
  metrics: { readonly poison: (kind: PoisonKind) => void },
): (kind: PoisonKind) => OnPoison {
  return (kind) =>
    ({ id }, err) => {
      logger.error({ err, kind, id }, 'an item cannot be read and is left out');
      metrics.poison(kind);
    };
}

async function startSockets(
  { store, clock, logger, handshakes }: ApiParts,
  shared: Omit<SocketOptions, 'store' | 'limits' | 'clock' | 'logger' | 'handshakes'>,
  server: Server,
): Promise<SocketGateways> {
  const counted = handshakes === undefined ? {} : { handshakes };
  const sockets = new SocketGateways({ ...shared, ...counted, store, limits: store.limits, clock, logger });
  await sockets.start();
  sockets.attach(server);
  return sockets;
}

const stopPolls = (polls: readonly NamedPoll[]): Promise<void> =>
  awaitEnds(
    polls.map(({ name, stop }) => [name, stop()]),
    pollStopMs,
  );

interface NamedPoll extends Polling {
  readonly name: string;
}

/** Time for the polls to end: each of their reads ends within five seconds. */
const pollStopMs = 5_000;
/** The slowest supported chain has a block every two seconds, and each read is a call to the node. */
const blockPollMs = 2_000;

/** Interval of the probe of the database, for its metrics. */
const probeMs = 5_000;

/** Everything that is read again and again beside the requests. A failed run is logged; the reading grows old. */
function startPolls(
  { store, clock, pool, vault, logger, refreshTokenKeys }: ApiParts,
  {
    markets,
    heartbeat,
    locks,
  }: {
    readonly markets: MarketDirectory;
    readonly heartbeat: HeartbeatReader;
    readonly locks: ReturnType<typeof lockWatch>;
  },
): readonly NamedPoll[] {
  const poll = (name: string, intervalMs: number, task: () => Promise<void>): NamedPoll => ({
    name,
    ...pollRepeatedly({ task, intervalMs, onFailure: (err) => logger.warn({ err, poll: name }, 'poll failed') }),
  });
  let readCount = 0;
  // Loans are read with every second reading of the pool: those of one moment share a call.
  const readPool = async (): Promise<void> => {
    readCount += 1;
    const loans = readCount % 2 === 1 ? pool.refreshLoans(markets.tradableOutcomeIds()) : null;
    await Promise.all([pool.refresh(), loans]);
  };
  return [
    poll('markets', 250, () => markets.refresh()),
    poll('database writes', probeMs, () => store.probeWrite(clock.nowMs())),
    poll('database locks', 1_000, () => locks.refresh()),
    poll('keeper', 500, () => heartbeat.refresh()),
    ...(refreshTokenKeys === undefined ? [] : [poll('token keys', 500, refreshTokenKeys)]),
    poll('pool', blockPollMs, readPool),
    poll('last block', blockPollMs, () => vault.refreshHead()),
    poll('quote signer', 15_000, () => vault.refreshSigner()),
    poll('holdings', 2_000, () => markets.refreshHoldings()),
  ];
}

/** Return the hooks of the pipeline, each a failpoint. */
const hooksOf = (failpoint?: ApiFailpoint) => ({
  afterReserve: () => failpoint?.('after_reserve'),
  beforeAnswer: () => failpoint?.('before_answer'),
});

/** Return a reader of the block up to which the vault's chain is indexed. */
function indexedBlockOf({ chain }: Pick<Store, 'chain'>, config: ApiConfig): () => Promise<bigint | null> {
  const chainKey = `${config.chainId}:${config.contracts.vault.toLowerCase()}`;
  return async () => (await chain.cursor(chainKey))?.blockNumber ?? null;
}
