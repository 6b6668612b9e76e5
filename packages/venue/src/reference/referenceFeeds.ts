import type { CryptoSettlement } from '@core/market';

/** Last known spot price of an asset, as a decimal string so that no precision is lost. */
export interface SpotReading {
  readonly asset: string;
  readonly priceUsd: string;
  /** The feed's own instant, not ours. */
  readonly atMs: number;
}

/** Last known state of one game, keyed by the event's slug or by league and game id. */
export interface GameReading {
  readonly slug: string;
  readonly startedAtMs: number | null;
  /** Null for a feed without it. */
  readonly elapsedSeconds: number | null;
  readonly period: string | null;
  readonly score: string | null;
  readonly isLive: boolean;
  readonly isEnded: boolean;
  /** Instant at which the feed last confirmed the game to this process. */
  readonly observedAtMs: number;
}

/** Prices and scores from outside the venue. Reads are from memory; `null`: the feed does not list the subject. */
export interface ReferenceFeeds {
  /** The price by which markets with this settlement are settled, where a feed has several. */
  spotOf(asset: string, settlement?: CryptoSettlement | null): SpotReading | null;
  /** @param gameId The venue's id of the game, for a feed that knows no slugs. */
  gameOf(eventSlug: string, gameId?: string | null): GameReading | null;
  /** Assets that the feed lists: the supported ones. */
  assets(): ReadonlySet<string>;
  close(): void;
}
