import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import { z } from 'zod';
import { type Clock, systemClock } from './clock.ts';
import { pollRepeatedly } from './pollRepeatedly.ts';

export interface FollowedClockOptions {
  /** Origin of the simulator; `GET {url}/control/clock` answers `{ now_ms }`. */
  readonly url: string;
  readonly pollIntervalMs?: number;
  /** How long the first reading may take, retries included. */
  readonly startTimeoutMs?: number;
  /** The clock the offset is counted from. */
  readonly base?: Clock;
}

export interface FollowedClock extends Clock {
  /** Followed clock minus base clock, milliseconds. */
  offsetMs(): number;
  onMove(listener: (nowMs: number) => void): () => void;
  close(): void;
}

const answerSchema = z.looseObject({ now_ms: z.number() });
const requestTimeoutMs = 1_000;
/** Differences below this are network jitter and drift; above it somebody moved the clock. */
const moveThresholdMs = 500;
/** A source that fell back further than this was started anew, and its time is taken over as it is. */
const restartThresholdMs = 1_000;

interface Reading {
  readonly offsetMs: number;
  /** Half the round trip: how wrong the offset can be. */
  readonly uncertaintyMs: number;
}

/** One reading; a source that does not answer is a retryable Fault of the clock. */
const readOffset = async (url: string, base: Clock): Promise<Reading> => {
  const sentMs = base.nowMs();
  try {
    const response = await fetch(`${url}/control/clock`, { signal: AbortSignal.timeout(requestTimeoutMs) });
    const answer = answerSchema.parse(await response.json());
    const receivedMs = base.nowMs();
    return {
      offsetMs: Math.round(answer.now_ms - (sentMs + receivedMs) / 2),
      uncertaintyMs: Math.ceil((receivedMs - sentMs) / 2),
    };
  } catch (cause) {
    throw new Fault({ origin: 'clock', kind: 'retryable', message: `no reading of the clock at ${url}`, cause });
  }
};

/** Keeps a moved clock: the offset and the promise never to run backwards. */
class Follower implements FollowedClock {
  readonly #base: Clock;
  readonly #listeners = new Set<(nowMs: number) => void>();
  #offsetMs: number;
  #latestMs = 0;
  readonly #ending = new AbortController();

  constructor(base: Clock, offsetMs: number) {
    this.#base = base;
    this.#offsetMs = offsetMs;
  }

  nowMs(): number {
    this.#latestMs = Math.max(this.#latestMs, this.#base.nowMs() + this.#offsetMs);
    return this.#latestMs;
  }

  offsetMs(): number {
    return this.#offsetMs;
  }

  onMove(listener: (nowMs: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#ending.abort();
  }

  /** Polls until closed. While the source does not answer, the clock runs on with the offset it has. */
  async follow(url: string, intervalMs: number): Promise<void> {
    await pollRepeatedly({ intervalMs, signal: this.#ending.signal }, async () => {
      try {
        this.#follow(await readOffset(url, this.#base));
      } catch (error) {
        if (!(error instanceof Fault)) {
          throw error;
        }
      }
    });
  }

  #follow({ offsetMs, uncertaintyMs }: Reading): void {
    const differenceMs = offsetMs - this.#offsetMs;
    if (this.#ending.signal.aborted || Math.abs(differenceMs) <= uncertaintyMs) {
      return;
    }
    this.#offsetMs = offsetMs;
    if (differenceMs < -restartThresholdMs) {
      this.#latestMs = 0;
    }
    if (Math.abs(differenceMs) > moveThresholdMs) {
      const nowMs = this.nowMs();
      for (const listener of this.#listeners) {
        listener(nowMs);
      }
    }
  }
}

/**
 * The simulator's movable clock, followed by polling. Resolves with the first reading, so that nobody ever works on a wrong
 * clock; throws a retryable Fault when the source stays silent for `startTimeoutMs`.
 */
export async function followedClock(options: FollowedClockOptions): Promise<FollowedClock> {
  const base = options.base ?? systemClock;
  const pollIntervalMs = options.pollIntervalMs ?? 200;
  const deadlineMs = Date.now() + (options.startTimeoutMs ?? 10_000);
  for (;;) {
    try {
      const { offsetMs } = await readOffset(options.url, base);
      const clock = new Follower(base, offsetMs);
      void clock.follow(options.url, pollIntervalMs);
      return clock;
    } catch (error) {
      if (Date.now() + pollIntervalMs > deadlineMs) {
        throw error;
      }
      await delay(pollIntervalMs);
    }
  }
}
