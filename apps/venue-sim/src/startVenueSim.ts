import { createServer } from 'node:http';
import { createLogger, type Logger, listen } from '@core/runtime';
import type { VenueDomain } from '@core/vault';
import { simulatorProfile, type VenueProfile } from '@core/venue';
import type { Address, Hex } from 'viem';
import { ApiKeys } from './credentials/apiKeys.ts';
import { type WalletContracts, WalletRegistry } from './credentials/walletRegistry.ts';
import { venueApp } from './http/venueApp.ts';
import { recordingFeed } from './journal/recordingFeed.ts';
import { restoreVenue } from './journal/restoreVenue.ts';
import { type VenueHistory, VenueJournal } from './journal/venueJournal.ts';
import type { OracleTimes } from './market/resolutionSteps.ts';
import type { SettlementTimes } from './orders/settlementQueue.ts';
import { type ChainContracts, ChainSettlement } from './settlement/chainSettlement.ts';
import { paperSettlement } from './settlement/paperSettlement.ts';
import { SimulatedAccounts } from './settlement/simulatedAccounts.ts';
import { CoinbaseChannel, KrakenChannel } from './sockets/exchangeChannels.ts';
import { ReferenceChannel } from './sockets/referenceChannel.ts';
import { socketFeed } from './sockets/socketFeed.ts';
import { SportsChannel } from './sockets/sportsChannel.ts';
import { venueSockets } from './sockets/venueSockets.ts';
import { type HeldClock, heldClock, movableClock, type SimClock } from './venue/simClock.ts';
import { SimVenue, type SimVenueOptions } from './venue/simVenue.ts';

