/**
 * Pace of blocks. `instant` mines each transaction at once, and a block every second besides; a number is the pause
 * between two blocks in milliseconds, in which transactions wait in the pool.
 */
export type BlockPace = 'instant' | number;

/** Prices of the chain, which apply from its next block on. Null leaves the figure to the node. */
export interface ChainFees {
  /** Smallest tip of a unit of gas for which a transaction is mined; with a pace of blocks only. */
  tipFloorWei: bigint;
  baseFeeWei: bigint | null;
  /** Answer of `eth_maxPriorityFeePerGas`. */
  suggestedTipWei: bigint | null;
}

/** Physics of a chain. */
export interface ChainSettings {
  readonly pace: BlockPace;
  /**
   * Seconds that the chain's clock is ahead of the world's, when clients may move it and set the pace, as those of a
   * local chain do; left out where the world alone does.
   */
  readonly clientLeadSeconds?: number;
  readonly fees?: Partial<ChainFees>;
}

/** Distance of the `safe` and the `finalized` block from the head; `absent` when the node does not know them. */
export type NodeFinality = { readonly safeBlocks: number; readonly finalizedBlocks: number } | 'absent';

/** Error of a JSON-RPC answer. */
export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** One node's view of the chain, and its limits. Null is no limit. */
export interface NodeView {
  /** Blocks that the node is behind the chain. */
  readonly behindBlocks: number;
  /** Height at which the node has stopped; null while it follows the chain. */
  readonly stoppedAt: number | null;
  readonly finality: NodeFinality;
  /** Calls in one request. */
  readonly maxBatchCalls: number | null;
  /** Blocks in the range of one log query. */
  readonly maxLogBlocks: number | null;
  /** Logs in one answer. */
  readonly maxLogs: number | null;
}

/** A node at the head of the chain, without limits. Its tags are those of the local chain: the head itself. */
export const fullView: NodeView = {
  behindBlocks: 0,
  stoppedAt: null,
  finality: { safeBlocks: 0, finalizedBlocks: 0 },
  maxBatchCalls: null,
  maxLogBlocks: null,
  maxLogs: null,
};

/** A JSON-RPC call as a client sent it. */
export interface RpcCall {
  readonly id: number | string;
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * Outcome of one request. `lose` performs the calls and resets the connection; a delay performs them and answers later,
 * or never when it is infinite; an error or an HTTP status answers without performing them.
 */
export type CallOutcome =
  | 'answer'
  | 'lose'
  | { readonly error: RpcFault }
  | { readonly status: number }
  | { readonly delayMs: number };

/** Decides the outcome of each request from the calls in it and the name of the program that sent it. */
export type OnCalls = (calls: readonly RpcCall[], from: string) => CallOutcome;
