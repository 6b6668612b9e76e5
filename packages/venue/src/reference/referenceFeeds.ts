/** Last known spot price of an asset, as a decimal string so that no precision is lost. */
export interface SpotReading {
  readonly asset: string;
  readonly priceUsd: string;
  /** The feed's own instant, not ours. */
  readonly atMs: number;
}

/** Last known state of one game, keyed by the event's slug. */
export interface GameReading {
  readonly slug: string;
  readonly startedAtMs: number | null;
  readonly elapsedSeconds: number;
  readonly period: string | null;
  readonly score: string | null;
  readonly isLive: boolean;
  readonly isEnded: boolean;
  /** When this process last had the game confirmed by the feed. */
  readonly observedAtMs: number;
}

/** Prices and scores from outside the venue. Reads are from memory; `null` means never seen. */
export interface ReferenceFeeds {
  spotOf(asset: string): SpotReading | null;
  gameOf(eventSlug: string): GameReading | null;
  /** Assets the feed has ever served: the supported ones. */
  assets(): ReadonlySet<string>;
  close(): void;
}
