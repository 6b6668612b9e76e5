import { custom, type Transport } from 'viem';
import { type Call, isAnswer } from './nodeAnswers.ts';

/** Time for which a node that failed, or was behind, is tried last. It doubles with each failure in a row. */
const restMs = 2_000;
const longestRestMs = 64_000;

/** The head that an answer shows, if it shows one. */
function headIn(method: string, params: unknown, answer: unknown): bigint | null {
  if (method === 'eth_blockNumber') return typeof answer === 'string' ? BigInt(answer) : null;
  const isLatest = method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest';
  if (!isLatest || typeof answer !== 'object' || answer === null || !('number' in answer)) return null;
  return typeof answer.number === 'string' ? BigInt(answer.number) : null;
}

/**
 * Combine several nodes of one chain: the first answer counts. A node without an answer, or with a head below an
 * earlier one, is tried last for a while; it is trusted all the same when no other is further. A node that keeps
 * failing is tried first by one request at a time, and less and less often: one that hangs delays no other request.
 * Without any answer the failure of the first node is thrown.
 * @param retryCount Times that all of them are tried again when none answers.
 */
export function failoverTransport(transports: readonly Transport[], retryCount = 3): Transport {
  return (parameters) => {
    const nodes = transports.map((transport) => ({
      request: transport({ ...parameters, retryCount: 0 }).request,
      restsUntilMs: Number.NEGATIVE_INFINITY,
      /** Failures since its last answer. */
      failureCount: 0,
    }));
    let highest = -1n;
    const request = async ({ method, params }: Call): Promise<unknown> => {
      let furthest: { readonly head: bigint; readonly answer: unknown } | null = null;
      const failures: unknown[] = [];
      for (const node of nodes.toSorted((left, right) => restOf(left) - restOf(right))) {
        const { failureCount } = node;
        // Others pass by a failing node while this request tries it.
        if (failureCount > 0) rest(node);
        try {
          const answer = await node.request({ method, params });
          node.failureCount = 0;
          node.restsUntilMs = Number.NEGATIVE_INFINITY;
          const head = headIn(method, params, answer);
          if (head === null || head >= highest) {
            highest = head ?? highest;
            return answer;
          }
          if (furthest === null || head > furthest.head) furthest = { head, answer };
        } catch (error) {
          const isFailure = !isAnswer({ method }, error);
          // Failures of one moment count once.
          node.failureCount = isFailure ? Math.max(node.failureCount, failureCount + 1) : 0;
          if (!isFailure) throw error;
          failures.push(error);
        }
        rest(node);
      }
      if (furthest === null) throw failures[0] ?? new Error('there is no node');
      highest = furthest.head;
      return furthest.answer;
    };
    return custom({ request }, { key: 'failover', name: 'Several nodes', retryCount })(parameters);
  };
}

interface Resting {
  restsUntilMs: number;
  readonly failureCount: number;
}

/** Try a node last for a while: for longer with each failure in a row. */
function rest(node: Resting): void {
  const durationMs = Math.min(longestRestMs, restMs * 2 ** Math.max(0, node.failureCount - 1));
  node.restsUntilMs = performance.now() + durationMs;
}

/** Zero for a node that does not rest, so that those keep their order. */
function restOf({ restsUntilMs }: { readonly restsUntilMs: number }): number {
  return Math.max(0, restsUntilMs - performance.now());
}
