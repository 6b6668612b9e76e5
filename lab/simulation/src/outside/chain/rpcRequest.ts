import { RpcRefusal } from './rpcFault.ts';
import type { RpcCall } from './settings.ts';

const parseError = -32_700;
const invalidRequest = -32_600;

/** A call, or the refusal of what is none. */
export type ReadCall = RpcCall | RpcRefusal;

/** Calls of one request. */
export interface RpcRequest {
  readonly isBatch: boolean;
  readonly calls: readonly ReadCall[];
}

/** Read the body of a request, in which each member that is no call is refused by itself. */
export function readRequest(body: string): RpcRequest {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { isBatch: false, calls: [refusalOf(parseError, `Parse error: ${message}`)] };
  }
  return Array.isArray(read)
    ? { isBatch: true, calls: read.map(readCall) }
    : { isBatch: false, calls: [readCall(read)] };
}

function readCall(value: unknown): ReadCall {
  const refusal = refusalOf(invalidRequest, 'Invalid request');
  if (typeof value !== 'object' || value === null || !('method' in value) || !('id' in value)) return refusal;
  const { method, id } = value;
  const params: unknown = 'params' in value && value.params !== null ? value.params : [];
  if (typeof method !== 'string' || !Array.isArray(params)) return refusal;
  return typeof id === 'string' || typeof id === 'number' ? { id, method, params } : refusal;
}

/** The local chain's server repeats the message in the data. */
const refusalOf = (code: number, message: string): RpcRefusal => new RpcRefusal({ code, message, data: { message } });
