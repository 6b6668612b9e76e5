import { Fault } from '@core/errors';
import { type Clock, onlyFaults, type Polling, pollRepeatedly } from '@core/runtime';
import { z } from 'zod';
import { type HttpRequest, type HttpTransport, requestJson, transportOf } from '../client/httpRequest.ts';
import { read } from '../client/readAnswer.ts';
import { isVenueFault } from '../port/venueFault.ts';
import { decimalText, wholeNumber } from '../schema/wireTypes.ts';
import { scaledOf } from '../text/decimal.ts';
import { ListedReadings } from './listedReadings.ts';
import type { GameReading, ReferenceFeeds, SpotReading } from './referenceFeeds.ts';

export interface HttpReferenceFeedsOptions {
  /** Origin that serves `/reference/spot` and `/reference/games`. */
  readonly url: string;
  readonly clock: Clock;
  readonly spotIntervalMs?: number;
  readonly gamesIntervalMs?: number;
  readonly timeoutMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** A poll that failed; the last readings stay and age. */
  readonly onFault?: (feed: Feed, fault: Fault) => void;
}

const feeds = ['spot', 'games'] as const;
type Feed = (typeof feeds)[number];

const spotSchema = z.looseObject({ assets: z.record(z.string(), z.unknown()) });
const assetSchema = z.looseObject({ price_usd: decimalText, timestamp_ms: wholeNumber });

const gamesSchema = z.looseObject({ games: z.array(z.unknown()) });
const gameSchema = z.looseObject({
  slug: z.string(),
  started_at_ms: wholeNumber.nullish(),
  elapsed_seconds: decimalText,
  period: decimalText.nullish(),
  score: z.string().nullish(),
  live: z.boolean(),
  ended: z.boolean(),
});

/** One spot price of an answer; null when it cannot be read, which hides no other. */
const spotReadingOf = (asset: string, wire: unknown): SpotReading | null => {
  const spot = assetSchema.safeParse(wire).data;
  return spot === undefined || !isPrice(spot.price_usd)
    ? null
    : { asset, priceUsd: spot.price_usd, atMs: spot.timestamp_ms };
};

/** One game of an answer; null when it cannot be read, which hides no other. */
const gameReadingOf = (wire: unknown, observedAtMs: number): GameReading | null => {
  const game = gameSchema.safeParse(wire).data;
  const elapsedSeconds = game === undefined ? null : scaledOf(game.elapsed_seconds, 0, 'down');
  return game === undefined || elapsedSeconds === null || elapsedSeconds < 0n || elapsedSeconds > 10_000_000n
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

/**
 * Read one feed's answer.
 * @throws Fault of the reference, retryable, on any failure.
 */
const readFeed = async <Schema extends z.ZodType>(
  request: Pick<HttpRequest, 'url' | 'group'>,
  transport: HttpTransport,
  schema: Schema,
): Promise<z.output<Schema>> => {
  try {
    return await requestJson({ ...request, method: 'GET' }, transport, ({ body }) => read(schema, body));
  } catch (cause) {
    if (!isVenueFault(cause)) throw cause;
    throw new Fault({ origin: 'reference', kind: 'retryable', message: `no reading from ${request.url}`, cause });
  }
};

/** Spot prices and game states by polling over REST. A feed that fails keeps its last readings; their age shows it. */
export class HttpReferenceFeeds implements ReferenceFeeds {
  readonly #options: HttpReferenceFeedsOptions;
  readonly #spots = new ListedReadings<SpotReading>();
  readonly #games = new ListedReadings<GameReading>();
  readonly #now: () => number;
  readonly #polls: readonly Polling[];
  readonly #transport: HttpTransport;
  #isClosed = false;

  constructor(options: HttpReferenceFeedsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    // The next poll comes soon enough: nothing is repeated.
    this.#transport = transportOf({ timeoutMs: options.timeoutMs ?? 2_000, retry: { maxAttempts: 1 } });
    const poll = (feed: Feed, intervalMs: number): Polling =>
      pollRepeatedly({ task: () => this.#read(feed), intervalMs, onFailure: this.#failureRule(feed) });
    this.#polls = [poll('spot', options.spotIntervalMs ?? 1_000), poll('games', options.gamesIntervalMs ?? 2_000)];
  }

  spotOf(asset: string): SpotReading | null {
    return this.#spots.get(asset);
  }

  gameOf(eventSlug: string): GameReading | null {
    return this.#games.get(eventSlug);
  }

  assets(): ReadonlySet<string> {
    return this.#spots.subjects;
  }

  /**
   * Read both feeds once, for a caller that needs them before the first interval has passed. Faults go to `onFault`.
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
    const url = `${this.#options.url}/reference/spot`;
    const { assets } = await readFeed({ url, group: 'spot' }, this.#transport, spotSchema);
    // A frozen feed repeats its old instant, so its age grows although it answers.
    const readings = Object.entries(assets).map(([asset, wire]) => spotReadingOf(asset, wire));
    this.#spots.list(
      readings.flatMap((reading) => (reading === null ? [] : [[reading.asset, reading] as const])),
      this.#now(),
    );
  }

  async #readGames(): Promise<void> {
    const url = `${this.#options.url}/reference/games`;
    const { games } = await readFeed({ url, group: 'games' }, this.#transport, gamesSchema);
    const observedAtMs = this.#options.clock.nowMs();
    const readings = games.map((wire) => gameReadingOf(wire, observedAtMs));
    this.#games.list(
      readings.flatMap((reading) => (reading === null ? [] : [[reading.slug, reading] as const])),
      this.#now(),
    );
  }
}
