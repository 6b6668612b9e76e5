import {
  type ChainClientOptions,
  type ChainNodes,
  chainClientOf,
  chainNodesOf,
  connectChain,
  defaultMaxHeadAgeMs,
  type Finality,
  FriendlyError,
  healthOf,
} from '@core/runtime';
import { Role, readManagedContracts, vaultAbi } from '@core/vault';
import { type Address, isAddressEqual, type PublicClient } from 'viem';
import type { KeeperChain, NamedContracts } from './connections.ts';
import { ChainReach, type ChainReachOptions } from './runner/chainReach.ts';
import { Wake } from './runner/wake.ts';

/** Connection settings of the chain. */
export interface ChainSettings extends ChainNodes {
  readonly chainId: number;
  readonly contracts: NamedContracts;
  /** PositionManager of the venue; that of the vault when absent. */
  readonly positionManager?: Address;
  /** First block of the index. */
  readonly deploymentBlock: bigint;
  /** Rule for the blocks that are not reorganised any more; every block of the local chain. */
  readonly finality?: Finality;
  /** Time for which blocks have been final before they are read a second time; a minute and a half by default. */
  readonly rescanDelayMs?: number;
  /** Oldest last block of a chain that moves, on the service clock; 20 s by default. */
  readonly maxHeadAgeMs?: number;
  /** Longest wait of the keeper's transactions for a block; 30 s by default. */
  readonly maxNonceAgeMs?: number;
  /** Pause between two polls of the last block, with which the index follows the chain; 300 ms by default. */
  readonly headPollMs?: number;
}

const requestTimeoutMs = 5_000;
/** Longest wait for the last block. */
const reachTimeoutMs = 1_000;
/** Longer than the usual lag of a node. */
const defaultRescanDelayMs = 90_000;
/** Two replacements: after 15 s without a block a transaction is replaced with higher fees. */
const defaultMaxNonceAgeMs = 30_000;

const rpcOf = (
  { rpcUrl, fallbackRpcUrls = [] }: ChainSettings,
  { health }: Pick<KeeperChain, 'health'>,
): Pick<ChainClientOptions, 'rpcUrl' | 'fallbackRpcUrls' | 'health'> => ({ rpcUrl, fallbackRpcUrls, health });

/**
 * Connect to the chain.
 * @throws Fault when it does not answer or has another id.
 * @throws FriendlyError when the vault holds outcomes at another PositionManager than the venue's.
 */
export async function openChain(config: ChainSettings): Promise<KeeperChain> {
  const { chainId, contracts, deploymentBlock, finality, rescanDelayMs } = config;
  const health = healthOf(config);
  const reading = { ...rpcOf(config, { health }), timeoutMs: requestTimeoutMs, isBatched: true };
  const client = await connectChain({ ...reading, chainId });
  const { positionManager, oracleAggregator } = await readManagedContracts(client, contracts.vault);
  const venues = config.positionManager ?? positionManager;
  if (positionManager !== null && venues !== null && !isAddressEqual(positionManager, venues)) {
    throw new FriendlyError(`the PositionManager of the vault is ${positionManager}, the venue's is ${venues}`);
  }
  return {
    client,
    nodes: chainNodesOf(reading),
    health,
    chainId,
    chainKey: `${chainId}:${contracts.vault.toLowerCase()}`,
    contracts: { ...contracts, positionManager, oracleAggregator },
    deploymentBlock,
    finality: finality ?? 0n,
    rescanDelayMs: rescanDelayMs ?? defaultRescanDelayMs,
    newHead: new Wake(),
    lastHead: { block: null },
  };
}

/** Build the client of transactions: requests are not batched, so that a due transaction does not wait for reads. */
export const sendingClientOf = (config: ChainSettings, chain: Pick<KeeperChain, 'health'>): PublicClient =>
  chainClientOf({ ...rpcOf(config, chain), timeoutMs: requestTimeoutMs });

/** Start the poll of the chain, with a short timeout and no retry. */
export function chainReachOf(
  config: ChainSettings,
  { newHead, lastHead, health }: Pick<KeeperChain, 'newHead' | 'lastHead' | 'health'>,
  parts: Pick<ChainReachOptions, 'isFollowed' | 'onLost' | 'sending' | 'clock' | 'logger' | 'metrics'>,
): ChainReach {
  const client = chainClientOf({ ...rpcOf(config, { health }), timeoutMs: reachTimeoutMs, retryCount: 0 });
  const { maxHeadAgeMs = defaultMaxHeadAgeMs, maxNonceAgeMs = defaultMaxNonceAgeMs } = config;
  const readHead = async () => {
    lastHead.block = await client.getBlock({ blockTag: 'latest' });
    return lastHead.block;
  };
  const timing = config.headPollMs === undefined ? {} : { intervalMs: config.headPollMs };
  const onHead = (): void => newHead.call(['head']);
  return new ChainReach({ ...parts, readHead, onHead, timing, limits: { maxHeadAgeMs, maxNonceAgeMs } });
}

/** Check the role of the key. @throws Error when the vault has not appointed it as a keeper. */
export async function checkVault({ client, contracts }: KeeperChain, keeper: Address): Promise<void> {
  const isKeeper = await client.readContract({
    address: contracts.vault,
    abi: vaultAbi,
    functionName: 'hasRole',
    args: [Role.Keeper, keeper],
  });
  if (!isKeeper) {
    throw new Error(`the vault has not appointed ${keeper} as a keeper`);
  }
}
