import {
  emptyStatistics,
  type MarketSnapshot,
  type PolicyConfig,
  policyDefaults,
  recordSample,
  type Side,
  type SideSnapshot,
  sideStatisticsOf,
  type TokenStatistics,
} from '@core/policy';
import { midPriceOf, type RateBps, type TokenUnits, tokenUnits } from '@core/pricing';
import { BookStore } from '../book/bookStore.ts';
import { bookAgeMsOf, type Mark, markOf, type SeenPrice, type TokenBook } from '../book/tokenBook.ts';
import type { BookSnapshot, VenueClient } from '../client/venueClient.ts';
import type { Clock } from '../clock.ts';
import { type MarketOverlay, marketFactsOf } from '../market/marketFacts.ts';
import type { VenueMarket } from '../market/venueMarket.ts';
import type { ReferenceFeeds } from '../reference/referenceFeeds.ts';
import type { MarketMessage } from '../schema/marketMessage.ts';
import { MarketSocket } from '../socket/marketSocket.ts';
import type { SocketState, SocketTiming } from '../socket/reconnectingSocket.ts';
import { isVenueFault, type VenueFault } from '../venueFault.ts';
import { BookReader, type ReaderTiming } from './bookReader.ts';
import { referenceOf } from './referenceOf.ts';

export interface WatchTiming extends ReaderTiming {
  /** How often the largest holders of a market are read. */
  readonly holdersIntervalMs: number;
  /** How far the socket may lag behind a newer REST read before the feed counts as frozen. */
  readonly freezeGraceMs: number;
  /** A frozen feed is not reconnected more often than this. */
  readonly minReconnectIntervalMs: number;
}

export interface MarketWatchOptions {
  /** Books and holders; give it short timeouts and few attempts, the watch repeats reads itself. */
  readonly client: Pick<VenueClient, 'book' | 'topHolders'>;
  /** `ws://…/ws/market`. */
  readonly marketSocketUrl: string;
  readonly clock: Clock;
  readonly reference: ReferenceFeeds;
  readonly config?: PolicyConfig;
  readonly timing?: Partial<WatchTiming>;
  readonly socketTiming?: Partial<SocketTiming>;
  /** Uniform in [0, 1): the source of jitter. */
  readonly random?: () => number;
  /** Reads that failed: for logs and metrics. The watch goes on. */
  readonly onFault?: (fault: VenueFault) => void;
}

/** A market's book was confirmed or changed. */
export interface MarketTick {
  readonly ticker: string;
  readonly side: Side;
  readonly tokenId: string;
  readonly atMs: number;
}

/** How the feed is doing, for health checks and metrics. */
export interface WatchHealth {
  readonly socketState: SocketState;
  readonly marketCount: number;
  /** Markets of which at least one book is missing or older than 5 seconds. */
  readonly staleMarketCount: number;
  /** Connections given up because REST was ahead of the socket. */
  readonly freezeCount: number;
}

interface WatchedToken {
  readonly tokenId: string;
  readonly side: Side;
  readonly market: WatchedMarket;
  statistics: TokenStatistics;
  secondSource: SeenPrice | null;
  topHolderShareBps: RateBps | null;
  openLeveragedTokenUnits: TokenUnits;
  /** Monotonic instant since which REST has been ahead of the socket; null while it is not. */
  restAheadSince: number | null;
}

interface WatchedMarket {
  record: VenueMarket;
  overlay: MarketOverlay;
  holdersReadAt: number;
  /** Empty for a market whose record names no tokens. */
  readonly tokens: WatchedToken[];
}

const defaultWatchTiming = { holdersIntervalMs: 60_000, freezeGraceMs: 1_000, minReconnectIntervalMs: 5_000 };

/**
 * Watches any number of markets and gives each as the `MarketSnapshot` that decisions read. Composes the market socket,
 * REST reads (confirmation, repair, second source), the book store and the policy's statistics. A message costs time in
 * its own token only. One clock reading per snapshot; no snapshot ever mixes instants.
 */
