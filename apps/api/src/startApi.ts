import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContractTerms, PolicyConfig } from '@core/policy';
import type { Store } from '@core/store';
import type { QuoteSigner } from '@core/vault';
import type { Clock } from '@core/venue';
import { basePath } from '@core/wire';
import type { Logger } from 'pino';
import type { TokenKeys } from './auth/tokenKeys.ts';
import { UserTokens } from './auth/userTokens.ts';
import { checkPartnerFees } from './checkPartnerFees.ts';
import type { ApiConfig } from './config.ts';
import { crashAt } from './effects/crashAt.ts';
import { allHandlers } from './handlers/allHandlers.ts';
import { createApp } from './http/createApp.ts';
import { KeeperPulse } from './observe/keeperPulse.ts';
import type { LiveMarkets } from './observe/liveMarkets.ts';
import { MarketBoard } from './observe/marketBoard.ts';
import { MarketDirectory } from './observe/marketDirectory.ts';
import { PartnerDirectory } from './observe/partnerDirectory.ts';
import { pollRepeatedly, type Repetition } from './observe/pollRepeatedly.ts';
import type { PoolReader } from './observe/poolReader.ts';
import { createMetrics } from './operations/metrics.ts';
import { missingParts } from './operations/readiness.ts';
import type { Service } from './service.ts';

/** What the service stands on; the caller opens and closes it. */
export interface ApiParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly live: LiveMarkets;
  readonly pool: Pick<PoolReader, 'pool' | 'outcomeLoanOf' | 'ageMs' | 'refresh' | 'refreshLoans'>;
  readonly signer: QuoteSigner;
  readonly tokenKeys: TokenKeys;
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

/** How long a partner's terms may be reused. */
const partnerAgeMs = 1_000;

/**
 * Starts the service on the loopback address.
 * @throws Fault when a partner's fee is above what the vault allows.
 */
export async function startApi(config: ApiConfig, parts: ApiParts): Promise<RunningApi> {
  const { store, clock, pool, live, logger, policy, contract } = parts;
  const markets = new MarketDirectory({ store, live, clock });
  const keeper = new KeeperPulse(store.heartbeats);
  const { idNamespace, marketListAgeMs } = config;
  const board = new MarketBoard({ store, markets, pool, policy, contract, idNamespace, maxAgeMs: marketListAgeMs });
  const userTokens = new UserTokens({ keys: parts.tokenKeys, environment: config.environment, clock });
  const partners = new PartnerDirectory(store.partners, partnerAgeMs);
  const crash = crashAt(config.crashPoint);
  const service: Service = {
    config,
    policy,
    contract,
    clock,
    store,
    signer: parts.signer,
    userTokens,
    markets,
    board,
    pool,
    keeper,
    crashAt: crash,
  };
  await checkPartnerFees(store.partners, contract, config.environment);
  await Promise.all([markets.refresh(), keeper.refresh()]);
  const polls = startPolls(parts, { markets, keeper });
  const metrics = createMetrics({ signerImplementation: parts.signer.implementation });
  const app = createApp({
    pipeline: {
      store,
      limits: store.limits,
      clock,
      credentials: { environment: config.environment, apiKeys: store.apiKeys, partners, userTokens },
      beforeAnswer: () => crash('before_answer'),
    },
    handlers: allHandlers(service),
    logger,
    observer: metrics,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    readiness: () => missingParts({ store, pool, live }),
  });
  const server = createServer(app);
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = headersTimeoutMs;
  const port = await listen(server, config.port);
  const metricsServer = config.metricsPort === null ? null : await metrics.listen(config.metricsPort);
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}${basePath}`,
    origin,
    metricsUrl: metricsServer === null ? null : `http://127.0.0.1:${portOf(metricsServer)}/metrics`,
    close: async () => {
      await Promise.all([closeServer(server), metricsServer === null ? null : closeServer(metricsServer)]);
      await Promise.all(polls.map((poll) => poll.stop()));
    },
  };
}

/** Everything that is read again and again beside the requests. A failed turn is logged; the reading grows old. */
function startPolls(
  { pool, logger }: ApiParts,
  { markets, keeper }: { readonly markets: MarketDirectory; readonly keeper: KeeperPulse },
): readonly Repetition[] {
  const poll = (name: string, intervalMs: number, turn: () => Promise<void>): Repetition =>
    pollRepeatedly({ turn, intervalMs, onFailure: (err) => logger.warn({ err, poll: name }, 'poll failed') });
  return [
    poll('markets', 250, () => markets.refresh()),
    poll('keeper', 500, () => keeper.refresh()),
    poll('pool', 1_000, () => pool.refresh()),
    poll('holdings', 2_000, () => markets.refreshHoldings()),
    poll('loans', 5_000, () => pool.refreshLoans(markets.tradableOutcomeIds())),
  ];
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(portOf(server)));
  });
}

function portOf(server: Server): number {
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((cause) => (cause === undefined ? resolve() : reject(cause)));
    server.closeIdleConnections();
  });
}
