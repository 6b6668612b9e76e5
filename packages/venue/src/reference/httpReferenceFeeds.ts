import { Fault } from '@core/errors';
import { type Clock, onlyFaults, type Polling, pollRepeatedly } from '@core/runtime';
import { z } from 'zod';
import { decimalText, wholeNumber } from '../schema/wireTypes.ts';
import { scaledOf } from '../text/decimal.ts';
import { parseExactJson } from '../text/exactJson.ts';
import type { GameReading, ReferenceFeeds, SpotReading } from './referenceFeeds.ts';

export interface HttpReferenceFeedsOptions {
  /** Origin that serves `/reference/spot` and `/reference/games`. */
  readonly url: string;
  readonly clock: Clock;
  readonly spotIntervalMs?: number;
  readonly gamesIntervalMs?: number;
  readonly timeoutMs?: number;
  /** A poll that failed; the last readings stay and age. */
  readonly onFault?: (feed: Feed, fault: Fault) => void;
}

const feeds = ['spot', 'games'] as const;
type Feed = (typeof feeds)[number];

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

/** Spot prices and game states by polling over REST. A feed that fails keeps its last readings; their age shows it. */
export class HttpReferenceFeeds implements ReferenceFeeds {
  readonly #options: HttpReferenceFeedsOptions;
  readonly #spots = new Map<string, SpotReading>();
  readonly #games = new Map<string, GameReading>();
  readonly #polls: readonly Polling[];
  #assets: ReadonlySet<string> = new Set();
  #isClosed = false;

  constructor(options: HttpReferenceFeedsOptions) {
    this.#options = options;
    const poll = (feed: Feed, intervalMs: number): Polling =>
      pollRepeatedly({ task: () => this.#read(feed), intervalMs, onFailure: this.#failureRule(feed) });
    this.#polls = [poll('spot', options.spotIntervalMs ?? 1_000), poll('games', options.gamesIntervalMs ?? 2_000)];
  }

  spotOf(asset: string): SpotReading | null {
    return this.#spots.get(asset) ?? null;
  }

  gameOf(eventSlug: string): GameReading | null {
    return this.#games.get(eventSlug) ?? null;
  }

  assets(): ReadonlySet<string> {
    // The same set as long as no asset is new, so that what rests on it need not be worked out again.
    if (this.#assets.size !== this.#spots.size) this.#assets = new Set(this.#spots.keys());
    return this.#assets;
  }

  /**
   * Reads both feeds once, for a caller that wants them before the first interval has passed. Faults go to `onFault`.
   */
  async refresh(): Promise<void> {
    await Promise.all(feeds.map((feed) => this.#read(feed).catch(this.#failureRule(feed))));
  }

  close(): void {
    this.#isClosed = true;
    for (const poll of this.#polls) void poll.stop();
  }

  #read(feed: Feed): Promise<void> {
    return feed === 'spot' ? this.#readSpots() : this.#readGames();
  }

  #failureRule(feed: Feed): (cause: unknown) => void {
    return onlyFaults((fault) => {
      if (!this.#isClosed) this.#options.onFault?.(feed, fault);
    });
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