export class MarketWatch {
  readonly #options: MarketWatchOptions;
  readonly #config: PolicyConfig;
  readonly #timing: typeof defaultWatchTiming;
  readonly #books = new BookStore();
  readonly #socket: MarketSocket;
  readonly #reader: BookReader;
  readonly #markets = new Map<string, WatchedMarket>();
  readonly #tokens = new Map<string, WatchedToken>();
  /** Ticker, `mkt_…` id and condition id → ticker. */
  readonly #aliases = new Map<string, string>();
  readonly #tickListeners = new Set<(tick: MarketTick) => void>();
  readonly #resolvedListeners = new Set<(ticker: string) => void>();
  readonly #stopFollowing: () => void;
  #freezeCount = 0;
  #reconnectedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: MarketWatchOptions) {
    this.#options = options;
    this.#config = options.config ?? policyDefaults;
    this.#timing = { ...defaultWatchTiming, ...options.timing };
    this.#reader = new BookReader({
      client: options.client,
      ...(options.timing === undefined ? {} : { timing: options.timing }),
      onBook: (tokenId, snapshot) => this.#onRead(tokenId, snapshot),
      onFault: (_tokenId, fault) => options.onFault?.(fault),
      onSweep: () => this.#onSweep(),
    });
    this.#socket = new MarketSocket({
      url: options.marketSocketUrl,
      ...(options.socketTiming === undefined ? {} : { timing: options.socketTiming }),
      ...(options.random === undefined ? {} : { random: options.random }),
      onMessage: (message) => this.#onMessage(message),
      onGarbage: () => this.#distrustAll(),
      onDisconnect: () => this.#distrustAll(),
    });
    // After somebody moved the clock, every book is as old as the move until it is confirmed.
    this.#stopFollowing = options.clock.onMove?.(() => this.#reader.wantAll()) ?? (() => undefined);
  }

  /** Starts watching a market, or takes in a newer record or overlay of one that is watched. */
  watch(record: VenueMarket, overlay: MarketOverlay): void {
    const known = this.#markets.get(record.ticker);
    const hasSameTokens =
      known?.record.tokenIds?.yes === record.tokenIds?.yes && known?.record.tokenIds?.no === record.tokenIds?.no;
    if (known !== undefined && !hasSameTokens) {
      this.unwatch(record.ticker);
    }
    const market = this.#markets.get(record.ticker);
    if (market === undefined) {
      this.#add(record, overlay);
    } else {
      market.record = record;
      market.overlay = overlay;
    }
    for (const alias of aliasesOf(record, overlay)) {
      this.#aliases.set(alias, record.ticker);
    }
  }

  /** Changes what the service itself knows of a market: status, switches, payouts, breaker. Unknown keys are ignored. */
  updateOverlay(key: string, changes: Partial<Omit<MarketOverlay, 'marketId'>>): void {
    const market = this.#marketOf(key);
    if (market !== null) {
      market.overlay = { ...market.overlay, ...changes };
    }
  }

  /** Tells how many tokens of a side open leveraged positions hold. Unknown keys are ignored. */
  setOpenLeveraged(key: string, side: Side, heldTokenUnits: TokenUnits): void {
    const token = this.#marketOf(key)?.tokens.find((candidate) => candidate.side === side);
    if (token !== undefined) {
      token.openLeveragedTokenUnits = heldTokenUnits;
    }
  }

  unwatch(key: string): void {
    const market = this.#marketOf(key);
    if (market === null) {
      return;
    }
    for (const alias of aliasesOf(market.record, market.overlay)) {
      this.#aliases.delete(alias);
    }
    this.#markets.delete(market.record.ticker);
    for (const { tokenId } of market.tokens) {
      this.#tokens.delete(tokenId);
      this.#reader.remove(tokenId);
      this.#books.drop(tokenId);
    }
    this.#socket.unsubscribe(market.tokens.map(({ tokenId }) => tokenId));
  }

  tickers(): readonly string[] {
    return [...this.#markets.keys()];
  }

  /** The catalogue record of a watched market, by ticker, `mkt_…` id or condition id. */
  market(key: string): VenueMarket | null {
    return this.#marketOf(key)?.record ?? null;
  }

  /** The last good book of a token. */
  book(tokenId: string): TokenBook | null {
    return this.#books.book(tokenId);
  }

  /** A token's mark, and whether it may be attested (5-second rule). */
  mark(tokenId: string): Mark | null {
    const book = this.#books.book(tokenId);
    return book === null ? null : markOf(book, this.#options.clock.nowMs());
  }

  /** The observed market, by ticker, `mkt_…` id or condition id; null when it is not watched. */
  snapshotOf(key: string): MarketSnapshot | null {
    const market = this.#marketOf(key);
    if (market === null) {
      return null;
    }
    const nowMs = this.#options.clock.nowMs();
    const { record, overlay } = market;
    const facts = marketFactsOf(record, overlay, this.#options.reference.assets());
    const tickPricePips = this.#books.book(record.tokenIds?.yes ?? '')?.tickPricePips ?? facts.tickPricePips;
    return {
      nowMs,
      facts: { ...facts, tickPricePips },
      yes: this.#sideOf(market, 'yes', nowMs),
      no: this.#sideOf(market, 'no', nowMs),
      reference: referenceOf(record, this.#options.reference, nowMs),
      isBreakerTripped: overlay.isBreakerTripped,
    };
  }

  /** Reads both books of a market over REST now, for a caller that wants its own look. Throws VenueFault. */
  async refresh(key: string): Promise<void> {
    const tokens = this.#marketOf(key)?.tokens ?? [];
    await Promise.all(
      tokens.map(async ({ tokenId }) => {
        const snapshot = await this.#options.client.book(tokenId);
        if (snapshot !== null && this.#tokens.has(tokenId)) {
          this.#onRead(tokenId, snapshot);
        }
      }),
    );
  }

  /** Calls the listener after each tick of a watched book. Returns the way to stop. */
  onTick(listener: (tick: MarketTick) => void): () => void {
    this.#tickListeners.add(listener);
    return () => this.#tickListeners.delete(listener);
  }

  /** Calls the listener when the socket says a market was resolved: a hint to look at the chain, which alone counts. */
  onResolved(listener: (ticker: string) => void): () => void {
    this.#resolvedListeners.add(listener);
    return () => this.#resolvedListeners.delete(listener);
  }

  health(): WatchHealth {
    const nowMs = this.#options.clock.nowMs();
    const isStale = ({ tokenId }: WatchedToken): boolean => {
      const book = this.#books.book(tokenId);
      return book === null || bookAgeMsOf(book, nowMs) > this.#config.ages.maxBookAgeMs;
    };
    return {
      socketState: this.#socket.state,
      marketCount: this.#markets.size,
      staleMarketCount: [...this.#markets.values()].filter(({ tokens }) => tokens.some(isStale)).length,
      freezeCount: this.#freezeCount,
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#stopFollowing();
    this.#reader.close();
    this.#socket.close();
    this.#tickListeners.clear();
    this.#resolvedListeners.clear();
  }

  #marketOf(key: string): WatchedMarket | null {
    return this.#markets.get(this.#aliases.get(key) ?? key) ?? null;
  }

  #add(record: VenueMarket, overlay: MarketOverlay): void {
    const market: WatchedMarket = { record, overlay, holdersReadAt: Number.NEGATIVE_INFINITY, tokens: [] };
    this.#markets.set(record.ticker, market);
    for (const side of ['yes', 'no'] as const) {
      const tokenId = record.tokenIds?.[side];
      if (tokenId !== undefined) {
        const token: WatchedToken = {
          tokenId,
          side,
          market,
          statistics: emptyStatistics,
          secondSource: null,
          topHolderShareBps: null,
          openLeveragedTokenUnits: tokenUnits(0n),
          restAheadSince: null,
        };
        market.tokens.push(token);
        this.#tokens.set(tokenId, token);
        this.#reader.add(tokenId);
      }
    }
    this.#socket.subscribe(market.tokens.map(({ tokenId }) => tokenId));
  }

  #sideOf(market: WatchedMarket, side: Side, nowMs: number): SideSnapshot {
    const token = market.tokens.find((candidate) => candidate.side === side);
    const book = token === undefined ? null : this.#books.book(token.tokenId);
    const aged = (seen: SeenPrice | null | undefined) =>
      seen ? { pricePips: seen.pricePips, ageMs: Math.max(0, nowMs - seen.atMs) } : null;
    const lastMid = aged(book?.lastMid);
    return {
      book,
      bookAgeMs: book === null ? null : bookAgeMsOf(book, nowMs),
      priceAgeMs: lastMid?.ageMs ?? null,
      lastMidPricePips: lastMid?.pricePips ?? null,
      lastTrade: aged(book?.lastTrade),
      ...sideStatisticsOf(token?.statistics ?? emptyStatistics, { nowMs, book }, this.#config),
      openLeveragedTokenUnits: token?.openLeveragedTokenUnits ?? tokenUnits(0n),
      secondSource: aged(token?.secondSource),
      topHolderShareBps: token?.topHolderShareBps ?? null,
    };
  }

  #onMessage(message: MarketMessage): void {
    if (message.kind === 'market_resolved') {
      const market = this.#marketOf(message.conditionId);
      for (const listener of market === null ? [] : this.#resolvedListeners) {
        listener(market?.record.ticker ?? '');
      }
      return;
    }
    for (const { tokenId, outcome } of this.#books.apply(message, this.#options.clock.nowMs())) {
      const token = this.#tokens.get(tokenId);
      if (token === undefined) {
        // A token nobody watches (any more): its book would only ever age.
        this.#books.drop(tokenId);
      } else if (outcome === 'suspect') {
        this.#reader.want(tokenId);
      } else if (outcome === 'ticked') {
        token.restAheadSince = null;
        this.#reader.heard(tokenId);
        this.#tick(token);
      }
    }
  }

  #onRead(tokenId: string, snapshot: BookSnapshot): void {
    const token = this.#tokens.get(tokenId);
    if (token === undefined) {
      return;
    }
    const nowMs = this.#options.clock.nowMs();
    const isRepair = this.#books.needsBook(tokenId);
    const outcome = this.#books.confirm(snapshot, nowMs);
    const secondMid = midPriceOf(snapshot);
    if (secondMid !== null) {
      token.secondSource = { pricePips: secondMid, atMs: nowMs };
    }
    if (outcome === 'different' && !isRepair) {
      // The socket should have told of this. If it does not catch up soon, it stands still.
      token.restAheadSince ??= performance.now();
    }
    if (outcome !== 'older') {
      this.#tick(token);
    }
  }

  #tick(token: WatchedToken): void {
    const book = this.#books.book(token.tokenId);
    if (book === null) {
      return;
    }
    const atMs = this.#options.clock.nowMs();
    token.statistics = recordSample(token.statistics, { atMs, book }, this.#config.statistics);
    const tick = { ticker: token.market.record.ticker, side: token.side, tokenId: token.tokenId, atMs };
    for (const listener of this.#tickListeners) {
      listener(tick);
    }
  }

  /** What was missed cannot be known: every book keeps its age and is read again before it counts as live. */
  #distrustAll(): void {
    for (const tokenId of this.#tokens.keys()) {
      this.#books.suspect(tokenId);
      this.#reader.want(tokenId);
    }
  }

  #onSweep(): void {
    const now = performance.now();
    const isFrozen = [...this.#tokens.values()].some(
      ({ restAheadSince }) => restAheadSince !== null && now - restAheadSince >= this.#timing.freezeGraceMs,
    );
    if (isFrozen && now - this.#reconnectedAt >= this.#timing.minReconnectIntervalMs) {
      this.#reconnectedAt = now;
      this.#freezeCount += 1;
      for (const token of this.#tokens.values()) {
        token.restAheadSince = null;
      }
      this.#socket.reconnect();
    }
    const due = [...this.#markets.values()].find(
      ({ record, holdersReadAt }) =>
        record.conditionId !== null && now - holdersReadAt >= this.#timing.holdersIntervalMs,
    );
    if (due !== undefined) {
      due.holdersReadAt = now;
      void this.#readHolders(due);
    }
  }

  async #readHolders(market: WatchedMarket): Promise<void> {
    try {
      const holders = await this.#options.client.topHolders(market.record.conditionId ?? '');
      for (const { tokenId, largestShareBps } of holders) {
        const token = market.tokens.find((candidate) => candidate.tokenId === tokenId);
        if (token !== undefined) {
          token.topHolderShareBps = largestShareBps;
        }
      }
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      if (!this.#isClosed) {
        this.#options.onFault?.(error);
      }
    }
  }
}

const aliasesOf = (record: VenueMarket, overlay: MarketOverlay): readonly string[] => [
  overlay.marketId,
  ...(record.conditionId === null ? [] : [record.conditionId]),
];
