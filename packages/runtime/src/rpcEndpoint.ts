import { HttpRequestError, TimeoutError } from 'viem';
import { isRefusal, isRpcAnswer, type RpcAnswer } from './batchAnswers.ts';
import { type HttpAnswer, httpExchange } from './httpExchange.ts';
import { type Call, isBatchText } from './nodeAnswers.ts';
import { NodePause } from './nodePause.ts';
import { countRpcCall } from './rpcCalls.ts';

/** Node as it is asked over HTTP. */
export interface RpcEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly pause: NodePause;
}

interface NumberedCall {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** Longest pause of a node that a call waits for; for a longer one it fails at once. */
const longestWaitMs = 1_000;

export function rpcEndpointOf({
  rpcUrl,
  timeoutMs,
}: {
  readonly rpcUrl: string;
  readonly timeoutMs: number;
}): RpcEndpoint {
  const url = new URL(rpcUrl);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const headers = { 'content-type': 'application/json', ...(url.username === '' ? {} : authorization) };
  url.username = '';
  url.password = '';
  return { url: url.toString(), headers, timeoutMs, pause: new NodePause() };
}

const numbered = ({ method, params }: Call, id: number): NumberedCall => ({ jsonrpc: '2.0', id, method, params });

/** @throws TimeoutError and HttpRequestError, which are tried again. */
export async function askOne(endpoint: RpcEndpoint, call: Call): Promise<RpcAnswer> {
  const body = numbered(call, 1);
  const value = await post(endpoint, body);
  if (isRpcAnswer(value)) return value;
  throw new HttpRequestError({ body: { ...body }, details: 'no answer to the call', url: endpoint.url });
}

/** The JSON of the answer to calls that are numbered from 0. @throws TimeoutError and HttpRequestError. */
export const askTogether = (endpoint: RpcEndpoint, calls: readonly Call[]): Promise<unknown> =>
  post(endpoint, calls.map(numbered));

/** The JSON of an answer. @throws TimeoutError and HttpRequestError, which are tried again. */
async function post(
  { url, headers, timeoutMs, pause }: RpcEndpoint,
  question: NumberedCall | NumberedCall[],
): Promise<unknown> {
  const calls = Array.isArray(question) ? question : [question];
  const body = { ...(Array.isArray(question) ? { calls: question.map(({ method }) => method) } : question) };
  const { restMs } = pause;
  if (restMs > 0) {
    const details = `the node asked for a pause: ${Math.ceil(restMs)} ms of it are left`;
    throw new HttpRequestError({ body, details, headers: waitOf(pause), status: tooManyRequests, url });
  }
  for (const { method } of calls) countRpcCall(method);
  let answer: HttpAnswer;
  try {
    answer = await httpExchange({ url, method: 'POST', headers, body: JSON.stringify(question), timeoutMs });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'TimeoutError') throw new TimeoutError({ body, url });
    throw new HttpRequestError({ body, cause: error, url });
  }
  const { status, text, header } = answer;
  const value = jsonIn(text);
  const isSuccess = status >= 200 && status < 300;
  // Some nodes send the header with every refusal, also of a batch that is too large: smaller ones need no pause.
  if (!isSuccess && !(calls.length > 1 && isBatchText(text))) pause.record(header('retry-after'));
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
