import { custom, type Transport } from 'viem';
import { type Call, isAnswer } from './nodeAnswers.ts';
import { type NodeHead, NodeHealth } from './nodeHealth.ts';

const isLatestBlock = ({ method, params }: Call): boolean =>
  method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest';

const isHeadRequest = (call: Call): boolean => call.method === 'eth_blockNumber' || isLatestBlock(call);

/** The head that an answer to a request for it shows; null where it shows none. */
function headIn(call: Call, answer: unknown): bigint | null {
  if (call.method === 'eth_blockNumber') return typeof answer === 'string' ? BigInt(answer) : null;
  if (!isLatestBlock(call) || typeof answer !== 'object' || answer === null || !('number' in answer)) return null;
  return typeof answer.number === 'string' ? BigInt(answer.number) : null;
}

/**
 * Combine several nodes of one chain: the first answer counts. A node without an answer, or with a head below that of
 * another one, is tried last for a while. Once the head has stood still, all nodes are asked for it, and the furthest
 * one counts: a quiet chain is believed, a single node that stands still is not. A node that is behind gets no other
 * request while another one answers. A node that keeps failing is tried first by one request at a time, and less and
 * less often: one that hangs delays no other request. Without any answer the failure of the first node is thrown.
 */
export function failoverTransport(
  transports: readonly Transport[],
  {
    retryCount = 3,
    health = new NodeHealth(transports.length),
  }: {
    /** Times that all of them are tried again when none answers. */
    readonly retryCount?: number | undefined;
    /** Health of the nodes, for clients that share it. */
    readonly health?: NodeHealth | undefined;
  } = {},
): Transport {
  return (parameters) => {
    const requests = transports.map((transport) => transport({ ...parameters, retryCount: 0 }).request);
    const request = async (call: Call): Promise<unknown> => {
      const heads: (NodeHead & { readonly answer: unknown })[] = [];
      const failures: unknown[] = [];
      for (const { node, record } of health.ordered(requests, isHeadRequest(call))) {
        // Only another opinion is wanted, and a node that hangs would delay each head of a quiet chain.
        if (heads.some(({ head }) => health.isHighest(head)) && health.isResting(record)) continue;
        const { setbackCount } = record;
        // Others pass by a failing node while this request tries it.
        if (setbackCount > 0) health.rest(record);
        try {
          const answer: unknown = await node({ method: call.method, params: call.params });
          const head = headIn(call, answer);
          if (head === null) {
            health.recordAnswer(record);
            return answer;
          }
          heads.push({ record, head, answer });
          if (health.isCurrent(head)) break;
        } catch (error) {
          if (isAnswer(call, error)) {
            health.recordAnswer(record);
            throw error;
          }
          health.recordFailure(record, setbackCount);
          failures.push(error);
        }
      }
      const [first, ...others] = heads;
      if (first === undefined) throw failures[0] ?? new Error('there is no node');
      health.recordHeads(heads);
      return others.reduce((furthest, one) => (one.head > furthest.head ? one : furthest), first).answer;
    };
    return custom({ request }, { key: 'failover', name: 'Several nodes', retryCount })(parameters);
  };
}
