import { createServer, type Server } from 'node:http';
import type { VenueDomain } from '@core/vault';
import express, { type ErrorRequestHandler } from 'express';
import pino, { type Logger } from 'pino';
import type { Address, Hex } from 'viem';
import { clobRoutes } from './http/clobRoutes.ts';
import { controlRoutes } from './http/controlRoutes.ts';
import { gammaRoutes } from './http/gammaRoutes.ts';
import { referenceRoutes } from './http/referenceRoutes.ts';
import type { OracleTimes } from './market/resolutionSteps.ts';
import type { SettlementTimes } from './orders/settlementQueue.ts';
import { type ChainContracts, ChainSettlement } from './settle/chainSettlement.ts';
import { paperSettlement } from './settle/paperSettlement.ts';
import { SimulatedAccounts } from './settle/simulatedAccounts.ts';
import { movableClock, type SimClock } from './simClock.ts';
import { beatsPerSecond, SimVenue } from './simVenue.ts';
import { socketFeed } from './sockets/socketFeed.ts';
import { venueSockets } from './sockets/venueSockets.ts';

export interface VenueSimOptions {
  /** 0 (the default) takes a free port of 127.0.0.1. */
  readonly port?: number;
  readonly host?: string;
  readonly seed?: string;
  /** The chain the venue settles on, together with contracts and both keys. Without it trades are confirmed on paper. */
  readonly rpcUrl?: string;
  readonly chainId?: number;
  readonly contracts?: ChainContracts;
  /** EIP-712 name and version of the exchange. */
  readonly venueDomain?: { readonly name: string; readonly version: string };
  readonly operatorKey?: Hex;
  readonly oracleKey?: Hex;
  /** Keys of the simulated makers and takers; public test keys by default, the last maker takes when takers are not given. */
  readonly makerKeys?: readonly Hex[];
  readonly takerKeys?: readonly Hex[];
  /** Moved by `POST /control/clock`; by default the machine's, ahead by what the chain is ahead. */
  readonly clock?: SimClock;
  /** False leaves the pulse to the caller (`beat`), for tests. */
  readonly isPulseOn?: boolean;
  readonly oracleTimes?: Partial<OracleTimes>;
  readonly settlementTimes?: Partial<SettlementTimes>;
  readonly logger?: Logger;
}

export interface VenueSim {
  readonly url: string;
  /** Origin of the sockets: `${wsUrl}/ws/market` and `${wsUrl}/ws/user`. */
  readonly wsUrl: string;
  readonly venue: SimVenue;
  close(): Promise<void>;
}

/** Oracle pauses short enough to be watched, long enough to be disputed. */
const usualOracleTimes: OracleTimes = { requestMs: 2_000, proposeMs: 5_000, livenessMs: 15_000 };
const usualSettlementTimes: SettlementTimes = { retryMs: 2_000, confirmMs: 1_000 };

/** Keys that guard nothing: one to four, for a venue that was given none. */
const publicKeys = (first: number): readonly Hex[] =>
  [0, 1].map((index) => `0x${(first + index).toString(16).padStart(64, '0')}` as const);

const usualChainId = 31_337;
const usualDomain = { name: 'Venue Exchange', version: '2' };
const paperExchange: Address = '0x00000000000000000000000000000000000e8c4a';
const paperOracle: Address = '0x0000000000000000000000000000000000000c1e';
const paperCollateral: Address = '0x00000000000000000000000000000000005dc000';

/** Time the chain is ahead of the machine, milliseconds; small differences are the chain's whole seconds. */
async function chainLeadMs(settlement: ChainSettlement): Promise<number> {
  const lead = (await settlement.chainNowMs()) - Date.now();
  return Math.abs(lead) > 2_000 ? lead : 0;
}

/** The chain, when there is one. */
function chainOf(options: VenueSimOptions, accounts: SimulatedAccounts): ChainSettlement | null {
  const { rpcUrl, contracts, operatorKey, oracleKey, chainId = usualChainId } = options;
  if (rpcUrl === undefined) return null;
  if (contracts === undefined || operatorKey === undefined || oracleKey === undefined) {
    throw new TypeError('rpcUrl also needs contracts, operatorKey and oracleKey');
  }
  return new ChainSettlement({ rpcUrl, chainId, contracts, operatorKey, oracleKey, accounts });
}

