import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import { z } from 'zod';
import { type Clock, systemClock } from './clock.ts';
import { onlyFaults, type Polling, pollRepeatedly } from './pollRepeatedly.ts';

export interface FollowedClockOptions {
  /** Origin of the simulator; `GET {url}/control/clock` answers `{ now_ms }`. */
  readonly url: string;
  readonly pollIntervalMs?: number;
  /** Timeout of the first reading, retries included. */
  readonly startTimeoutMs?: number;
  /** The clock the offset is counted from. */
  readonly base?: Clock;
}

/** A clock that has to be closed. */
export interface OpenClock extends Clock {
  close(): void;
}

export interface FollowedClock extends OpenClock {
  /** Followed clock minus base clock, milliseconds. */
  offsetMs(): number;
  onMove(listener: (nowMs: number) => void): () => void;
}

const answerSchema = z.looseObject({ now_ms: z.number() });
const requestTimeoutMs = 1_000;
/** Differences below this are network jitter and drift; above it the source was moved. */
const moveThresholdMs = 500;
/** Step back of the source above which it counts as restarted: its time is then adopted as it is. */
const restartThresholdMs = 1_000;

interface Reading {
  readonly offsetMs: number;
  /** Half the round trip: how wrong the offset can be. */
  readonly uncertaintyMs: number;
}

/** One reading; a source that does not answer is a retryable Fault of the clock. */
async function readOffset(url: string, base: Clock): Promise<Reading> {
  const sentMs = base.nowMs();
  try {
    const response = await fetch(`${url}/control/clock`, {
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const answer = answerSchema.parse(await response.json());
    const receivedMs = base.nowMs();
    return {
      offsetMs: Math.round(answer.now_ms - (sentMs + receivedMs) / 2),
      uncertaintyMs: Math.ceil((receivedMs - sentMs) / 2),
    };
  } catch (cause) {
    throw new Fault({ origin: 'clock', kind: 'retryable', message: `no reading of the clock at ${url}`, cause });
  }
}

/** Clock that follows another: its offset, and the promise never to run backwards. */
class Follower implements FollowedClock {
  readonly #base: Clock;
  readonly #listeners = new Set<(nowMs: number) => void>();
  readonly #polling: Polling;
  #offsetMs: number;
  #latestMs = 0;
  #isClosed = false;

  constructor(source: { readonly url: string; readonly base: Clock; readonly intervalMs: number }, offsetMs: number) {
    const { url, base, intervalMs } = source;
    this.#base = base;
    this.#offsetMs = offsetMs;
    this.#polling = pollRepeatedly({
      task: async () => this.#take(await readOffset(url, base)),
      intervalMs,
      // While the source does not answer, the clock runs on with the offset it has.
      onFailure: onlyFaults(() => undefined),
    });
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
    this.#isClosed = true;
    void this.#polling.stop();
  }

  #take({ offsetMs, uncertaintyMs }: Reading): void {
    const differenceMs = offsetMs - this.#offsetMs;
    if (this.#isClosed || Math.abs(differenceMs) <= uncertaintyMs) return;
    this.#offsetMs = offsetMs;
    if (differenceMs < -restartThresholdMs) this.#latestMs = 0;
    if (Math.abs(differenceMs) <= moveThresholdMs) return;
    const nowMs = this.nowMs();
    for (const listener of this.#listeners) listener(nowMs);
  }
}

/**
 * Follow the simulator's movable clock by polling. Resolves with the first reading, so that no work runs on a wrong
 * clock.
 * @throws Fault of the clock, retryable, when the source stays silent for `startTimeoutMs`.
 */
export async function followedClock(options: FollowedClockOptions): Promise<FollowedClock> {
  const { url, base = systemClock, pollIntervalMs: intervalMs = 200, startTimeoutMs = 60_000 } = options;
  const deadlineMs = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      const { offsetMs } = await readOffset(url, base);
      return new Follower({ url, base, intervalMs }, offsetMs);
    } catch (error) {
      if (Date.now() + intervalMs > deadlineMs) throw error;
      await delay(intervalMs);
    }
  }
}

/**
 * The clock of a program: that of the simulator at the given origin, or the machine's own.
 * @throws Fault of the clock, retryable, when the simulator stays silent.
 */
export async function openClock(url: string | null): Promise<OpenClock> {
  return url === null ? { ...systemClock, close: () => undefined } : followedClock({ url });
}