export interface VenueSimOptions {
  /** Port on 127.0.0.1; 0 (the default) selects a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly seed?: string;
  /** Minimum number of daily strikes per asset; a few by default, a real venue lists many. */
  readonly strikesPerAsset?: number;
  /** Filter of the markets to list; all by default. */
  readonly isListed?: SimVenueOptions['isListed'];
  /**
   * Filter of the markets that the PositionManager holds; none by default. On a chain they need its contracts. Their
   * orders are refused: their exchange is not simulated.
   */
  readonly isManaged?: SimVenueOptions['isManaged'];
  /**
   * Chain of settlement, with contracts and both keys. Without it trades are confirmed on paper.
   */
  readonly rpcUrl?: string;
  readonly chainId?: number;
  readonly contracts?: ChainContracts;
  /** Contracts of deposit wallets on that chain, of which the operator is one too; without them batches are refused. */
  readonly walletContracts?: WalletContracts;
  /** Names, domains and limits of the venue; those of the simulator by default. */
  readonly profile?: VenueProfile;
  /** EIP-712 name and version of the exchange; those of the profile by default. */
  readonly venueDomain?: { readonly name: string; readonly version: string };
  readonly operatorKey?: Hex;
  readonly oracleKey?: Hex;
  /**
   * Keys of the simulated makers and takers; public test keys by default. The last maker takes when there are
   * no takers.
   */
  readonly makerKeys?: readonly Hex[];
  readonly takerKeys?: readonly Hex[];
  /** Clock advanced by `POST /control/clock`; by default that of the machine plus the lead of the chain. */
  readonly clock?: SimClock;
  /** False leaves the ticking of markets to the caller (`tickSlice`), for tests. */
  readonly isTimerOn?: boolean;
  readonly oracleTimes?: Partial<OracleTimes>;
  readonly settlementTimes?: Partial<SettlementTimes>;
  /** Timer calls a second; each market ticks in one of them, and delayed orders match in all. 20 by default. */
  readonly slicesPerSecond?: number;
  /** Longest pause between two reads of a receipt; 20 ms by default. */
  readonly receiptPollMs?: number;
  /**
   * True when orders, trades and the user socket require the credentials of `/auth`; the profile's setting by default.
   */
  readonly requiresCredentials?: boolean;
  /** True when any account may be a maker; the profile's setting by default. */
  readonly acceptsForeignMakers?: boolean;
  /** True when balances are zero until an account requests an update; the profile's setting by default. */
  readonly remembersBalances?: boolean;
  /** Journal file, from which a restarted venue resumes. */
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

/** Oracle pauses: short enough for a demo, long enough for a dispute. */
const usualOracleTimes: OracleTimes = { requestMs: 2_000, proposeMs: 5_000, livenessMs: 15_000 };
const usualSettlementTimes: SettlementTimes = { retryMs: 2_000, confirmMs: 1_000 };
const usualSlicesPerSecond = 20;
const usualReceiptPollMs = 20;

/** Default keys, one to four. They protect nothing. */
const publicKeys = (first: number): readonly Hex[] =>
  [0, 1].map((index) => `0x${(first + index).toString(16).padStart(64, '0')}` as const);

const paperExchange: Address = '0x00000000000000000000000000000000000e8c4a';
const paperOracle: Address = '0x0000000000000000000000000000000000000c1e';
const paperCollateral: Address = '0x00000000000000000000000000000000005dc000';

/** Return the lead of the chain over the machine, milliseconds. Small differences are the chain's whole seconds. */
async function chainLeadMs(settlement: ChainSettlement): Promise<number> {
  const lead = (await settlement.chainNowMs()) - Date.now();
  return Math.abs(lead) > 2_000 ? lead : 0;
}

/** Maximum difference between a recorded lead and the chain's: whole seconds plus the time of a start. */
const alikeLeadMs = 3_000;

/** Return the lead of the venue's clock over the machine's: the recorded one if the chain agrees with it. */
async function leadMsOf(settlement: ChainSettlement | null, history: VenueHistory | null): Promise<number> {
  const journalLeadMs = history?.leadMs ?? 0;
  if (settlement === null) return journalLeadMs;
  const lead = await chainLeadMs(settlement);
  return Math.abs(lead - journalLeadMs) <= alikeLeadMs ? journalLeadMs : lead;
}

/** Connect to the chain, if there is one. */
function chainOf(options: VenueSimOptions, accounts: SimulatedAccounts): ChainSettlement | null {
  const { rpcUrl, contracts, operatorKey, oracleKey, chainId = simulatorProfile.chainId } = options;
  const { receiptPollMs = usualReceiptPollMs } = options;
  if (rpcUrl === undefined) return null;
  if (contracts === undefined || operatorKey === undefined || oracleKey === undefined) {
    throw new TypeError('rpcUrl also needs contracts, operatorKey and oracleKey');
  }
  return new ChainSettlement({ rpcUrl, chainId, contracts, operatorKey, oracleKey, accounts, receiptPollMs });
}

/** Return the deposit wallets: of the chain, of this process alone, or none. */
function walletsOf(
  { walletContracts, profile = simulatorProfile }: VenueSimOptions,
  onChain: ChainSettlement | null,
  onFault: (what: string, error: unknown) => void,
): WalletRegistry {
  if (walletContracts === undefined) return new WalletRegistry({ contracts: profile.contracts, chain: null, onFault });
  if (onChain === null) throw new TypeError('walletContracts also need rpcUrl, contracts, operatorKey and oracleKey');
  return new WalletRegistry({
    contracts: walletContracts,
    chain: onChain.walletsOf(walletContracts.walletFactory),
    onFault,
  });
}

interface VenueParts {
  readonly venue: SimVenue;
  readonly sockets: ReturnType<typeof venueSockets>;
  /** Null when private endpoints require no credentials. */
  readonly apiKeys: ApiKeys | null;
  readonly journal: VenueJournal | null;
  readonly clock: HeldClock;
}

/** Create the venue with its dependencies: chain or paper, accounts, sockets. */
async function makeVenue(options: VenueSimOptions, logger: Logger): Promise<VenueParts> {
  const { profile = simulatorProfile } = options;
  const domain: VenueDomain = {
    ...(options.venueDomain ?? profile.orderDomains.v1),
    chainId: options.chainId ?? profile.chainId,
    exchange: options.contracts?.exchange ?? profile.contracts?.exchanges.v1 ?? paperExchange,
  };
  const accounts = new SimulatedAccounts({
    makerKeys: options.makerKeys ?? publicKeys(1),
    takerKeys: options.takerKeys ?? options.makerKeys?.slice(-1) ?? publicKeys(3),
    domain,
    startMs: Date.now(),
  });
  const onChain = chainOf(options, accounts);
  const onFault = (what: string, error: unknown): void => logger.error({ err: error }, what);
  const journal = options.journalFile === undefined ? null : new VenueJournal(options.journalFile, logger);
  const history = journal?.history ?? null;
  const clock = heldClock(options.clock ?? movableClock(Date.now, await leadMsOf(onChain, history)));
  // The worlds start at one instant, which the journal records.
  if (journal !== null) clock.hold(history?.opened.atMs ?? clock.nowMs());
  await onChain?.open();
  const sockets = venueSockets();
  const feed = socketFeed(sockets);
  const venue: SimVenue = new SimVenue({
    seed: history?.opened.seed ?? options.seed ?? '42',
    strikesPerAsset: history?.opened.strikesPerAsset ?? options.strikesPerAsset ?? 0,
    ...(options.isListed === undefined ? {} : { isListed: options.isListed }),
    ...(options.isManaged === undefined ? {} : { isManaged: options.isManaged }),
    clock,
    feed: journal === null ? feed : recordingFeed(feed, journal, () => venue.orders.ledger),
    ...(journal === null ? {} : hooksOf(journal)),
    settlement: onChain ?? paperSettlement(),
    accounts,
    wallets: walletsOf(options, onChain, onFault),
    domain,
    profile,
    acceptsForeignMakers: options.acceptsForeignMakers ?? !profile.hasMakerRegistry,
    remembersBalances: options.remembersBalances ?? profile.hasMakerRegistry,
    oracle: onChain?.oracle ?? paperOracle,
    operator: onChain?.operator ?? null,
    feeRecipient: (await onChain?.feeRecipient()) ?? null,
    collateralToken: options.contracts?.usdc ?? profile.contracts?.collateral ?? paperCollateral,
    oracleTimes: { ...usualOracleTimes, ...options.oracleTimes },
    settlementTimes: { ...usualSettlementTimes, ...options.settlementTimes },
    slicesPerSecond: options.slicesPerSecond ?? usualSlicesPerSecond,
    onFault,
  });
  sockets.serve('/ws/live-data', new ReferenceChannel(venue));
  sockets.serve('/ws/sports', new SportsChannel(venue));
  sockets.serve('/ws/coinbase', new CoinbaseChannel(venue));
  sockets.serve('/ws/kraken', new KrakenChannel(venue));
  sockets.market.marketOfToken = (tokenId) => venue.markets.byToken(tokenId);
  sockets.market.nowMs = () => venue.nowMs;
  sockets.user.nowMs = () => venue.nowMs;
  sockets.user.tradeIdsOf = (orderId) => venue.orders.ledger.tradesOfOrder(orderId).map((trade) => trade.id);
  const apiKeys =
    (options.requiresCredentials ?? profile.needsCredentials)
      ? new ApiKeys({ seed: venue.options.seed, terms: { ...profile.login, chainId: domain.chainId } })
      : null;
  if (apiKeys !== null) sockets.user.isAdmitted = (auth) => apiKeys.areValid(auth);
  return { venue, sockets, apiKeys, journal, clock };
}

/** Return the hooks that journal what the feed does not carry. */
function hooksOf(journal: VenueJournal): Pick<SimVenueOptions, 'onListed' | 'onQueued' | 'isResolvedBefore'> {
  return {
    onListed: (nowMs) => journal.writeListing(nowMs),
    onQueued: ({ id }, match) => {
      journal.write({ kind: 'match', tradeId: id, match: { ...match, market: match.market.slug } });
    },
    isResolvedBefore: (slug) => journal.history?.resolved.has(slug) ?? false,
  };
}

/** Open a new venue, or restore one from its journal. */
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
  // The worlds have reached the present. Markets due before it are listed now.
  journal.writeListing(venue.nowMs);
  venue.tickAll();
  const { trades, orders, inputs } = history;
  const counts = { inputs: inputs.length, orders: orders.length, trades: trades.length };
  logger.info({ ...counts, since: new Date(history.opened.atMs).toISOString() }, 'the venue continues');
}

/** Time an idle connection is kept: longer than the 60 s of common balancers. */
const keepAliveMs = 75_000;

/**
 * Open a venue on 127.0.0.1: catalogue, books, orders and sockets of the real wire, and control routes. Resolves when
 * every market is listed, quoted and served.
 */
export async function startVenueSim(options: VenueSimOptions = {}): Promise<VenueSim> {
  const logger = options.logger ?? createLogger({ name: 'venue-sim', level: 'silent' });
  const parts = await makeVenue(options, logger);
  const { venue, sockets, journal } = parts;
  await openVenue(parts, logger);
  const server = createServer({ keepAliveTimeout: keepAliveMs }, venueApp(parts, logger));
  sockets.attach(server);
  const { url, close } = await listen(server, { port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  const { slicesPerSecond } = venue.options;
  let sliceCount = 0;
  const tickSlice = (): void => {
    try {
      venue.tickSlice();
      sliceCount += 1;
      if (sliceCount % slicesPerSecond === 0) sockets.tick();
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
      const serverClose = close();
      server.closeAllConnections();
      await serverClose;
      await venue.queue.settled();
      await venue.reportingDone();
      await venue.markets.listingDone();
      journal?.close();
    },
  };
}