interface VenueGround {
  readonly venue: SimVenue;
  readonly sockets: ReturnType<typeof venueSockets>;
}

/** Puts the venue on its ground: chain or paper, accounts, sockets. */
async function layGround(options: VenueSimOptions, logger: Logger): Promise<VenueGround> {
  const domain: VenueDomain = {
    ...(options.venueDomain ?? usualDomain),
    chainId: options.chainId ?? usualChainId,
    exchange: options.contracts?.exchange ?? paperExchange,
  };
  const accounts = new SimulatedAccounts({
    makerKeys: options.makerKeys ?? publicKeys(1),
    takerKeys: options.takerKeys ?? options.makerKeys?.slice(-1) ?? publicKeys(3),
    domain,
    startMs: Date.now(),
  });
  const onChain = chainOf(options, accounts);
  const clock = options.clock ?? movableClock(Date.now, onChain === null ? 0 : await chainLeadMs(onChain));
  await onChain?.open();
  const sockets = venueSockets();
  const venue = new SimVenue({
    seed: options.seed ?? '42',
    clock,
    feed: socketFeed(sockets),
    settlement: onChain ?? paperSettlement(),
    accounts,
    domain,
    oracle: onChain?.oracle ?? paperOracle,
    operator: onChain?.operator ?? null,
    feeRecipient: (await onChain?.feeRecipient()) ?? null,
    collateralToken: options.contracts?.usdc ?? paperCollateral,
    oracleTimes: { ...usualOracleTimes, ...options.oracleTimes },
    settlementTimes: { ...usualSettlementTimes, ...options.settlementTimes },
    onFault: (what, error) => logger.error({ err: error }, what),
  });
  sockets.market.marketOfToken = (tokenId) => venue.marketOfToken(tokenId);
  sockets.market.nowMs = () => venue.nowMs;
  sockets.user.nowMs = () => venue.nowMs;
  sockets.user.tradeIdsOf = (orderId) => venue.desk.ledger.tradesOfOrder(orderId).map((trade) => trade.id);
  return { venue, sockets };
}

function venueApp(venue: SimVenue, logger: Logger): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Lists may be long: repeated query keys only, no nesting.
  app.set('query parser', 'simple');
  app.get('/ok', (_request, response) => {
    response.json('OK');
  });
  app.use(controlRoutes(venue));
  app.use(referenceRoutes(venue));
  app.use(clobRoutes(venue));
  app.use(gammaRoutes(venue));
  app.use((_request, response) => {
    response.status(404).json({ error: 'not found' });
  });
  // oxlint-disable-next-line max-params -- Express knows an error handler by its four parameters.
  const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
    if (status >= 500) logger.error({ err: error }, 'request failed');
    const message = error instanceof Error && status < 500 ? error.message : 'internal error';
    response.status(status).json({ error: message });
  };
  app.use(onError);
  return app;
}

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

/**
 * Opens a venue on 127.0.0.1: catalogue, books, orders and sockets of the real wire, and a control of its own. Resolves
 * when every market is listed, quoted and served.
 */
export async function startVenueSim(options: VenueSimOptions = {}): Promise<VenueSim> {
  const logger = options.logger ?? pino({ level: 'silent' });
  const { venue, sockets } = await layGround(options, logger);
  await venue.open();
  const server = createServer(venueApp(venue, logger));
  sockets.attach(server);
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, options.port ?? 0, host);
  const beat = (): void => {
    try {
      venue.beat();
    } catch (error) {
      logger.error({ err: error }, 'beat failed');
    }
  };
  const pulse = options.isPulseOn === false ? null : setInterval(beat, 1000 / beatsPerSecond);
  return {
    url: `http://${host}:${port}`,
    wsUrl: `ws://${host}:${port}`,
    venue,
    close: async () => {
      if (pulse !== null) clearInterval(pulse);
      sockets.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await venue.queue.settled();
      await venue.reportingDone();
      await venue.listingDone();
    },
  };
}
