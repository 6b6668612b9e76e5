import { createServer } from 'node:http';
import { createLogger, type Logger, listen } from '@core/runtime';
import type { VenueDomain } from '@core/vault';
import { localCredentialTerms } from '@core/venue';
import express, { type ErrorRequestHandler } from 'express';
import type { Address, Hex } from 'viem';
import { ApiKeys } from './credentials/apiKeys.ts';
import { clobRoutes } from './http/clobRoutes.ts';
import { controlRoutes } from './http/controlRoutes.ts';
import { credentialRoutes } from './http/credentialRoutes.ts';
import { gammaRoutes } from './http/gammaRoutes.ts';
import { referenceRoutes } from './http/referenceRoutes.ts';
import { recordingFeed } from './journal/recordingFeed.ts';
import { restoreVenue } from './journal/restoreVenue.ts';
import { type VenueHistory, VenueJournal } from './journal/venueJournal.ts';
import type { OracleTimes } from './market/resolutionSteps.ts';
import type { SettlementTimes } from './orders/settlementQueue.ts';
import { type ChainContracts, ChainSettlement } from './settlement/chainSettlement.ts';
import { paperSettlement } from './settlement/paperSettlement.ts';
import { SimulatedAccounts } from './settlement/simulatedAccounts.ts';
import { socketFeed } from './sockets/socketFeed.ts';
import { venueSockets } from './sockets/venueSockets.ts';
import { type HeldClock, heldClock, movableClock, type SimClock } from './venue/simClock.ts';
import { SimVenue, type SimVenueOptions, slicesPerSecond } from './venue/simVenue.ts';

