import { NetworkError, type ServiceError } from '../errors/levError.ts';
import { serviceErrorOf } from '../errors/serviceErrorOf.ts';
import { basePath, type Operations, routes } from '../generated/routes.ts';
import type { Credential } from './credential.ts';
import { Pacer } from './pacer.ts';
import type { Surroundings } from './surroundings.ts';

/** The name of a route. */
export type RouteName = keyof Operations;

/** What every call takes beside its own arguments. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The key under which a POST is done once; made up where none is given. */
  readonly idempotencyKey?: string | undefined;
}

/** The parts of a request. */
export interface CallParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** One request as it leaves, for those who want to see or print it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface TransportOptions {
  readonly apiUrl: string;
  readonly credential: Credential;
  readonly surroundings: Surroundings;
  /** Called with every request before it is sent. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
}

const retries = 2;
const firstBackoffMs = 1_000;
const attemptTimeoutMs = 30_000;
/** Longest wait that is done here; where the service asks for more the caller decides. */
const longestWaitMs = 65_000;
/** Window of the limit on quotes, drafts and promotions of one wallet. */
const quoteWindowMs = 1_000;

/** Sends requests: credential, idempotency key, retries, and the pace of quotes. */
export class Transport {
  readonly apiUrl: string;
  readonly credential: Credential;
  readonly surroundings: Surroundings;
  readonly #onRequest: ((request: SentRequest) => void) | undefined;
  readonly #quotePacer: Pacer;

  constructor({ apiUrl, credential, surroundings, onRequest }: TransportOptions) {
    this.apiUrl = apiUrl;
    this.credential = credential;
    this.surroundings = surroundings;
    this.#onRequest = onRequest;
    this.#quotePacer = new Pacer(quoteWindowMs, surroundings);
  }

  /** The same service with another credential. */
  as(credential: Credential): Transport {
    const { apiUrl, surroundings } = this;
    return new Transport({ apiUrl, credential, surroundings, onRequest: this.#onRequest });
  }

  /**
   * Calls a route. Failures that a repetition may heal are repeated twice, a POST under one idempotency key. A refused
   * token that can be replaced is.
   * @throws ServiceError with the code of the answer; NetworkError when none came; the signal's reason.
   */
  async call<Name extends RouteName>(
    name: Name,
    parts: CallParts,
    options: CallOptions = {},
  ): Promise<Operations[Name]['answer']> {
    const { method, throttle } = routes[name];
    const key = method === 'POST' ? (options.idempotencyKey ?? this.surroundings.randomId()) : null;
    const { signal } = options;
    for (let attempt = 0; ; attempt += 1) {
      const send = (): Promise<Attempt> => this.#attempt(name, { ...parts, key, signal });
      const tried = throttle === 'quoteCreation' ? await this.#quotePacer.pass(send, signal) : await send();
      if (tried.isSuccess) return tried.body as Operations[Name]['answer'];
      const { error, authorization } = tried;
      if (error.code === 'unauthorized' && attempt < retries && this.credential.refused(authorization)) continue;
      const waitMs = this.#waitMs(error, attempt);
      if (waitMs === null) throw error;
      await this.surroundings.sleep(waitMs, signal);
    }
  }

  /** How long to wait before the next attempt; null when there is none. Full jitter, the service's word first. */
  #waitMs(error: ServiceError | NetworkError, attempt: number): number | null {
    if (!error.retryable || attempt >= retries) return null;
    const askedMs = error instanceof NetworkError ? null : error.retryAfterSeconds;
    if (askedMs !== null) return askedMs * 1_000 > longestWaitMs ? null : askedMs * 1_000;
    return firstBackoffMs * 2 ** attempt * (1 + this.surroundings.random());
  }

  async #attempt(
    name: RouteName,
    { key, signal, ...parts }: CallParts & { readonly key: string | null; readonly signal: AbortSignal | undefined },
  ): Promise<Attempt> {
    const authorization = await this.credential.authorization();
    const request: SentRequest = {
      method: routes[name].method,
      url: `${this.apiUrl}${pathOf(routes[name].path, parts.path ?? {})}${queryText(parts.query ?? {})}`,
      headers: {
        accept: 'application/json',
        ...(authorization !== null && { authorization }),
        ...(key !== null && { 'idempotency-key': key }),
        ...(parts.body !== undefined && { 'content-type': 'application/json' }),
      },
      body: parts.body === undefined ? null : JSON.stringify(parts.body),
    };
    this.#onRequest?.(request);
    const limit = AbortSignal.timeout(attemptTimeoutMs);
    const { url, ...init } = request;
    try {
      const merged = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const response = await this.surroundings.fetch(url, { ...init, signal: merged });
      const body = jsonOf(await response.text());
      if (response.ok && body !== undefined) return { isSuccess: true, body };
      const { status, headers } = response;
      return { isSuccess: false, authorization, error: serviceErrorOf({ status, headers, body, sent: parts.body }) };
    } catch (cause) {
      // A caller that stops is no failure of the network.
      if (signal?.aborted === true) throw signal.reason;
      const error = new NetworkError(`${init.method} ${url} was not answered`, { cause });
      return { isSuccess: false, authorization, error };
    }
  }
}

interface FailedAttempt {
  readonly isSuccess: false;
  /** What was sent as the Authorization. */
  readonly authorization: string | null;
  readonly error: ServiceError | NetworkError;
}

type Attempt = { readonly isSuccess: true; readonly body: unknown } | FailedAttempt;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

function pathOf(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_text, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** Query fields as text: lists with commas, what is undefined left out. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, Array.isArray(value) ? value.join(',') : String(value)]];
  });
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields)}`;
}

/** The address of the interface, from a host's root or from the whole of it. */
export function apiUrlOf(baseUrl: string): string {
  const trimmed = baseUrl.replace(/\/+$/, '');
  return trimmed.endsWith(basePath) ? trimmed : `${trimmed}${basePath}`;
}
