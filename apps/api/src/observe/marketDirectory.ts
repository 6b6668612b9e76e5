import { type MarketSnapshot, unseenMarketOf } from '@core/policy';
import { tokenUnits } from '@core/pricing';
import type { MarketRecord, MarketStore, PositionStore } from '@core/store';
import { type Clock, type MarketOverlay, marketFactsOf, type VenueMarket } from '@core/venue';
import type { LiveMarkets } from './liveMarkets.ts';

/** A listed market with what is observed about it now; the snapshot is null until the feed knows the market. */
export interface ObservedMarket {
  readonly record: MarketRecord;
  readonly snapshot: MarketSnapshot | null;
}

/**
 * All listed markets in memory, kept current from the database by version, and each one handed to the live feed.
 * Reading it costs no query.
 */
export class MarketDirectory {
  readonly #store: { readonly markets: MarketStore; readonly positions: PositionStore };
  readonly #live: LiveMarkets;
  readonly #clock: Clock;
  readonly #byTicker = new Map<string, MarketRecord>();
  readonly #tickerById = new Map<string, string>();
  #version = 0n;

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
    for (const record of await this.#store.markets.changedSince(this.#version)) {
      this.#byTicker.set(record.ticker, record);
      this.#tickerById.set(record.id, record.ticker);
      if (record.version > this.#version) this.#version = record.version;
      this.#feed(record);
    }
  }

  /** Tells the live feed how many tokens open positions hold: they stand in front of a new one in a sale. */
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

  byTicker(ticker: string): ObservedMarket | null {
    const record = this.#byTicker.get(ticker);
    if (record === undefined) return null;
    return { record, snapshot: this.#live.snapshotOf(record.ticker) ?? this.#restingSnapshotOf(record) };
  }

  byId(id: string | null): ObservedMarket | null {
    const ticker = id === null ? undefined : this.#tickerById.get(id);
    return ticker === undefined ? null : this.byTicker(ticker);
  }

  /** Every record, in no order. */
  records(): Iterable<MarketRecord> {
    return this.#byTicker.values();
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

  hasEvent(eventTicker: string): boolean {
    return this.#some((record) => record.eventTicker === eventTicker);
  }

  hasSeries(seriesTicker: string): boolean {
    return this.#some((record) => record.seriesTicker === seriesTicker);
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

  #some(test: (record: MarketRecord) => boolean): boolean {
    for (const record of this.#byTicker.values()) if (test(record)) return true;
    return false;
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
