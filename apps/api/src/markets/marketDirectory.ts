import { type MarketSnapshot, unseenMarketOf } from '@core/policy';
import { tokenUnits } from '@core/pricing';
import type { Clock } from '@core/runtime';
import type { MarketRecord, MarketStore, PositionStore } from '@core/store';
import {
  bookAgeMsOf,
  type MarketOverlay,
  type MarketWatch,
  marketFactsOf,
  type TokenBook,
  type VenueMarket,
} from '@core/venue';

/** What the service asks of the live feed: it hands over the markets that matter and gets each as one snapshot. */
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

/** A listed market with what is observed about it now; the snapshot is null until the feed knows the market. */
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
  readonly #byTicker = new Map<string, MarketRecord>();
  readonly #tickerById = new Map<string, string>();
  /** By ticker, the oldest look first. A final market changes no more. */
  readonly #finalized = new Map<string, MarketRecord>();
  /** Null until the first look at the database. */
  #version: bigint | null = null;
  #sorted: readonly MarketRecord[] | null = null;

  constructor(options: {
    store: { readonly markets: MarketStore; readonly positions: PositionStore };
    live: LiveMarkets;
    clock: Clock;
  }) {
    this.#store = options.store;
    this.#live = options.live;
    this.#clock = options.clock;
  }

  /** Takes in what changed since the last call. */
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
    this.#feed(record);
  }

  /** Gives the live feed the tokens of open positions that owe: they are sold ahead of a new one. */
  async refreshHoldings(): Promise<void> {
    const held = await this.#store.positions.openTokenUnits();
    for (const record of this.#byTicker.values()) {
      for (const [side, tokenId] of [
        ['yes', record.yesTokenId],
        ['no', record.noTokenId],
      ] as const) {
        this.#live.setOpenLeveraged(record.ticker, side, tokenUnits(held.get(tokenId) ?? 0n));
      }
    }
  }

  /** A market that is not final; null for any other name. */
  byTicker(ticker: string): ObservedMarket | null {
    const record = this.#byTicker.get(ticker);
    return record === undefined ? null : this.observe(record);
  }

  /** A market in any status. */
  async find(ticker: string): Promise<ObservedMarket | null> {
    const record = this.#byTicker.get(ticker) ?? this.#finalized.get(ticker);
    if (record !== undefined) return this.observe(record);
    return this.#observeFound(await this.#store.markets.byTicker(ticker));
  }

  /** A market in any status. */
  async findById(id: string | null): Promise<ObservedMarket | null> {
    if (id === null) return null;
    const ticker = this.#tickerById.get(id);
    return ticker === undefined ? this.#observeFound(await this.#store.markets.byId(id)) : this.find(ticker);
  }

  /** What is observed of a market now. */
  observe(record: MarketRecord): ObservedMarket {
    // The feed may hold a market for a moment longer than the database knows it as final.
    const live = record.status === 'finalized' ? null : this.#live.snapshotOf(record.ticker);
    return { record, snapshot: live ?? this.#restingSnapshotOf(record) };
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

  /** Whether a market in any status belongs to the event. */
  async hasEvent(eventTicker: string): Promise<boolean> {
    return (
      this.sorted().some((record) => record.eventTicker === eventTicker) ||
      (await this.#store.markets.hasEvent(eventTicker))
    );
  }

  /** Whether a market in any status belongs to the series. */
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
    this.#finalized.delete(record.ticker);
    const [oldest] = this.#finalized.size >= maxFinalized ? this.#finalized.keys() : [];
    if (oldest !== undefined) {
      this.#tickerById.delete(this.#finalized.get(oldest)?.id ?? '');
      this.#finalized.delete(oldest);
    }
    this.#finalized.set(record.ticker, record);
    this.#tickerById.set(record.id, record.ticker);
  }

  /** A final market has no book any more: it is shown, but no longer watched. */
  #feed(record: MarketRecord): void {
    if (!isVenueMarket(record.record)) return;
    if (record.status === 'finalized') this.#live.unwatch(record.ticker);
    else this.#live.watch(record.record, overlayOf(record));
  }

  #restingSnapshotOf({ record, ...row }: MarketRecord): MarketSnapshot | null {
    if (!isVenueMarket(record)) return null;
    return unseenMarketOf(marketFactsOf(record, overlayOf(row), new Set()), this.#clock.nowMs());
  }
}

/** What the service knows of a market beside the venue's record. */
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

/** The record column holds what the venue room parsed; only that it is such a record is checked again. */
function isVenueMarket(record: unknown): record is VenueMarket {
  return typeof record === 'object' && record !== null && 'tokenIds' in record && 'resolutionStatus' in record;
}
