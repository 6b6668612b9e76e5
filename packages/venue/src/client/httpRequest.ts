import { setTimeout as delay } from 'node:timers/promises';
import { httpExchange } from '@core/runtime';
import {
  isVenueFault,
  type VenueFault,
  venueFault,
  venueMalformedFault,
  venueNetworkFault,
} from '../port/venueFault.ts';
import { parseExactJson } from '../text/exactJson.ts';

interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  /** First and longest wait between attempts; doubles in between, half of it jitter. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** A venue that asks for a longer pause than this gets the fault passed on instead: the caller has better to do. */
  readonly maxRetryAfterMs: number;
}

const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  minBackoffMs: 100,
  maxBackoffMs: 2_000,
  maxRetryAfterMs: 5_000,
};

/** What a request runs on; every part can be replaced by a test. */
export interface HttpTransport {
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly sleep: (waitMs: number) => Promise<void>;
  /** Largest answer read, bytes of text; a longer one is malformed. */
  readonly maxAnswerCharacters: number;
}

/** What the options of a client may replace of its transport. */
export interface TransportOptions {
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly random?: () => number;
  readonly sleep?: (waitMs: number) => Promise<void>;
}

const defaultTimeoutMs = 5_000;
/** A catalogue page of 500 records is about 3 million characters. */
const maxAnswerCharacters = 20_000_000;

export const transportOf = (options: TransportOptions): HttpTransport => ({
  timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
  retry: { ...defaultRetryPolicy, ...options.retry },
  random: options.random ?? Math.random,
  sleep: options.sleep ?? ((waitMs) => delay(waitMs)),
  maxAnswerCharacters,
});

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A successful answer: numbers in `body` are still text. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Wait the venue asks for, milliseconds: whole or fractional seconds, or an HTTP date; null when it does not ask. */
export function retryAfterMsOf(header: string | null, nowMs: number): number | null {
  if (header === null) {
    return null;
  }
  if (/^\d{1,6}(\.\d{1,3})?$/.test(header.trim())) {
    return Math.ceil(Number(header) * 1000);
  }
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** The error text of a body that may be JSON with an `error`, `errorMsg` or `message` field, or anything else. */
const errorTextOf = (text: string): string => {
  try {
    const body: unknown = JSON.parse(text);
    for (const field of ['error', 'errorMsg', 'message']) {
      const value = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined;
      if (typeof value === 'string' && value !== '') {
        return value;
      }
    }
    return text;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return text;
    }
    throw error;
  }
};

const bodyOf = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw venueMalformedFault(text, error);
  }
};

/** One attempt: the answer of a 2xx, else a VenueFault. */
async function attemptOf(request: HttpRequest, transport: HttpTransport): Promise<HttpAnswer> {
  const { url, method, body } = request;
  const { timeoutMs, maxAnswerCharacters } = transport;
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...request.headers,
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await httpExchange({ url, method, headers, ...sent, timeoutMs }).catch((error: unknown) => {
    throw venueNetworkFault(error);
  });
  const { status, text, header } = answer;
  if (status < 200 || status >= 300) {
    throw venueFault({
      status,
      text: errorTextOf(text),
      // Header dates are wall-clock instants of the venue's machine, whatever the service clock says.
      retryAfterMs: retryAfterMsOf(header('retry-after'), Date.now()),
    });
  }
  if (text.length > maxAnswerCharacters) throw venueMalformedFault(`${text.length} characters`);
  return { status, body: bodyOf(text) };
}

const waitMsBefore = (fault: VenueFault, attempt: number, transport: HttpTransport): number => {
  const { minBackoffMs, maxBackoffMs } = transport.retry;
  const ceilingMs = Math.min(maxBackoffMs, minBackoffMs * 2 ** attempt);
  return Math.max(fault.retryAfterMs ?? 0, Math.floor(ceilingMs * (0.5 + transport.random() / 2)));
};

/** A read may always be repeated; a POST only when the venue certainly did not act on it. */
const mayRepeat = (request: HttpRequest, fault: VenueFault, retry: RetryPolicy): boolean =>
  fault.retryable &&
  (request.method === 'GET' || fault.effect === 'no') &&
  (fault.retryAfterMs ?? 0) <= retry.maxRetryAfterMs;

/**
 * Sends a request, with repeats where they are safe, and reads the JSON answer. `read` makes a value of the body or
 * throws a VenueFault, which counts as a failed attempt. Throws VenueFault only.
 */
export async function requestJson<Value>(
  request: HttpRequest,
  transport: HttpTransport,
  read: (answer: HttpAnswer) => Value,
): Promise<Value> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return read(await attemptOf(request, transport));
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      if (attempt + 1 >= transport.retry.maxAttempts || !mayRepeat(request, error, transport.retry)) {
        throw error;
      }
      await transport.sleep(waitMsBefore(error, attempt, transport));
    }
  }
}