export interface VenueSimOptions {
  /** 0 (the default) takes a free port of 127.0.0.1. */
  readonly port?: number;
  readonly host?: string;
  readonly seed?: string;
  /** How many strikes the day of an asset lists at least; a few by default, a real venue lists many. */
  readonly strikesPerAsset?: number;
  /**
   * The chain the venue settles on, together with contracts and both keys. Without it trades are confirmed on paper.
   */
  readonly rpcUrl?: string;
  readonly chainId?: number;
  readonly contracts?: ChainContracts;
  /** EIP-712 name and version of the exchange. */
  readonly venueDomain?: { readonly name: string; readonly version: string };
  readonly operatorKey?: Hex;
  readonly oracleKey?: Hex;
  /**
   * Keys of the simulated makers and takers; public test keys by default, the last maker takes when takers are not
   * given.
   */
  readonly makerKeys?: readonly Hex[];
  readonly takerKeys?: readonly Hex[];
  /** Moved by `POST /control/clock`; by default the machine's, ahead by what the chain is ahead. */
  readonly clock?: SimClock;
  /** False leaves the ticking of markets to the caller (`tickSlice`), for tests. */
  readonly isTimerOn?: boolean;
  readonly oracleTimes?: Partial<OracleTimes>;
  readonly settlementTimes?: Partial<SettlementTimes>;
  /** Orders, trades and the user socket only with the credentials that accounts get at `/auth`. */
  readonly requiresCredentials?: boolean;
  /** File of the venue's memory: with it a venue that is started again goes on where it was. */
  readonly journalFile?: string;
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

/** How far an earlier lead and the chain's may lie apart, in the chain's whole seconds and the time of a start. */
const alikeLeadMs = 3_000;

/** Lead of the venue's clock over the machine's: to the millisecond as it was, where the chain agrees with it. */
async function leadMsOf(settlement: ChainSettlement | null, history: VenueHistory | null): Promise<number> {
  const kept = history?.leadMs ?? 0;
  if (settlement === null) return kept;
  const lead = await chainLeadMs(settlement);
  return Math.abs(lead - kept) <= alikeLeadMs ? kept : lead;
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

interface VenueParts {
  readonly venue: SimVenue;
  readonly sockets: ReturnType<typeof venueSockets>;
  /** Null where private endpoints ask for no credentials. */
  readonly apiKeys: ApiKeys | null;
  readonly journal: VenueJournal | null;
  readonly clock: HeldClock;
}

/** Makes the venue with what it runs on: chain or paper, accounts, sockets. */
async function makeVenue(options: VenueSimOptions, logger: Logger): Promise<VenueParts> {
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
  const journal = options.journalFile === undefined ? null : new VenueJournal(options.journalFile);
  const history = journal?.history ?? null;
  const clock = heldClock(options.clock ?? movableClock(Date.now, await leadMsOf(onChain, history)));
  // What the worlds begin with is one instant, and that instant is what the journal knows of them.
  if (journal !== null) clock.hold(history?.opened.atMs ?? clock.nowMs());
  await onChain?.open();
  const sockets = venueSockets();
  const feed = socketFeed(sockets);
  const venue: SimVenue = new SimVenue({
    seed: history?.opened.seed ?? options.seed ?? '42',
    strikesPerAsset: history?.opened.strikesPerAsset ?? options.strikesPerAsset ?? 0,
    clock,
    feed: journal === null ? feed : recordingFeed(feed, journal, () => venue.orders.ledger),
    ...(journal === null ? {} : hooksOf(journal)),
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
  sockets.market.marketOfToken = (tokenId) => venue.markets.byToken(tokenId);
  sockets.market.nowMs = () => venue.nowMs;
  sockets.user.nowMs = () => venue.nowMs;
  sockets.user.tradeIdsOf = (orderId) => venue.orders.ledger.tradesOfOrder(orderId).map((trade) => trade.id);
  const apiKeys = options.requiresCredentials
    ? new ApiKeys({ seed: venue.options.seed, terms: { ...localCredentialTerms, chainId: domain.chainId } })
    : null;
  if (apiKeys !== null) sockets.user.isAdmitted = (auth) => apiKeys.areValid(auth);
  return { venue, sockets, apiKeys, journal, clock };
}

/** What the venue writes into its journal beside its feed. */
function hooksOf(journal: VenueJournal): Pick<SimVenueOptions, 'onListed' | 'onQueued' | 'isResolvedBefore'> {
  return {
    onListed: (nowMs) => journal.writeListing(nowMs),
    onQueued: ({ id }, match) => {
      journal.write({ kind: 'match', tradeId: id, match: { ...match, market: match.market.slug } });
    },
    isResolvedBefore: (slug) => journal.history?.resolved.has(slug) ?? false,
  };
}

/** Opens a venue for the first time, or brings it to where an earlier one was. */
async function openVenue({ venue, journal, clock }: VenueParts, logger: Logger): Promise<void> {
  if (journal === null) return venue.open();
  const { history } = journal;
  if (history === null) {
    const { seed, strikesPerAsset } = venue.options;
    journal.write({ kind: 'opened', seed, strikesPerAsset, atMs: venue.nowMs });
    venue.begin();
    clock.release();
    await venue.markets.listingDone();
    venue.tickAll();
    return;
  }
  await journal.whilePaused(() => restoreVenue(venue, history, clock));
  // From here on the worlds are at the present: what was listed on the way to it is listed at this instant.
  journal.writeListing(venue.nowMs);
  venue.tickAll();
  const { trades, orders, inputs } = history;
  const counts = { inputs: inputs.length, orders: orders.length, trades: trades.length };
  logger.info({ ...counts, since: new Date(history.opened.atMs).toISOString() }, 'the venue goes on');
}

function venueApp({ venue, apiKeys, journal }: VenueParts, logger: Logger): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Lists may be long: repeated query keys only, no nesting.
  app.set('query parser', 'simple');
  app.get('/ok', (_request, response) => {
    response.json('OK');
  });
  app.use(controlRoutes(venue, journal));
  app.use(referenceRoutes(venue));
  if (apiKeys !== null) app.use(credentialRoutes(apiKeys));
  app.use(clobRoutes(venue, apiKeys));
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

/**
 * Opens a venue on 127.0.0.1: catalogue, books, orders and sockets of the real wire, and a control of its own. Resolves
 * when every market is listed, quoted and served.
 */
export async function startVenueSim(options: VenueSimOptions = {}): Promise<VenueSim> {
  const logger = options.logger ?? createLogger({ name: 'venue-sim', level: 'silent' });
  const parts = await makeVenue(options, logger);
  const { venue, sockets, journal } = parts;
  await openVenue(parts, logger);
  const server = createServer(venueApp(parts, logger));
  sockets.attach(server);
  const { url, close } = await listen(server, { port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  const tickSlice = (): void => {
    try {
      venue.tickSlice();
    } catch (error) {
      logger.error({ err: error }, 'tick failed');
    }
  };
  const timer = options.isTimerOn === false ? null : setInterval(tickSlice, 1000 / slicesPerSecond);
  return {
    url,
    wsUrl: url.replace(/^http/, 'ws'),
    venue,
    close: async () => {
      if (timer !== null) clearInterval(timer);
      sockets.close();
      const closed = close();
      server.closeAllConnections();
      await closed;
      await venue.queue.settled();
      await venue.reportingDone();
      await venue.markets.listingDone();
      journal?.close();
    },
  };
}
