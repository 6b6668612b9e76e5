import { custom, HttpRequestError, RpcRequestError, type Transport } from 'viem';
import type { Call } from './nodeAnswers.ts';
import { isResult } from './nodeResults.ts';
import { batchLimitOf } from './nodeSizes.ts';
import { batchedBy } from './rpcBatches.ts';
import { askOne, rpcEndpointOf } from './rpcEndpoint.ts';

export interface RpcTransportOptions {
  /** May carry a user and a password, which are sent as a header. */
  readonly rpcUrl: string;
  readonly timeoutMs: number;
  readonly retryCount?: number;
  /** True to send the calls of one moment together. */
  readonly isBatched: boolean;
}

/**
 * JSON-RPC over HTTP, with the errors and repeats of viem's own transport, which spends more on each request than on
 * all else: an error for the case that time runs out, a timer before a batch leaves, and `fetch`.
 */
export function rpcTransport({ retryCount, ...options }: RpcTransportOptions): Transport {
  const endpoint = rpcEndpointOf(options);
  const { url } = endpoint;
  const ask = options.isBatched
    ? batchedBy(endpoint, batchLimitOf(options.rpcUrl))
    : (call: Call) => askOne(endpoint, call);
  const request = async (call: Call): Promise<unknown> => {
    const { result, error } = await ask(call);
    if (error !== undefined && error !== null) throw new RpcRequestError({ body: { ...call }, error, url });
    if (isResult(call, result)) return result;
    throw new HttpRequestError({ body: { ...call }, details: `no result of ${call.method}`, url });
  };
  return custom({ request }, { key: 'http', name: 'HTTP JSON-RPC', retryCount });
}
