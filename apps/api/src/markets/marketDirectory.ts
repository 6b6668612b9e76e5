import {
  type MarketOverlay,
  type MarketRecord,
  type MarketSnapshot,
  marketFactsOf,
  unseenMarketOf,
  type VenueMarket,
} from '@core/market';
import { tokenUnits } from '@core/pricing';
import type { Clock } from '@core/runtime';
import type { MarketStore, PositionStore } from '@core/store';
import { bookAgeMsOf, type MarketWatch, type TokenBook } from '@core/venue';
import { LRUCache } from 'lru-cache';
import type { OnPoison } from '../http/soundOnes.ts';

/** Part of the live feed that the service uses: it sets the markets to follow and reads each as one snapshot. */
export type LiveMarkets = Pick<
  MarketWatch,
  'watch' | 'unwatch' | 'setOpenLeveraged' | 'snapshotOf' | 'book' | 'health'
>;

/** Both books of a market and their ages; null where nothing was seen yet. */
export interface MarketBooks {
  readonly yes: AgedBook;
  readonly no: AgedBook;
}

interface AgedBook {
  readonly book: TokenBook | null;
  readonly bookAgeMs: number | null;
}

/** A listed market with its present snapshot, which is null until the feed knows the market. */
export interface ObservedMarket {
  readonly record: MarketRecord;
  readonly snapshot: MarketSnapshot | null;
}

/** Finalized markets a process remembers; any other is read again when it is asked for. */
const maxFinalized = 2_000;

/**
 * Every market that is not final in memory, kept current from the database by version, and each one handed to the live
 * feed: reading those costs no query. Finalized markets are most of all and are read when someone asks for one.
 */
