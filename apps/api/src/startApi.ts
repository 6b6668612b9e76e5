import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { ContractTerms, PolicyConfig } from '@core/policy';
import {
  type Clock,
  failpointAt,
  HeartbeatReader,
  keeperHeartbeat,
  listen,
  type Polling,
  pollRepeatedly,
  startOperationsServer,
} from '@core/runtime';
import type { Store } from '@core/store';
import type { QuoteSigner } from '@core/vault';
import { basePath } from '@core/wire';
import type { Logger } from 'pino';
import { CallerDirectory } from './auth/callerDirectory.ts';
import { PartnerDirectory } from './auth/partnerDirectory.ts';
import type { TokenKeys } from './auth/tokenKeys.ts';
import { UserTokens } from './auth/userTokens.ts';
import type { ApiConfig } from './env.ts';
import { allHandlers, allPreparers } from './handlers.ts';
import { createApp, remoteAddressOf } from './http/createApp.ts';
import { Overload } from './http/overload.ts';
import { KeeperView } from './markets/keeperView.ts';
import { MarketBoard } from './markets/marketBoard.ts';
import { type LiveMarkets, MarketDirectory } from './markets/marketDirectory.ts';
import type { PoolReader } from './markets/poolReader.ts';
import { partnersWithKeys } from './operate/partners.ts';
import { createMetrics, readinessObserver } from './operations.ts';
import { servePages } from './pages/servePages.ts';
import { SocketGateways, type SocketOptions } from './sockets/socketGateways.ts';
import { checkPartnerFees } from './terms/contract.ts';

/** What the service stands on; the caller opens and closes it. */
export interface ApiParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly live: LiveMarkets;
  readonly pool: Pick<PoolReader, 'pool' | 'outcomeLoanOf' | 'ageMs' | 'refresh' | 'refreshLoans'>;
  readonly signer: QuoteSigner;
  readonly tokenKeys: TokenKeys;
  /** How many handshakes a wallet has; as usual where it is left out. */
  readonly handshakes?: SocketOptions['handshakes'];
  /** Reads the token keys again; called twice a second. Left out where they stay as they are. */
  readonly refreshTokenKeys?: () => Promise<void>;
  readonly policy: PolicyConfig;
  /** What the vault allows, as read before the start. */
  readonly contract: ContractTerms;
  readonly logger: Logger;
}

/** A running service. */
export interface RunningApi {
  /** Ends in the base path of the interface. */
  readonly url: string;
  /** Origin of the pages outside the interface. */
  readonly origin: string;
  readonly metricsUrl: string | null;
  /** Stops taking requests, lets those under way finish, stops every poll. */
  close(): Promise<void>;
}

/** Slow clients may not hold a connection for ever. */
const requestTimeoutMs = 30_000;
const headersTimeoutMs = 10_000;

/**
 * Starts the service on the loopback address.
 * @throws Fault when a partner's fee is above what the vault allows.
 */
export async function startApi(config: ApiConfig, parts: ApiParts): Promise<RunningApi> {
  const { store, clock, pool, live, logger, policy, contract } = parts;
  const markets = new MarketDirectory({ store, live, clock });
  const heartbeat = new HeartbeatReader(store.heartbeats, keeperHeartbeat);
  const keeper = new KeeperView(heartbeat, policy);
  const userTokens = new UserTokens({ keys: parts.tokenKeys, environment: config.environment, clock });
  const partners = new PartnerDirectory(store.partners);
  const failpoint = failpointAt(config.failpoint);
  await checkPartnerFees(store.partners, contract, config.environment);
  await Promise.all([markets.refresh(), heartbeat.refresh()]);
  const polls = startPolls(parts, { markets, heartbeat });
  const readiness = readinessObserver({ store, pool, live, keeper, clock });
  const metrics = createMetrics({ signerImplementation: parts.signer.implementation });
  const { environment, idNamespace, marketListAgeMs: maxAgeMs } = config;
  const callers = new CallerDirectory({ environment, apiKeys: store.apiKeys, partners, userTokens });
  const board = new MarketBoard({ store, markets, pool, keeper, config: policy, contract, idNamespace, maxAgeMs });
  const { signer } = parts;
  const connections = { config, policy, contract, store, signer, userTokens, markets, board, pool, keeper };
  const overload = new Overload();
  let listeningOrigin = '';
  const publicOrigin = (): string => config.publicUrl ?? listeningOrigin;
  const app = createApp({
    pipeline: {
      store,
      limits: store.limits,
      clock,
      callers,
      admission: store.admission,
      afterReserve: () => failpoint('after_reserve'),
      beforeAnswer: () => failpoint('before_answer'),
    },
    handlers: allHandlers(connections),
    preparers: allPreparers(connections),
    logger,
    observer: metrics,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    readiness,
    publicOrigin,
    servePages: (pages) => servePages(pages, { publicOrigin, tokenKeys: parts.tokenKeys }),
    overload,
  });
  const server = createServer(app);
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = headersTimeoutMs;
  const addressOf = (request: IncomingMessage): string => remoteAddressOf(app, request);
  const { corsOrigins: allowedOrigins } = config;
  const entry = { callers, partners, allowedOrigins, addressOf, publicOrigin };
  const sockets = await startSockets(
    parts,
    { ...entry, markets, board, idNamespace, observer: metrics.sockets },
    server,
  );
  const { url: origin, close } = await listen(server, { port: config.port });
  listeningOrigin = origin;
  const facts = { '/partners': () => partnersWithKeys(store) };
  const { metricsPort } = config;
  const shown = { registry: metrics.registry, readiness, facts };
  const operations = metricsPort === null ? null : await startOperationsServer(shown, metricsPort);
  return {
    url: `${origin}${basePath}`,
    origin,
    metricsUrl: operations === null ? null : `${operations.url}/metrics`,
    close: async () => {
      // An upgraded connection keeps the server open: the sockets say goodbye while the requests end.
      await Promise.all([close(), sockets.close(), operations?.close()]);
      await Promise.all(polls.map((poll) => poll.stop()));
      overload.close();
    },
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

/** Everything that is read again and again beside the requests. A failed run is logged; the reading grows old. */
function startPolls(
  { pool, logger, refreshTokenKeys }: ApiParts,
  { markets, heartbeat }: { readonly markets: MarketDirectory; readonly heartbeat: HeartbeatReader },
): readonly Polling[] {
  const poll = (name: string, intervalMs: number, task: () => Promise<void>): Polling =>
    pollRepeatedly({ task, intervalMs, onFailure: (err) => logger.warn({ err, poll: name }, 'poll failed') });
  return [
    poll('markets', 250, () => markets.refresh()),
    poll('keeper', 500, () => heartbeat.refresh()),
    ...(refreshTokenKeys === undefined ? [] : [poll('token keys', 500, refreshTokenKeys)]),
    poll('pool', 1_000, () => pool.refresh()),
    poll('holdings', 2_000, () => markets.refreshHoldings()),
    poll('loans', 5_000, () => pool.refreshLoans(markets.tradableOutcomeIds())),
  ];
}
