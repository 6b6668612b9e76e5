import { createTransport, type Transport } from 'viem';

/** A node that failed, or was behind, is asked last for so long. */
const restMs = 2_000;

/** JSON-RPC codes of a node that cannot answer now: another one may. */
const busyCodes: ReadonlySet<number> = new Set([-32_002, -32_005, 429]);
const networkErrors: ReadonlySet<string> = new Set(['HttpRequestError', 'TimeoutError', 'SocketClosedError']);

/** The node did not answer, or not as a node that works does; what a contract or a transaction causes is an answer. */
function isNodeFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : null;
  return networkErrors.has(error.name) || (typeof code === 'number' && busyCodes.has(code));
}

/** The head that an answer shows, if it shows one. */
function headIn(method: string, params: unknown, answer: unknown): bigint | null {
  if (method === 'eth_blockNumber') return typeof answer === 'string' ? BigInt(answer) : null;
  const isLatest = method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest';
  if (!isLatest || typeof answer !== 'object' || answer === null || !('number' in answer)) return null;
  return typeof answer.number === 'string' ? BigInt(answer.number) : null;
}

/**
 * Several nodes of one chain as one: the first that answers does. A node that does not, or shows a head below one that
 * was seen before, is asked last for a while; it is believed all the same when no other is further.
 */
export function failoverTransport(transports: readonly Transport[]): Transport {
  return (parameters) => {
    const nodes = transports.map((transport) => ({
      request: transport({ ...parameters, retryCount: 0 }).request as (call: Call) => Promise<unknown>,
      restsUntilMs: Number.NEGATIVE_INFINITY,
    }));
    let highest = -1n;
    const request = async ({ method, params }: Call): Promise<unknown> => {
      let furthest: { readonly head: bigint; readonly answer: unknown } | null = null;
      let failure: unknown = new Error('there is no node');
      for (const node of nodes.toSorted((left, right) => restOf(left) - restOf(right))) {
        try {
          const answer = await node.request({ method, params });
          const head = headIn(method, params, answer);
          if (head === null || head >= highest) {
            highest = head ?? highest;
            return answer;
          }
          if (furthest === null || head > furthest.head) furthest = { head, answer };
        } catch (error) {
          if (!isNodeFault(error)) throw error;
          failure = error;
        }
        node.restsUntilMs = performance.now() + restMs;
      }
      if (furthest === null) throw failure;
      highest = furthest.head;
      return furthest.answer;
    };
    return createTransport({ key: 'failover', name: 'Several nodes', type: 'failover', request: request as never });
  };
}

interface Call {
  readonly method: string;
  readonly params?: unknown;
}

/** Zero for a node that does not rest, so that those keep their order. */
function restOf({ restsUntilMs }: { readonly restsUntilMs: number }): number {
  return Math.max(0, restsUntilMs - performance.now());
}
