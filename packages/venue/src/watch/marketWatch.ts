import {
  type Mark,
  type MarketOverlay,
  type MarketSnapshot,
  type ObservationConfig,
  observationDefaults,
  recordSample,
  type SideSnapshot,
  type VenueMarket,
} from '@core/market';
import type { Side } from '@core/position';
import { midPriceOf, type TokenUnits } from '@core/pricing';
import { shareReads } from '@core/runtime';
import { BookStore } from '../book/bookStore.ts';
import { bookAgeMsOf, markOf, type TokenBook } from '../book/tokenBook.ts';
import type { BookSnapshot, TopHolder } from '../port/venueClient.ts';
import type { MarketMessage } from '../schema/marketMessage.ts';
import { MarketSocket } from '../socket/marketSocket.ts';
import { BookReader } from './bookReader.ts';
import { FreezeGuard } from './freezeGuard.ts';
import { HoldersReader } from './holdersReader.ts';
import { KnownFacts } from './knownFacts.ts';
import { MissedMessages } from './missedMessages.ts';
import { referenceOf } from './referenceOf.ts';
import { sideSnapshotOf, type WatchedMarket, type WatchedToken } from './watchedMarket.ts';
import { WatchedMarkets } from './watchedMarkets.ts';
import type { MarketTick, MarketWatchOptions, WatchHealth } from './watchOptions.ts';

const defaultWatchTiming = { holdersIntervalMs: 60_000, freezeGraceMs: 1_000, minReconnectIntervalMs: 5_000 };

/**
 * Watch of any number of markets: each is given as the `MarketSnapshot` that decisions read. Composes the market
 * socket, REST reads (confirmation, repair, second source), the book store and the statistics of each token. A message
 * costs time in its own token only. One clock reading per snapshot; no snapshot mixes instants.
 */
export class MarketWatch {
  readonly #options: MarketWatchOptions;
  readonly #config: ObservationConfig;
  readonly #books = new BookStore();
  readonly #socket: MarketSocket;
  readonly #reader: BookReader;
  readonly #holders: HoldersReader;
  readonly #freezes: FreezeGuard;
  readonly #markets = new WatchedMarkets();
  readonly #tickListeners = new Set<(tick: MarketTick) => void>();
  readonly #resolvedListeners = new Set<(ticker: string) => void>();
  readonly #facts = new KnownFacts();
  readonly #missed = new MissedMessages(this.#markets, (tokenIds) => this.#distrust(tokenIds));
  readonly #stopFollowing: () => void;
  readonly #refresh = shareReads((ticker) => this.#readBooks(ticker));

