import { Fault } from '@core/errors';
import { createPublicClient, type PublicClient, type Transport } from 'viem';
import { failoverTransport } from './failoverTransport.ts';
import { redactedError, redactedText } from './redaction.ts';
import { rpcTransport } from './rpcTransport.ts';

export interface ChainClientOptions {
  readonly rpcUrl: string;
  /** Further nodes of the same chain, asked in their order when the first one fails or is behind. */
  readonly fallbackRpcUrls?: readonly string[];
  /** How long one request may take before it is given up. */
  readonly timeoutMs: number;
  /** How often a failed request is repeated; 3 by default. */
  readonly retryCount?: number;
  /** True to send requests of one moment together. */
  readonly isBatched?: boolean;
  /** How often what is waited for is asked. */
  readonly pollingIntervalMs?: number;
}

/** A reader of the chain. No block number is reused, and no error shows the credentials of the RPC address. */
export function chainClientOf(options: ChainClientOptions): PublicClient {
  const { pollingIntervalMs, isBatched = false } = options;
  const transports = rpcUrlsOf(options).map((rpcUrl) => rpcTransport({ ...options, rpcUrl, isBatched }));
  const [only, ...others] = transports;
  const transport = only !== undefined && others.length === 0 ? only : failoverTransport(transports);
  return createPublicClient({
    transport: redacting(transport),
    cacheTime: 0,
    ...(pollingIntervalMs === undefined ? {} : { pollingInterval: pollingIntervalMs }),
  });
}

/**
 * A reader of the chain that is the expected one.
 * @throws Fault of the chain, retryable, when none answers; of the configuration, terminal, when another one does.
 */
export async function connectChain(options: ChainClientOptions & { readonly chainId: number }): Promise<PublicClient> {
  const { rpcUrl, chainId } = options;
  const asked = await Promise.allSettled(chainNodesOf(options).map((node) => node.getChainId()));
  const answers = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (answers.length === 0) {
    const message = `no chain answers at ${redactedText(rpcUrl)}: check RPC_URL`;
    const causes = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
    throw new Fault({ origin: 'chain', kind: 'retryable', message, cause: causes[0] });
  }
  const other = answers.find((answer) => answer !== chainId);
  if (other !== undefined) {
    const message = `the chain is ${other}, not ${chainId}: check RPC_URL and CHAIN_ID`;
    throw new Fault({ origin: 'configuration', kind: 'terminal', message });
  }
  return chainClientOf(options);
}

/** Every node by itself, for a reader that must not mix their answers. */
export function chainNodesOf(options: ChainClientOptions): readonly PublicClient[] {
  return rpcUrlsOf(options).map((rpcUrl) => chainClientOf({ ...options, rpcUrl, fallbackRpcUrls: [] }));
}

const rpcUrlsOf = ({ rpcUrl, fallbackRpcUrls }: ChainClientOptions): readonly string[] => [
  rpcUrl,
  ...(fallbackRpcUrls ?? []),
];

/** Redacts what the transport throws, where it enters: errors are also stored, answered and printed past the logger. */
function redacting(transport: Transport): Transport {
  return (parameters) => {
    const opened = transport(parameters);
    const request = async (...call: Parameters<typeof opened.request>): Promise<unknown> => {
      try {
        return await opened.request(...call);
      } catch (error) {
        throw redactedError(error);
      }
    };
    return { ...opened, request: request as typeof opened.request };
  };
}
