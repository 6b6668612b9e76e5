import { httpUrl, listOf, wholeNumber } from './codecs.ts';
import { httpNeighbour, type Neighbour } from './neighbours.ts';
import { required, type ValuesOf, withDefault } from './readEnvironment.ts';

/** Settings of every program that reads the chain. */
export const nodeSettings = {
  RPC_URL: required(httpUrl),
  /** Further nodes of the same chain, in the order in which they are asked. */
  RPC_FALLBACK_URLS: withDefault(listOf(httpUrl), []),
  CHAIN_ID: required(wholeNumber(1)),
};

/** Nodes of one chain, in the order in which they are asked. */
export interface ChainNodes {
  readonly rpcUrl: string;
  /** Further nodes, asked when the first one fails or is behind; none when absent. */
  readonly fallbackRpcUrls?: readonly string[];
}

/** Return the nodes that the settings name, with the id of their chain. */
export function nodesOfEnv(env: ValuesOf<typeof nodeSettings>): ChainNodes & { readonly chainId: number } {
  return { rpcUrl: env.RPC_URL, fallbackRpcUrls: env.RPC_FALLBACK_URLS, chainId: env.CHAIN_ID };
}

/** Return the node without which a program cannot start. Of several any one is enough, which the start selects. */
export function nodeNeighbours({ rpcUrl, fallbackRpcUrls = [] }: ChainNodes): readonly Neighbour[] {
  return fallbackRpcUrls.length > 0 ? [] : [httpNeighbour('the chain', rpcUrl)];
}
