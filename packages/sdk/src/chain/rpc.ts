import { NetworkError } from '../errors/levError.ts';
import type { Surroundings } from '../http/surroundings.ts';

/** Something that answers JSON-RPC: a viem client, an EIP-1193 provider of a browser. */
export interface ChainReader {
  request(call: never): Promise<unknown>;
}

/** Where the chain is read: the address of a node, or a reader. */
export type ChainSource = string | ChainReader;

/** A call that the node refused: its message, and the revert data where the call reverted. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly data: string | null;

  constructor(message: string, data: string | null) {
    super(message);
    this.data = data;
  }
}

/** One JSON-RPC method with its parameters. */
export type RpcRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Requests to a source; failures of every kind of reader look alike. */
export function rpcOf(source: ChainSource, { fetch }: Pick<Surroundings, 'fetch'>): RpcRequest {
  if (typeof source !== 'string') {
    return (method, params) =>
      source.request({ method, params } as never).catch((cause: unknown) => {
        throw rpcErrorOf(cause) ?? new NetworkError(`the chain did not answer ${method}`, { cause });
      });
  }
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const answer = await fetch(source, init).then(
      (response): Promise<unknown> => response.json(),
      (cause: unknown) => {
        throw new NetworkError(`the chain did not answer ${method}`, { cause });
      },
    );
    const error: unknown = fieldOf(answer, 'error');
    if (error !== undefined) throw rpcErrorOf(error) ?? new RpcError(`the chain refused ${method}`, null);
    return fieldOf(answer, 'result');
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Longest chain of causes that is followed: libraries wrap a refusal several times. */
const maxDepth = 8;

/** The node's own refusal, with revert data from wherever a library has put it; null where no node refused. */
function rpcErrorOf(error: unknown): RpcError | null {
  let node = error;
  let data: string | null = null;
  let isRefusal = false;
  for (let depth = 0; depth < maxDepth && typeof node === 'object' && node !== null; depth += 1) {
    const held = fieldOf(node, 'data');
    const inner = typeof held === 'string' ? held : fieldOf(held, 'data');
    if (typeof inner === 'string' && inner.startsWith('0x')) data ??= inner;
    if (typeof fieldOf(node, 'code') === 'number') isRefusal = true;
    node = fieldOf(node, 'cause');
  }
  return isRefusal ? new RpcError(String(fieldOf(error, 'message')), data) : null;
}
