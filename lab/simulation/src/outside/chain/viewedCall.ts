import { isHex, numberToHex } from 'viem';
import { RpcRefusal } from './rpcFault.ts';
import type { NodeView, RpcCall } from './settings.ts';

/** A node's head, and whether the chain has newer blocks. */
export interface Horizon {
  readonly head: number;
  readonly isBehind: boolean;
}

/** A call to the EVM that answers as of a node's view, or the answer itself. */
export type ViewedCall = { readonly params: readonly unknown[] } | { readonly result: unknown };

/** Positions of the block in the parameters of methods. */
const blockPositions: ReadonlyMap<string, number> = new Map([
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_feeHistory', 1],
  ['eth_getBalance', 1],
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getCode', 1],
  ['eth_getStorageAt', 2],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getTransactionCount', 1],
]);

/** Methods that answer null for what does not exist. */
const nullMethods: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
]);

const serverError = -32_000;
const rangeLimit = -32_614;
const resultLimit = -32_005;

/** Return the head of a node with a view of a chain of the given height. */
export function horizonOf({ behindBlocks, stoppedAt }: NodeView, chainHead: number): Horizon {
  const head = Math.max(0, Math.min(chainHead - behindBlocks, stoppedAt ?? chainHead));
  return { head, isBehind: head < chainHead };
}

/**
 * Change the blocks that a call names to those of a node's view.
 * @throws RpcRefusal for a block or a tag that the node does not know, and for a range that is too large.
 */
export function viewedCallOf({ method, params }: RpcCall, view: NodeView, horizon: Horizon): ViewedCall {
  if (method === 'eth_blockNumber') return { result: numberToHex(horizon.head) };
  if (method === 'eth_getLogs') return viewedLogs(params, view, horizon);
  const position = blockPositions.get(method);
  if (position === undefined) return { params };
  const block = viewedBlock(params[position], view, horizon);
  if (horizon.isBehind && numberOf(block) > horizon.head) {
    if (nullMethods.has(method)) return { result: null };
    const message = `Received invalid block tag ${numberOf(block)}. Latest block number is ${horizon.head}`;
    throw new RpcRefusal({ code: serverError, message });
  }
  if (block === params[position]) return { params };
  return { params: params.toSpliced(position, 1, block) };
}

/**
 * Hide what is newer than a node's head.
 * @throws RpcRefusal for more logs than the node answers.
 */
export function viewedResultOf(
  method: string,
  result: unknown,
  context: { view: NodeView; horizon: Horizon },
): unknown {
  const { view, horizon } = context;
  if (method === 'eth_getLogs' && Array.isArray(result)) {
    if (view.maxLogs !== null && result.length > view.maxLogs) {
      throw new RpcRefusal({ code: resultLimit, message: `query returned more than ${view.maxLogs} results` });
    }
    return horizon.isBehind ? result.filter((log) => !isNewer(log, horizon.head)) : result;
  }
  return horizon.isBehind && isNewer(result, horizon.head) ? null : result;
}

/** True for a block, a receipt or a mined transaction above a height. */
function isNewer(result: unknown, head: number): boolean {
  if (typeof result !== 'object' || result === null) return false;
  const number: unknown = 'blockNumber' in result ? result.blockNumber : 'number' in result ? result.number : null;
  return isHex(number) && Number(number) > head;
}

const numberOf = (block: unknown): number => (isHex(block) ? Number(block) : 0);

function viewedBlock(block: unknown, { finality }: NodeView, { head, isBehind }: Horizon): unknown {
  if (block === 'safe' || block === 'finalized') {
    if (finality === 'absent') throw new RpcRefusal({ code: serverError, message: `${block} block not found` });
    return numberToHex(Math.max(0, head - (block === 'safe' ? finality.safeBlocks : finality.finalizedBlocks)));
  }
  if (!isBehind) return block;
  if (block === undefined || block === null || block === 'latest' || block === 'pending') return numberToHex(head);
  if (typeof block === 'object' && 'blockNumber' in block) return block.blockNumber;
  return block === 'earliest' ? '0x0' : block;
}

function viewedLogs(params: readonly unknown[], view: NodeView, horizon: Horizon): ViewedCall {
  const [filter] = params;
  if (typeof filter !== 'object' || filter === null || 'blockHash' in filter) return { params };
  const first = viewedBlock('fromBlock' in filter ? filter.fromBlock : undefined, view, horizon);
  const last = viewedBlock('toBlock' in filter ? filter.toBlock : undefined, view, horizon);
  const [from, to] = [heightOf(first, horizon), heightOf(last, horizon)];
  if (view.maxLogBlocks !== null && to - from + 1 > view.maxLogBlocks) {
    throw new RpcRefusal({ code: rangeLimit, message: `eth_getLogs is limited to a ${view.maxLogBlocks} block range` });
  }
  if (from > horizon.head) return { result: [] };
  const toBlock = horizon.isBehind && isHex(last) ? numberToHex(Math.min(to, horizon.head)) : last;
  return { params: [{ ...filter, fromBlock: first, toBlock }] };
}

/** Return the height of an edge of a log query, which is the head when it names none. */
function heightOf(block: unknown, { head }: Horizon): number {
  if (isHex(block)) return Number(block);
  return block === 'earliest' ? 0 : head;
}
