import { Fault } from '@core/errors';
import { createPublicClient, type EIP1193RequestFn, type PublicClient, type Transport } from 'viem';
import { failoverTransport } from './failoverTransport.ts';
import { NodeHealth } from './nodeHealth.ts';
import type { ChainNodes } from './nodeSettings.ts';
import { redactedError, redactedText } from './redaction.ts';
import { rpcTransport } from './rpcTransport.ts';

export interface ChainClientOptions extends ChainNodes {
  /** Health of the nodes, shared by clients that read from the same ones; an own one when absent. */
  readonly health?: NodeHealth;
  /** Timeout of one request. */
  readonly timeoutMs: number;
  /** Retries of a failed request; 3 by default. */
  readonly retryCount?: number;
  /** True to send requests of one moment together. */
  readonly isBatched?: boolean;
  /**
   * Contract reads of one moment that one call makes: for readers of many values that fail together with their node,
   * where each call has a price. A read that reverts fails alone. The answer returns as the code of a contract, of
   * which nodes take 24,576 bytes; each read takes 160 of them besides its values. One by default.
   */
  readonly readsOfCall?: number;
  /** Interval of polling for a receipt or a block. */
  readonly pollingIntervalMs?: number;
}

/** Calldata of a read with one argument. */
const readBytes = 36;

/** A reader of the chain. No block number is reused, and no error shows the credentials of the RPC address. */
export function chainClientOf(options: ChainClientOptions): PublicClient {
  const { pollingIntervalMs, retryCount, health, isBatched = false, readsOfCall = 1 } = options;
  const transports = rpcUrlsOf(options).map((rpcUrl) => rpcTransport({ ...options, rpcUrl, isBatched }));
  return createPublicClient({
    transport: redacting(failoverTransport(transports, { retryCount, health })),
    cacheTime: 0,
    // Deployless: a contract that aggregates reads need not be on the chain.
    ...(readsOfCall > 1 && { batch: { multicall: { deployless: true, batchSize: readsOfCall * readBytes } } }),
    ...(pollingIntervalMs === undefined ? {} : { pollingInterval: pollingIntervalMs }),
  });
}

/** Return the health of these nodes, which the clients of one program share. */
export const healthOf = (nodes: ChainNodes): NodeHealth => new NodeHealth(rpcUrlsOf(nodes).length);

/**
 * A reader of the chain that is the expected one. Of several nodes each is asked once: one that hangs delays the start
 * by one timeout.
 * @throws Fault of the chain, retryable, when none answers; of the configuration, terminal, when another one does.
 */
export async function connectChain(options: ChainClientOptions & { readonly chainId: number }): Promise<PublicClient> {
  const { rpcUrl, chainId } = options;
  const isOneOfSeveral = rpcUrlsOf(options).length > 1;
  const nodes = chainNodesOf(isOneOfSeveral ? { ...options, retryCount: 0 } : options);
  const results = await Promise.allSettled(nodes.map((node) => node.getChainId()));
  const answers = results.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (answers.length === 0) {
    const message = `no chain answers at ${redactedText(rpcUrl)}: check RPC_URL`;
    const failure = results.find((answer) => answer.status === 'rejected');
    throw new Fault({ origin: 'chain', kind: 'retryable', message, cause: failure?.reason });
  }
  const other = answers.find((answer) => answer !== chainId);
  if (other !== undefined) {
    const message = `the chain is ${other}, not ${chainId}: check RPC_URL and CHAIN_ID`;
    throw new Fault({ origin: 'configuration', kind: 'terminal', message });
  }
  return chainClientOf(options);
}

/** Return a client for each node, for a reader that must not mix their answers. */
export function chainNodesOf(options: ChainClientOptions): readonly PublicClient[] {
  const alone = { ...options, fallbackRpcUrls: [] };
  return rpcUrlsOf(options).map((rpcUrl) => chainClientOf({ ...alone, rpcUrl, health: new NodeHealth(1) }));
}

const rpcUrlsOf = ({ rpcUrl, fallbackRpcUrls = [] }: ChainNodes): readonly string[] => [rpcUrl, ...fallbackRpcUrls];

/** Redact errors of the transport where they enter: errors are also stored, answered and printed past the logger. */
function redacting(transport: Transport): Transport {
  return (parameters) => {
    const inner = transport(parameters);
    const request: EIP1193RequestFn = async (call, options) => {
      try {
        return await inner.request(call, options);
      } catch (error) {
        throw redactedError(error);
      }
    };
    return { ...inner, request };
  };
}