export class MarketDirectory {
  readonly #store: { readonly markets: MarketStore; readonly positions: PositionStore };
  readonly #live: LiveMarkets;
  readonly #clock: Clock;
  readonly #onPoison: OnPoison;
  readonly #byTicker = new Map<string, MarketRecord>();
  readonly #tickerById = new Map<string, string>();
  /** By ticker. A final market changes no more. */
  readonly #finalized = new LRUCache<string, MarketRecord>({
    max: maxFinalized,
    disposeAfter: ({ id }, ticker, reason) => {
      if (reason === 'evict' && this.#tickerById.get(id) === ticker) this.#tickerById.delete(id);
    },
  });
  /** Versions of the markets that were reported as unreadable, by ID. */
  readonly #unreadable = new LRUCache<string, bigint>({ max: maxFinalized });
  /** Version of the last read; null before the first one. */
  #version: bigint | null = null;
  #sorted: readonly MarketRecord[] | null = null;

  constructor(options: {
    store: { readonly markets: MarketStore; readonly positions: PositionStore };
    live: LiveMarkets;
    clock: Clock;
    /** Called once for each version of a market whose record cannot be read. It has no snapshot then. */
    onPoison: OnPoison;
  }) {
    this.#store = options.store;
    this.#live = options.live;
    this.#clock = options.clock;
    this.#onPoison = options.onPoison;
  }

  /** Read the changes since the last call. */
  async refresh(): Promise<void> {
    if (this.#version === null) {
      const { records, version } = await this.#store.markets.unfinalized();
      for (const record of records) this.#take(record);
      this.#version = version;
      return;
    }
    for (const record of await this.#store.markets.changedSince(this.#version)) {
      this.#take(record);
      if (record.version > this.#version) this.#version = record.version;
    }
  }

  #take(record: MarketRecord): void {
    this.#sorted = null;
    if (record.status === 'finalized') {
      this.#byTicker.delete(record.ticker);
      this.#tickerById.delete(record.id);
      this.#remember(record);
    } else {
      this.#byTicker.set(record.ticker, record);
      this.#tickerById.set(record.id, record.ticker);
    }
    this.#orNull(record, () => {
      if (record.record === null) throw new TypeError(`venue record of ${record.ticker} is unreadable`);
      this.#feed(record, record.record);
    });
  }

  /** Give the live feed the tokens of open positions that owe: they are sold ahead of a new one. */
  async refreshHoldings(): Promise<void> {
    const unitsByToken = await this.#store.positions.openTokenUnits();
    for (const record of this.#byTicker.values()) {
      for (const [side, tokenId] of [
        ['yes', record.yesTokenId],
        ['no', record.noTokenId],
      ] as const) {
        this.#live.setOpenLeveraged(record.ticker, side, tokenUnits(unitsByToken.get(tokenId) ?? 0n));
      }
    }
  }

  /** The record of a market that is not final; null for any other name. */
  recordOf(ticker: string): MarketRecord | null {
    return this.#byTicker.get(ticker) ?? null;
  }

  /** A market that is not final; null for any other name. */
  byTicker(ticker: string): ObservedMarket | null {
    const record = this.#byTicker.get(ticker);
    return record === undefined ? null : this.observe(record);
  }

  /** Return a market in any status; null for a name that is not in memory, such as a market that was final long ago. */
  remembered(ticker: string): ObservedMarket | null {
    const record = this.#byTicker.get(ticker) ?? this.#finalized.get(ticker);
    return record === undefined ? null : this.observe(record);
  }

  /** A market in any status. */
  async find(ticker: string): Promise<ObservedMarket | null> {
    return this.remembered(ticker) ?? this.#observeFound(await this.#store.markets.byTicker(ticker));
  }

  /** A market in any status. */
  async findById(id: string | null): Promise<ObservedMarket | null> {
    if (id === null) return null;
    const ticker = this.#tickerById.get(id);
    return ticker === undefined ? this.#observeFound(await this.#store.markets.byId(id)) : this.find(ticker);
  }

  /** Return a market with its present snapshot. */
  observe(record: MarketRecord): ObservedMarket {
    const snapshot = this.#orNull(record, () => {
      // The feed may hold a market for a moment longer than the database knows it as final.
      const live = record.status === 'finalized' ? null : this.#live.snapshotOf(record.ticker);
      return live ?? this.#restingSnapshotOf(record);
    });
    return { record, snapshot };
  }

  /** Null for a market whose record cannot be read, which is reported once for each version. */
  #orNull<Value>(record: MarketRecord, read: () => Value): Value | null {
    try {
      return read();
    } catch (cause) {
      if (this.#unreadable.get(record.id) !== record.version) this.#onPoison(record, cause);
      this.#unreadable.set(record.id, record.version);
      return null;
    }
  }

  /** Both books of a market, for what needs nothing else of a snapshot. A final market has none. */
  booksOf({ status, yesTokenId, noTokenId }: MarketRecord): MarketBooks {
    const nowMs = this.#clock.nowMs();
    const agedBookOf = (tokenId: string): AgedBook => {
      const book = status === 'finalized' ? null : this.#live.book(tokenId);
      return { book, bookAgeMs: book === null ? null : bookAgeMsOf(book, nowMs) };
    };
    return { yes: agedBookOf(yesTokenId), no: agedBookOf(noTokenId) };
  }

  /** Every market that is not final, by ticker. */
  sorted(): readonly MarketRecord[] {
    this.#sorted ??= [...this.#byTicker.values()].sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    return this.#sorted;
  }

  /** Registered outcomes of markets that may still open positions. */
  tradableOutcomeIds(): readonly number[] {
    const ids: number[] = [];
    for (const { status, yesOutcomeId, noOutcomeId } of this.#byTicker.values()) {
      if (status === 'active' && yesOutcomeId !== null) ids.push(yesOutcomeId);
      if (status === 'active' && noOutcomeId !== null) ids.push(noOutcomeId);
    }
    return ids;
  }

  /** Return true when a market in any status belongs to the event. */
  async hasEvent(eventTicker: string): Promise<boolean> {
    return (
      this.sorted().some((record) => record.eventTicker === eventTicker) ||
      (await this.#store.markets.hasEvent(eventTicker))
    );
  }

  /** Return true when a market in any status belongs to the series. */
  async hasSeries(seriesTicker: string): Promise<boolean> {
    return (
      this.sorted().some((record) => record.seriesTicker === seriesTicker) ||
      (await this.#store.markets.hasSeries(seriesTicker))
    );
  }

  #observeFound(record: MarketRecord | null): ObservedMarket | null {
    if (record === null) return null;
    if (record.status === 'finalized') this.#remember(record);
    return this.observe(record);
  }

  #remember(record: MarketRecord): void {
    this.#finalized.set(record.ticker, record);
    this.#tickerById.set(record.id, record.ticker);
  }

  /** A final market has no book any more: it is shown, but no longer watched. */
  #feed(record: MarketRecord, venueMarket: VenueMarket): void {
    if (record.status === 'finalized') this.#live.unwatch(record.ticker);
    else this.#live.watch(venueMarket, overlayOf(record));
  }

  #restingSnapshotOf({ record, ...row }: MarketRecord): MarketSnapshot | null {
    if (record === null) return null;
    return unseenMarketOf(marketFactsOf(record, overlayOf(row), new Set()), this.#clock.nowMs());
  }
}

/** Return the service's own fields of a market, beside the venue's record. */
function overlayOf(record: Omit<MarketRecord, 'record'>): MarketOverlay {
  const { disabledReason } = record;
  return {
    marketId: record.id,
    status: record.status,
    disabled: disabledReason === null ? null : { reason: disabledReason === '' ? null : disabledReason },
    // A position of an outcome the vault does not know yet could be signed, but never created.
    riskLevel: record.yesOutcomeId === null || record.noOutcomeId === null ? 'high' : 'low',
    hasPayouts: record.payoutDenominator !== null,
    isBreakerTripped: false,
  };
}
