import { custom, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem';
import { type HttpAnswer, httpExchange } from './httpExchange.ts';
import type { Call } from './nodeAnswers.ts';
import { NodePause } from './nodePause.ts';
import { isResult } from './nodeResults.ts';
import { countRpcCall } from './rpcCalls.ts';

export interface RpcTransportOptions {
  /** May carry a user and a password, which are sent as a header. */
  readonly rpcUrl: string;
  readonly timeoutMs: number;
  readonly retryCount?: number;
  /** True to send the calls of one moment together. */
  readonly isBatched: boolean;
}

type Body = Record<string, unknown>;

interface RpcAnswer {
  readonly result?: unknown;
  /** Some nodes write null beside a result. */
  readonly error?: { readonly code: number; readonly message: string } | null;
}

interface Waiting {
  readonly call: Call;
  readonly resolve: (answer: RpcAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls in one request: what nodes take. */
const maxBatchSize = 1_000;
/** Longest pause of a node that a call waits for; for a longer one it fails at once. */
const longestWaitMs = 1_000;

/**
 * JSON-RPC over HTTP, with the errors and repeats of viem's own transport, which spends more on each request than on
 * all else: an error for the case that time runs out, a timer before a batch leaves, and `fetch`.
 */
export function rpcTransport({ retryCount, ...options }: RpcTransportOptions): Transport {
  const endpoint = endpointOf(options);
  const ask = options.isBatched ? batchedBy(endpoint) : (call: Call) => askOne(endpoint, call);
  const request = async (call: Call): Promise<unknown> => {
    countRpcCall(call.method);
    const { result, error } = await ask(call);
    const { url } = endpoint;
    if (error !== undefined && error !== null) throw new RpcRequestError({ body: { ...call }, error, url });
    if (isResult(call, result)) return result;
    throw new HttpRequestError({ body: { ...call }, details: `no result of ${call.method}`, url });
  };
  return custom({ request }, { key: 'http', name: 'HTTP JSON-RPC', retryCount });
}

interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly pause: NodePause;
}

function endpointOf({ rpcUrl, timeoutMs }: RpcTransportOptions): Endpoint {
  const url = new URL(rpcUrl);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const headers = { 'content-type': 'application/json', ...(url.username === '' ? {} : authorization) };
  url.username = '';
  url.password = '';
  return { url: url.toString(), headers, timeoutMs, pause: new NodePause() };
}

const numbered = ({ method, params }: Call, id: number): Body => ({ jsonrpc: '2.0', id, method, params });

async function askOne(endpoint: Endpoint, call: Call): Promise<RpcAnswer> {
  const body = numbered(call, 1);
  return rpcAnswerIn(endpoint, body, await post(endpoint, body));
}

/** Return a caller that sends all calls of one cycle of the event loop together. */
function batchedBy(endpoint: Endpoint): (call: Call) => Promise<RpcAnswer> {
  let waiting: Waiting[] = [];
  const send = (): void => {
    const batch = waiting;
    waiting = [];
    for (let from = 0; from < batch.length; from += maxBatchSize) {
      void settle(endpoint, batch.slice(from, from + maxBatchSize));
    }
  };
  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (waiting.length === 1) setImmediate(send);
    });
}

async function settle(endpoint: Endpoint, batch: readonly Waiting[]): Promise<void> {
  const [only, ...others] = batch;
  if (only !== undefined && others.length === 0) {
    return askOne(endpoint, only.call).then(only.resolve, only.reject);
  }
  const body = batch.map(({ call }, index) => numbered(call, index));
  try {
    const answers = await post(endpoint, body);
    const byId = new Map(Array.isArray(answers) ? answers.map((answer: { id?: unknown }) => [answer.id, answer]) : []);
    for (const [index, { resolve, reject }] of batch.entries()) {
      try {
        // A node that refuses the whole batch gives one answer for all of it.
        resolve(rpcAnswerIn(endpoint, body, Array.isArray(answers) ? byId.get(index) : answers));
      } catch (error) {
        reject(error);
      }
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** @throws HttpRequestError when it is no answer to a call. */
function rpcAnswerIn({ url }: Endpoint, body: Body | Body[], value: unknown): RpcAnswer {
  if (typeof value === 'object' && value !== null && ('result' in value || isRefusal(value))) return value;
  throw new HttpRequestError({ body, details: 'no answer to the call', url });
}

function isRefusal(value: unknown): value is RpcAnswer {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return false;
  return typeof error.code === 'number' && typeof error.message === 'string';
}

/** The JSON of an answer. @throws TimeoutError and HttpRequestError, which are tried again. */
async function post({ url, headers, timeoutMs, pause }: Endpoint, body: Body | Body[]): Promise<unknown> {
  const { restMs } = pause;
  if (restMs > 0) {
    const details = `the node asked for a pause: ${Math.ceil(restMs)} ms of it are left`;
    throw new HttpRequestError({ body, details, headers: waitOf(pause), status: tooManyRequests, url });
  }
  let answer: HttpAnswer;
  try {
    answer = await httpExchange({ url, method: 'POST', headers, body: JSON.stringify(body), timeoutMs });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'TimeoutError') throw new TimeoutError({ body, url });
    throw new HttpRequestError({ body, cause: error, url });
  }
  const { status, text, header } = answer;
  const value = jsonIn(text);
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess) pause.record(header('retry-after'));
  // Some nodes answer a failing call with a status of its own; the body says more.
  if ((isSuccess && value !== undefined) || isRefusal(value)) return value;
  throw new HttpRequestError({ body, details: text.slice(0, 200), headers: waitOf(pause), status, url });
}

const tooManyRequests = 429;

/**
 * Return the headers by which viem waits for the end of a short pause, in whole seconds. It would wait for any other
 * number as well, so that a node could hold a call up for days.
 */
function waitOf({ restMs }: NodePause): Headers {
  const seconds = Math.ceil(restMs / 1_000);
  return new Headers(restMs > 0 && restMs <= longestWaitMs ? { 'retry-after': String(seconds) } : {});
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
