import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'redis';

/** The client ends no command that it has written: a Redis that has not answered by then is down. */
const answerTimeoutMs = 500;
const openTimeoutMs = 1_000;
/** A look whether an idle connection still leads to a server that answers. */
const lookIntervalMs = 1_000;
const shortestPauseMs = 50;
const longestPauseMs = 2_000;

const clientOf = (redisUrl: string) =>
  createClient({
    url: redisUrl,
    // A command that cannot be sent fails at once instead of waiting for the connection.
    disableOfflineQueue: true,
    socket: { connectTimeout: openTimeoutMs, reconnectStrategy: false },
  });
export type RedisClient = ReturnType<typeof clientOf>;

/** Redis is away or silent. It has the code of a connection that failed, because it passes as one does. */
class RedisUnanswered extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(cause?: unknown) {
    super('redis did not answer', { cause });
  }
}

interface RedisOptions {
  readonly redisUrl: string;
  /** Hears of each time the server cannot be reached or does not answer. */
  readonly onFault: (cause: unknown) => void;
  /** Commands that open a new connection. */
  readonly onOpen?: (client: RedisClient) => Promise<unknown>;
}

/**
 * One connection to a Redis that may fall silent at any moment, with commands on their way as well: who waits hears
 * so within half a second, and no one waits while it is known. A connection that owes an answer is given up with all
 * that is on it; the next one counts once it has answered.
 */
export class RedisConnection {
  readonly options: RedisOptions;
  readonly #closing = new AbortController();
  readonly #firstAttempt = Promise.withResolvers<void>();
  readonly #keeping: Promise<void>;
  #hasAttempted = false;
  #current: { readonly client: RedisClient; readonly closing: AbortController } | null = null;

  constructor(options: RedisOptions) {
    this.options = options;
    this.#keeping = this.#keepOpen();
  }

  /** Null before the first attempt to connect has ended. */
  get isReachable(): boolean | null {
    return this.#hasAttempted ? this.#current !== null : null;
  }

  /** Resolve when the first attempt to connect has come to an end, whichever it was. */
  get attempted(): Promise<void> {
    return this.#firstAttempt.promise;
  }

  /** @throws when Redis is not there or does not answer in time; isDatabaseFault holds for it. */
  async run<Reply>(command: (client: RedisClient) => Promise<Reply>): Promise<Reply> {
    if (this.#current === null) await this.attempted;
    const current = this.#current;
    if (current === null) throw new RedisUnanswered();
    try {
      return await answered(command(current.client), answerTimeoutMs);
    } catch (cause) {
      if (cause instanceof RedisUnanswered) current.closing.abort(cause);
      throw cause instanceof RedisUnanswered ? cause : new RedisUnanswered(cause);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#current?.closing.abort();
    await this.#keeping;
  }

  async #keepOpen(): Promise<void> {
    const { redisUrl, onFault } = this.options;
    const { signal } = this.#closing;
    let pauseMs = shortestPauseMs;
    while (!signal.aborted) {
      const client = clientOf(redisUrl);
      const closing = new AbortController();
      closing.signal.addEventListener('abort', () => {
        this.#current = null;
        client.destroy();
      });
      // The client throws what no one listens to.
      client.on('error', (cause) => closing.abort(cause));
      try {
        await answered(this.#open(client), openTimeoutMs);
        this.#current = { client, closing };
        pauseMs = shortestPauseMs;
        this.#endAttempt();
        await this.#look(client, closing.signal);
      } catch (cause) {
        if (!signal.aborted) onFault(closing.signal.reason ?? cause);
      }
      closing.abort();
      this.#endAttempt();
      await delay(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
    }
  }

  #endAttempt(): void {
    this.#hasAttempted = true;
    this.#firstAttempt.resolve();
  }

  /** Until it is given up. */
  async #look(client: RedisClient, closing: AbortSignal): Promise<never> {
    for (;;) {
      await delay(lookIntervalMs, undefined, { ref: false, signal: closing });
      await answered(client.ping(), answerTimeoutMs);
    }
  }

  /** A connection is of use once the server has answered on it. */
  async #open(client: RedisClient): Promise<void> {
    await client.connect();
    await client.ping();
    await this.options.onOpen?.(client);
  }
}

/** Return a reply that arrives within a time limit. Later replies and failures are dropped. */
async function answered<Reply>(reply: Promise<Reply>, timeoutMs: number): Promise<Reply> {
  const waiting = Promise.withResolvers<never>();
  const timer = setTimeout(() => waiting.reject(new RedisUnanswered()), timeoutMs);
  try {
    return await Promise.race([reply, waiting.promise]);
  } finally {
    clearTimeout(timer);
  }
}
