import { causesOf } from '../errors/causesOf.ts';
import { InputError } from '../errors/inputError.ts';
import { NetworkError } from '../errors/levError.ts';
import { redirectOf } from '../errors/redirectOf.ts';
import { jsonOf } from '../http/jsonOf.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { within } from '../http/within.ts';
import { RpcError } from './chainErrors.ts';

/** JSON-RPC client, such as a viem client or an EIP-1193 provider of a browser. */
export interface ChainReader {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

/** Source of chain reads: the address of a node, or a reader. */
export type ChainSource = string | ChainReader;

/** Function that calls a JSON-RPC method with its parameters. */
export type RpcRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Timeout of one answer. A healthy node needs less than a second. */
const answerMs = 30_000;

/**
 * Build a request function for a source; errors of every kind of reader have the same form.
 *
 * @returns Function that throws RpcError for a refusal, and NetworkError without a timely JSON-RPC answer.
 */
export function rpcOf(source: ChainSource, host: Pick<Surroundings, 'fetch' | 'deadline'>): RpcRequest {
  const ask = typeof source === 'string' ? askNode(source, host.fetch) : askReader(source);
  const name = typeof source === 'string' ? `the chain at ${source}` : 'the chain';
  return async (method, params) => {
    try {
      return await within(host.deadline(answerMs), (signal) => ask({ method, params }, signal));
    } catch (cause) {
      if (cause instanceof RpcError) throw cause;
      const reason = cause instanceof NoAnswerError ? cause.message : `did not answer ${method}`;
      throw new NetworkError(`${name} ${reason}`, { cause });
    }
  };
}

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

type Ask = (call: Call, signal: AbortSignal) => Promise<unknown>;

/** Error of a response that is not JSON-RPC. */
class NoAnswerError extends Error {}

const askReader =
  (reader: ChainReader): Ask =>
  async (call) => {
    try {
      return await reader.request(call);
    } catch (cause) {
      throw rpcErrorOf(cause) ?? cause;
    }
  };

const askNode =
  (url: string, fetch: Surroundings['fetch']): Ask =>
  async (call, signal) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const target = redirectOf(response);
    if (target !== null)
      throw new NoAnswerError(`redirects ${call.method} to ${target}: give the address of the node itself`);
    const answer = jsonOf(await response.text());
    const error = fieldOf(answer, 'error') ?? null;
    const result = fieldOf(answer, 'result');
    if (error !== null) {
      throw rpcErrorOf(error) ?? new NoAnswerError(`refused ${call.method} without a code`);
    }
    if (result !== undefined) return result;
    throw new NoAnswerError(`answered ${call.method} with ${response.status}, which is no answer of JSON-RPC`);
  };

/**
 * Return the number of a quantity such as `0x1a`.
 *
 * @throws NetworkError for anything else.
 */
export function quantityOf(answer: unknown, method: string): bigint {
  if (typeof answer === 'bigint') return answer;
  const text = String(answer);
  const isText = typeof answer === 'string' && /^(?:0x[0-9a-f]+|\d+)$/i.test(text);
  if (isText || Number.isSafeInteger(answer)) return BigInt(text);
  throw new NetworkError(`the chain answered ${method} with ${text}, which is no number`);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Return the source of the chain.
 *
 * @throws InputError without a source.
 */
export function sourceOf(chain: ChainSource | undefined): ChainSource {
  if (chain !== undefined) return chain;
  throw new InputError(
    'chain',
    undefined,
    'Give the address of a node, or a reader, as `chain` of the client or here.',
  );
}

/** Return the node's own refusal, with revert data from the fields that libraries use; null when no node refused. */
function rpcErrorOf(error: unknown): RpcError | null {
  const causes = causesOf(error);
  // A DOMException, such as a timeout, has a numeric code, too.
  const isRefusal = (cause: object): boolean =>
    typeof fieldOf(cause, 'code') === 'number' && !(cause instanceof DOMException);
  if (!causes.some(isRefusal)) return null;
  const data = causes
    .map((cause) => fieldOf(cause, 'data'))
    .map((data) => (typeof data === 'string' ? data : fieldOf(data, 'data')))
    .find((text): text is string => typeof text === 'string' && text.startsWith('0x'));
  return new RpcError(String(fieldOf(error, 'message')), data ?? null);
}
