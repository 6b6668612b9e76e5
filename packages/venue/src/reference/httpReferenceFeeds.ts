import { Fault } from '@core/errors';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { scaledOf } from '../decimal.ts';
import { parseExactJson } from '../exactJson.ts';
import { pollRepeatedly } from '../pollRepeatedly.ts';
import { decimalText, wholeNumber } from '../schema/wireTypes.ts';
import type { GameReading, ReferenceFeeds, SpotReading } from './referenceFeeds.ts';

export interface HttpReferenceFeedsOptions {
  /** Origin that serves `/reference/spot` and `/reference/games`. */
  readonly url: string;
  readonly clock: Clock;
  readonly spotIntervalMs?: number;
  readonly gamesIntervalMs?: number;
  readonly timeoutMs?: number;
  /** A poll that failed; the last readings stay and age. */
  readonly onFault?: (feed: 'spot' | 'games', fault: Fault) => void;
}

const spotSchema = z.looseObject({
  assets: z.record(z.string(), z.looseObject({ price_usd: decimalText, timestamp_ms: wholeNumber })),
});

const gamesSchema = z.looseObject({
  games: z.array(
    z.looseObject({
      slug: z.string(),
      started_at_ms: wholeNumber.nullish(),
      elapsed_seconds: decimalText,
      period: decimalText.nullish(),
      score: z.string().nullish(),
      live: z.boolean(),
      ended: z.boolean(),
    }),
  ),
});

type WireGame = z.output<typeof gamesSchema>['games'][number];

const gameReadingOf = (game: WireGame, observedAtMs: number): GameReading | null => {
  const elapsedSeconds = scaledOf(game.elapsed_seconds, 0, 'down');
  return elapsedSeconds === null || elapsedSeconds < 0n || elapsedSeconds > 10_000_000n
    ? null
    : {
        slug: game.slug,
        startedAtMs: game.started_at_ms ?? null,
        elapsedSeconds: Number(elapsedSeconds),
        period: game.period || null,
        score: game.score || null,
        isLive: game.live,
        isEnded: game.ended,
        observedAtMs,
      };
};

/** A price that is a positive decimal number. */
const isPrice = (text: string): boolean => (scaledOf(text, 18, 'down') ?? 0n) > 0n;

/** Reads one feed's answer; everything that goes wrong is a retryable Fault of the reference. */
const readFeed = async <Schema extends z.ZodType>(url: string, timeoutMs: number, schema: Schema) => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`status ${response.status}`);
    }
    return schema.parse(parseExactJson(text));
  } catch (cause) {
    throw new Fault({ origin: 'reference', kind: 'retryable', message: `no reading from ${url}`, cause });
  }
};

/** Spot prices and game states by polling over REST. A feed that fails keeps its last readings; their age tells. */
export class HttpReferenceFeeds implements ReferenceFeeds {
  readonly #options: HttpReferenceFeedsOptions;
  readonly #spots = new Map<string, SpotReading>();
  readonly #games = new Map<string, GameReading>();
  readonly #ending = new AbortController();

  constructor(options: HttpReferenceFeedsOptions) {
    this.#options = options;
    const { signal } = this.#ending;
    void pollRepeatedly({ intervalMs: options.spotIntervalMs ?? 1_000, signal }, () => this.#refresh('spot'));
    void pollRepeatedly({ intervalMs: options.gamesIntervalMs ?? 2_000, signal }, () => this.#refresh('games'));
  }

  spotOf(asset: string): SpotReading | null {
    return this.#spots.get(asset) ?? null;
  }

  gameOf(eventSlug: string): GameReading | null {
    return this.#games.get(eventSlug) ?? null;
  }

  assets(): ReadonlySet<string> {
    return new Set(this.#spots.keys());
  }

  /** Reads both feeds once, for a caller that wants them before the first interval has passed. Faults go to `onFault`. */
  async refresh(): Promise<void> {
    await Promise.all([this.#refresh('spot'), this.#refresh('games')]);
  }

  close(): void {
    this.#ending.abort();
  }

  async #refresh(feed: 'spot' | 'games'): Promise<void> {
    try {
      await (feed === 'spot' ? this.#readSpots() : this.#readGames());
    } catch (error) {
      if (!(error instanceof Fault)) {
        throw error;
      }
      if (!this.#ending.signal.aborted) {
        this.#options.onFault?.(feed, error);
      }
    }
  }

  async #readSpots(): Promise<void> {
    const { assets } = await readFeed(`${this.#options.url}/reference/spot`, this.#timeoutMs, spotSchema);
    for (const [asset, reading] of Object.entries(assets)) {
      // A feed that stands still repeats its old instant, and so its age grows although it answers.
      if (isPrice(reading.price_usd)) {
        this.#spots.set(asset, { asset, priceUsd: reading.price_usd, atMs: reading.timestamp_ms });
      }
    }
  }

  async #readGames(): Promise<void> {
    const { games } = await readFeed(`${this.#options.url}/reference/games`, this.#timeoutMs, gamesSchema);
    const observedAtMs = this.#options.clock.nowMs();
    for (const game of games) {
      const reading = gameReadingOf(game, observedAtMs);
      if (reading !== null) {
        this.#games.set(game.slug, reading);
      }
    }
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? 2_000;
  }
}
