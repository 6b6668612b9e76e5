import { setTimeout as delay } from 'node:timers/promises';
import { type EndedRequest, httpExchange, retryAfterMsOf } from '@core/runtime';
import {
  isVenueFault,
  type VenueFault,
  venueFault,
  venueMalformedFault,
  venueNetworkFault,
} from '../port/venueFault.ts';
import { parseExactJson } from '../text/exactJson.ts';
import { type EndpointGroup, EndpointPauses } from './endpointPauses.ts';
import { RequestBudget } from './requestBudget.ts';

interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number;
  /** First and longest wait between attempts; doubles in between, half of it jitter. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** Longest pause the client waits; for a longer one it throws the fault. */
  readonly maxRetryAfterMs: number;
}

const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 4,
  minBackoffMs: 100,
  maxBackoffMs: 2_000,
  maxRetryAfterMs: 5_000,
};

/** Everything a request runs on; every part can be replaced by a test. */
export interface HttpTransport {
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly sleep: (waitMs: number) => Promise<void>;
  readonly pauses: EndpointPauses;
  readonly budget: RequestBudget;
  readonly onEnd: (request: EndedRequest) => void;
  /** Largest answer read, bytes of text; a longer one is malformed. */
  readonly maxAnswerCharacters: number;
}

/** Parts of its transport that the options of a client may replace. */
export interface TransportOptions {
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly random?: () => number;
  readonly sleep?: (waitMs: number) => Promise<void>;
  /** Shared by the clients of one address at the venue; the client's own when absent. */
  readonly pauses?: EndpointPauses;
  /** Shared by the clients of one address at the venue; without one requests are sent as they come. */
  readonly budget?: RequestBudget;
  /** Called at the end of each attempt, for a metric. */
  readonly onEnd?: (request: EndedRequest) => void;
}

const defaultTimeoutMs = 5_000;
/** A catalogue page of 500 records is about 3 million characters. */
const maxAnswerCharacters = 20_000_000;

const unlimited = new RequestBudget([]);

export const transportOf = (options: TransportOptions): HttpTransport => ({
  timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
  retry: { ...defaultRetryPolicy, ...options.retry },
  random: options.random ?? Math.random,
  sleep: options.sleep ?? ((waitMs) => delay(waitMs)),
  pauses: options.pauses ?? new EndpointPauses(),
  budget: options.budget ?? unlimited,
  onEnd: options.onEnd ?? (() => undefined),
  maxAnswerCharacters,
});

export interface HttpRequest {
  readonly url: string;
  /** Path that the venue limits the request by; absent where nothing limits it. */
  readonly path?: string;
  /** Endpoints that a pause of the venue concerns together with this one. */
  readonly group: EndpointGroup;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** True for a POST that only reads. */
  readonly isRead?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A successful answer: numbers in `body` are still text. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Longest wait of one answer: twice what the venue requests after a restart. An answer with a longer one, by mistake or
 * by malice, gets one request per this time.
 */
const longestRetryAfterMs = 240_000;

const boundedMsOf = (waitMs: number | null): number | null =>
  waitMs === null ? null : Math.min(waitMs, longestRetryAfterMs);

/** The JSON object in a body; empty where the body is anything else. */
const fieldsOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch (error) {
    if (error instanceof SyntaxError) {
      return {};
    }
    throw error;
  }
};

/** The error text of a body: its first field of these with a text, else all of it. */
const errorTextOf = (text: string): string => {
  const fields = fieldsOf(text);
  const texts = ['error', 'errorMsg', 'message'].map((field) => fields[field]);
  return texts.find((value) => typeof value === 'string' && value !== '')?.toString() ?? text;
};

/** Return the wait in the body of a refusal, milliseconds; null without one. */
const bodyRetryAfterMsOf = (text: string): number | null => {
  const seconds = fieldsOf(text)['retry_after_seconds'];
  return typeof seconds === 'number' && seconds >= 0 ? Math.ceil(seconds * 1000) : null;
};

/** The JSON value of a body; null for an empty one. */
const bodyOf = (text: string): unknown => {
  if (text === '') return null;
  try {
    return parseExactJson(text);
  } catch (error) {
    throw venueMalformedFault(text, error);
  }
};

/** One attempt, with its duration and outcome reported. */
async function timedAttemptOf(request: HttpRequest, transport: HttpTransport): Promise<HttpAnswer> {
  const startMs = performance.now();
  const end = (outcome: string): void => {
    transport.onEnd({ endpoint: request.group, outcome, durationMs: performance.now() - startMs });
  };
  try {
    const answer = await attemptOf(request, transport);
    end('ok');
    return answer;
  } catch (error) {
    end(isVenueFault(error) ? error.code : 'failed');
    throw error;
  }
}

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
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await httpExchange({ url, method, headers, ...payload, timeoutMs }).catch((error: unknown) => {
    throw venueNetworkFault(error);
  });
  const { status, text, header } = answer;
  if (status < 200 || status >= 300) {
    throw venueFault({
      status,
      text: errorTextOf(text),
      // Header dates are wall-clock instants of the venue's machine, independent of the service clock.
      retryAfterMs: boundedMsOf(retryAfterMsOf(header('retry-after'), Date.now()) ?? bodyRetryAfterMsOf(text)),
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

/** A read and a cancel may always be repeated; a POST only when the venue certainly did not act on it. */
const mayRepeat = (request: HttpRequest, fault: VenueFault, retry: RetryPolicy): boolean =>
  fault.retryable &&
  (request.method !== 'POST' || request.isRead === true || fault.effect === 'no') &&
  (fault.retryAfterMs ?? 0) <= retry.maxRetryAfterMs;

/**
 * Send a request, with repeats where they are safe, and read the JSON answer. `read` makes a value of the body or
 * throws a VenueFault, which counts as a failed attempt. While the venue's pause for the group lasts nothing is sent.
 *
 * @throws VenueFault only.
 */
export async function requestJson<Value>(
  request: HttpRequest,
  transport: HttpTransport,
  read: (answer: HttpAnswer) => Value,
): Promise<Value> {
  const { pauses, retry, budget } = transport;
  let waitedFor: VenueFault | null = null;
  for (let attempt = 0; ; attempt += 1) {
    try {
      pauses.check(request.group, waitedFor);
      const budgetMs = budget.take(request.method, request.path ?? '');
      if (budgetMs > 0) await transport.sleep(budgetMs);
      // The venue may have asked another request for a pause meanwhile.
      if (budgetMs > 0) pauses.check(request.group, waitedFor);
      return read(await timedAttemptOf(request, transport));
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      pauses.note(request.group, error);
      if (attempt + 1 >= retry.maxAttempts || !mayRepeat(request, error, retry)) {
        throw error;
      }
      await transport.sleep(waitMsBefore(error, attempt, transport));
      waitedFor = error;
    }
  }
}