  constructor(options: MarketWatchOptions) {
    this.#options = options;
    this.#config = options.config ?? observationDefaults;
    const timing = { ...defaultWatchTiming, ...options.timing };
    this.#freezes = new FreezeGuard(timing);
    this.#holders = new HoldersReader({
      client: options.client,
      intervalMs: timing.holdersIntervalMs,
      onHolders: (holders) => this.#onHolders(holders),
      ...(options.onFault === undefined ? {} : { onFault: options.onFault }),
    });
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
      onUnreadable: (wire) => this.#missed.unreadable(wire, performance.now()),
      onDisconnect: (_reason, tokenIds) => this.#distrust(tokenIds),
    });
    // After the clock was moved, every book is as old as the move until it is confirmed.
    this.#stopFollowing = options.clock.onMove?.(() => this.#reader.wantAll()) ?? (() => undefined);
  }

  /** Start to watch a market, or apply a newer record or overlay of a watched one. */
  watch(record: VenueMarket, overlay: MarketOverlay): void {
    if (this.#markets.update(record, overlay)) {
      return;
    }
    this.unwatch(record.ticker);
    const { tokens } = this.#markets.add(record, overlay);
    for (const { tokenId } of tokens) {
      this.#reader.add(tokenId);
    }
    if (record.conditionId !== null) {
      this.#holders.add(record.conditionId);
    }
    this.#socket.subscribe(tokens.map(({ tokenId }) => tokenId));
  }

  /** Set the tokens of a side in open leveraged positions. Unknown keys are ignored. */
  setOpenLeveraged(key: string, side: Side, heldTokenUnits: TokenUnits): void {
    const token = this.#markets.market(key)?.tokens.find((candidate) => candidate.side === side);
    if (token !== undefined) {
      token.openLeveragedTokenUnits = heldTokenUnits;
    }
  }

  unwatch(key: string): void {
    const market = this.#markets.market(key);
    if (market === null) {
      return;
    }
    this.#markets.remove(market);
    for (const { tokenId } of market.tokens) {
      this.#reader.remove(tokenId);
      this.#books.drop(tokenId);
      this.#freezes.caughtUp(tokenId);
    }
    this.#holders.remove(market.record.conditionId ?? '');
    this.#socket.unsubscribe(market.tokens.map(({ tokenId }) => tokenId));
  }

  /** The last good book of a token. */
  book(tokenId: string): TokenBook | null {
    return this.#books.book(tokenId);
  }

  /** A token's mark, and whether it may be attested (5-second rule). */
  mark(tokenId: string): Mark | null {
    const book = this.#books.book(tokenId);
    return book === null ? null : markOf(book, this.#options.clock.nowMs(), this.#config);
  }

  /** The observed market, by ticker, `mkt_…` id or condition id; null when it is not watched. */
  snapshotOf(key: string): MarketSnapshot | null {
    const market = this.#markets.market(key);
    if (market === null) {
      return null;
    }
    const nowMs = this.#options.clock.nowMs();
    const { record, overlay } = market;
    const bookTickPricePips = this.#books.book(record.tokenIds?.yes ?? '')?.tickPricePips ?? null;
    return {
      nowMs,
      facts: this.#facts.factsOf(market, { assets: this.#options.reference.assets(), bookTickPricePips }),
      yes: this.#sideOf(market, 'yes', nowMs),
      no: this.#sideOf(market, 'no', nowMs),
      reference: referenceOf(record, this.#options.reference, nowMs),
      isBreakerTripped: overlay.isBreakerTripped,
    };
  }

  /**
   * Read both books of a market over REST. The read begins after the call; all callers during one read share the next.
   * @throws VenueFault
   */
  async refresh(key: string): Promise<void> {
    const market = this.#markets.market(key);
    if (market !== null) await this.#refresh(market.record.ticker);
  }

  async #readBooks(ticker: string): Promise<void> {
    const tokens = this.#markets.market(ticker)?.tokens ?? [];
    await Promise.all(
      tokens.map(async ({ tokenId }) => {
        const snapshot = await this.#options.client.book(tokenId);
        if (snapshot !== null && this.#markets.token(tokenId) !== undefined) {
          this.#onRead(tokenId, snapshot);
        }
      }),
    );
  }

  /** Call the listener after each tick of a watched book. Returns a function that removes the listener. */
  onTick(listener: (tick: MarketTick) => void): () => void {
    this.#tickListeners.add(listener);
    return () => this.#tickListeners.delete(listener);
  }

  /** Call the listener when the socket reports a resolved market: a hint to read the chain. Returns its removal. */
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
    const staleTickers = this.#markets
      .all()
      .filter(({ record, tokens }) => record.isAcceptingOrders && !record.isClosed && tokens.some(isStale))
      .map(({ record }) => record.ticker);
    return {
      socketState: this.#socket.state,
      marketCount: this.#markets.all().length,
      staleMarketCount: staleTickers.length,
      staleTickers,
      freezeCount: this.#freezes.freezeCount,
    };
  }

  close(): void {
    this.#stopFollowing();
    this.#reader.close();
    this.#holders.close();
    this.#socket.close();
    this.#tickListeners.clear();
    this.#resolvedListeners.clear();
  }

  #sideOf(market: WatchedMarket, side: Side, nowMs: number): SideSnapshot {
    const token = market.tokens.find((candidate) => candidate.side === side) ?? null;
    const book = token === null ? null : this.#books.book(token.tokenId);
    return sideSnapshotOf({ token, book, nowMs }, this.#config);
  }

  #onMessage(message: MarketMessage): void {
    if (message.kind === 'market_resolved') {
      const market = this.#markets.market(message.conditionId);
      for (const listener of market === null ? [] : this.#resolvedListeners) {
        listener(market?.record.ticker ?? '');
      }
      return;
    }
    for (const { tokenId, outcome } of this.#books.apply(message, this.#options.clock.nowMs())) {
      const token = this.#markets.token(tokenId);
      if (token === undefined) {
        // A token that is not watched (any more): its book would only age.
        this.#books.drop(tokenId);
      } else if (outcome === 'suspect') {
        this.#reader.want(tokenId);
      } else if (outcome === 'ticked') {
        this.#freezes.caughtUp(tokenId);
        this.#reader.heard(tokenId);
        this.#tick(token);
      }
    }
  }

  #onRead(tokenId: string, snapshot: BookSnapshot): void {
    const token = this.#markets.token(tokenId);
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
      // The socket should have sent this. If it does not catch up soon, it is frozen.
      this.#freezes.restAhead(tokenId, performance.now());
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

  /** Mark books with unknown changes as suspect: they are read again before they count as live. */
  #distrust(tokenIds: readonly string[]): void {
    for (const tokenId of tokenIds) {
      this.#books.suspect(tokenId);
      this.#reader.want(tokenId);
    }
  }

  #onSweep(): void {
    const now = performance.now();
    this.#missed.sweep(now);
    if (this.#freezes.isReconnectDue(now)) {
      this.#socket.reconnect();
    }
    this.#holders.sweep(now);
  }

  #onHolders(holders: readonly TopHolder[]): void {
    for (const { tokenId, largestShareBps } of holders) {
      const token = this.#markets.token(tokenId);
      if (token !== undefined) {
        token.topHolderShareBps = largestShareBps;
      }
    }
  }
}
