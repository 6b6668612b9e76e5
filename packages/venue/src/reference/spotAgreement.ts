import type { CryptoSettlement } from '@core/market';
import { scaledOf } from '../text/decimal.ts';
import type { SpotReading } from './referenceFeeds.ts';

/** Feeds of the venue by the price that settles a market: the exchange whose candles count, and the oracle's stream. */
export const venueFeeds = ['venue_exchange', 'venue_oracle'] as const;
/** Exchanges that have no part in the settlement. */
export const independentFeeds = ['coinbase', 'kraken'] as const;
export type SpotFeed = (typeof venueFeeds)[number] | (typeof independentFeeds)[number];

/** Price of an asset as one feed sends it. */
export interface FeedPrice {
  readonly asset: string;
  /** Positive decimal text. */
  readonly priceUsd: string;
  /** Instant of the price by the feed's own clock; null when it has none. */
  readonly atMs: number | null;
}

interface FeedState {
  priceE8: bigint;
  priceUsd: string;
  /** The feed's own instant of its last price. */
  pricedAtMs: number;
  /** Instant up to which the feed stands by its price: that of the price, or of a later heartbeat. */
  atMs: number;
  /** Instant of the last change of the price. */
  changedAtMs: number;
  /** Prices of the other feeds when this one changed last. */
  readonly othersE8: Map<SpotFeed, bigint>;
}

const priceDecimals = 8;
/** Largest distance between two feeds that agree: they lag behind each other by up to three seconds. */
const maxDistanceBps = 100n;
/** Movement of another feed after which an unchanged price counts as frozen. */
const frozenMoveBps = 15n;
/** Time without a change before which no price counts as frozen. */
const minFrozenMs = 5_000;
const fullBps = 10_000n;

/** Return true when two prices differ by more than this share of the first. */
function isFarther(left: bigint, right: bigint, bps: bigint): boolean {
  const distance = left > right ? left - right : right - left;
  return distance * fullBps > left * bps;
}

/**
 * Prices of several feeds that have to confirm each other. The reading of an asset is the price that settles its
 * markets, dated with the last instant at which an independent exchange agreed with it: while they disagree, freeze
 * or are silent, the reading ages.
 */
export class SpotAgreement {
  /** By asset, then by feed. */
  readonly #states = new Map<string, Map<SpotFeed, FeedState>>();
  readonly #readings = new Map<string, SpotReading>();
  #assets: ReadonlySet<string> = new Set();

  /** Assets with a reading: the same set until one comes. */
  get assets(): ReadonlySet<string> {
    return this.#assets;
  }

  /** Record the price of a feed, received at `nowMs`. Prices that are no positive number are ignored. */
  record(feed: SpotFeed, { asset, priceUsd, atMs }: FeedPrice, nowMs: number): void {
    const priceE8 = scaledOf(priceUsd, priceDecimals, 'down');
    if (priceE8 === null || priceE8 <= 0n) return;
    const states = this.#statesOf(asset);
    const last = states.get(feed);
    const ownMs = Math.min(nowMs, atMs ?? nowMs);
    // A late message says nothing new.
    if (last !== undefined && ownMs < last.pricedAtMs) return;
    const validMs = Math.max(ownMs, last?.atMs ?? ownMs);
    if (last?.priceE8 === priceE8) {
      last.pricedAtMs = ownMs;
      last.atMs = validMs;
    } else {
      const others = [...states].filter(([other]) => other !== feed);
      const othersE8 = new Map(others.map(([other, state]) => [other, state.priceE8]));
      states.set(feed, { priceE8, priceUsd, pricedAtMs: ownMs, atMs: validMs, changedAtMs: ownMs, othersE8 });
    }
    // A feed that is new is compared from its first price on.
    for (const [other, state] of states) {
      if (other !== feed && !state.othersE8.has(feed)) state.othersE8.set(feed, priceE8);
    }
    this.#read(asset, states);
  }

  /** Record that an exchange is alive: its last prices stand until the next one. */
  confirm(feed: SpotFeed, assets: Iterable<string>, nowMs: number): void {
    for (const asset of assets) {
      const states = this.#states.get(asset);
      const state = states?.get(feed);
      if (states === undefined || state === undefined) continue;
      state.atMs = Math.max(state.atMs, nowMs);
      this.#read(asset, states);
    }
  }

  /** Return the reading of the price that settles a market; null before the first agreement. */
  reading(asset: string, settlement: CryptoSettlement | null): SpotReading | null {
    return this.#readings.get(keyOf(asset, settlement === 'averaged_ends' ? 'venue_oracle' : 'venue_exchange')) ?? null;
  }

  #statesOf(asset: string): Map<SpotFeed, FeedState> {
    const states = this.#states.get(asset) ?? new Map<SpotFeed, FeedState>();
    this.#states.set(asset, states);
    return states;
  }

  #read(asset: string, states: ReadonlyMap<SpotFeed, FeedState>): void {
    for (const feed of venueFeeds) {
      const state = states.get(feed);
      if (state === undefined) continue;
      const agreedMs = independentFeeds.flatMap((other) => {
        const independent = states.get(other);
        if (independent === undefined || isFarther(state.priceE8, independent.priceE8, maxDistanceBps)) return [];
        return [Math.min(validMsOf(feed, states), validMsOf(other, states))];
      });
      const key = keyOf(asset, feed);
      const atMs = Math.max(this.#readings.get(key)?.atMs ?? Number.NEGATIVE_INFINITY, ...agreedMs);
      if (agreedMs.length > 0) this.#readings.set(key, { asset, priceUsd: state.priceUsd, atMs });
    }
    if (!this.#assets.has(asset) && venueFeeds.some((feed) => this.#readings.has(keyOf(asset, feed)))) {
      this.#assets = new Set([...this.#assets, asset]);
    }
  }
}

const keyOf = (asset: string, feed: SpotFeed): string => `${asset}:${feed}`;

/** Instant up to which a feed is believed: that of its last change where it is frozen while another moves. */
function validMsOf(feed: SpotFeed, states: ReadonlyMap<SpotFeed, FeedState>): number {
  const state = states.get(feed);
  if (state === undefined) return Number.NEGATIVE_INFINITY;
  const hasAnotherMoved = [...state.othersE8].some(([other, beforeE8]) => {
    const now = states.get(other);
    return now !== undefined && isFarther(beforeE8, now.priceE8, frozenMoveBps);
  });
  const isFrozen = hasAnotherMoved && state.atMs - state.changedAtMs >= minFrozenMs;
  return isFrozen ? state.changedAtMs : state.atMs;
}
