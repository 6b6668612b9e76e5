import { NetworkError, OutcomeUnknownError, ServiceError } from '../errors/levError.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { MinedCall } from './actionPlan.ts';
import { RpcError, TransactionReplacedError, TransactionRevertedError } from './chainErrors.ts';
import { quantityOf, type RpcRequest } from './rpc.ts';
import { hexOf, isHash, type Transaction } from './wallet.ts';

const pollMs = 1_000;
const patienceMs = 180_000;
/** Receipt polls per search for a replacement, which takes more requests. */
const pollsPerSearch = 3;
/** Blocks before the head in which a replacement is searched: full nodes store the state of about this many. */
const searchedBlocks = 120n;

/** Transaction that was sent. */
export interface SentTransaction {
  readonly hash: string;
  readonly from: string;
  /** Call of the transaction; null where only the hash is known. */
  readonly call: Transaction | null;
  /** Read whether the effect of the transaction exists, under any hash; undefined where nothing proves it. */
  readonly isEffective?: (() => Promise<boolean>) | undefined;
}

/**
 * Wait until a transaction is in a block. A failed read is repeated. A transaction with a raised fee is in a block
 * under another hash; it is found by the nonce of the account, or by its effect.
 *
 * @returns Hash and block of the call; block null where only its effect is known.
 * @throws TransactionRevertedError, TransactionReplacedError; OutcomeUnknownError after three minutes.
 */
export async function awaitTransaction(
  request: RpcRequest,
  sent: SentTransaction,
  { monotonicMs, sleep }: Pick<Surroundings, 'monotonicMs' | 'sleep'>,
): Promise<MinedCall> {
  const endMs = monotonicMs() + patienceMs;
  let { hash } = sent;
  let failure: unknown;
  /** Return the result of a read; null when it failed. */
  const tried = async <T>(read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (cause) {
      if (!isReadingFailure(cause)) throw cause;
      failure = cause;
      return null;
    }
  };
  for (let poll = 1; ; poll += 1) {
    const mined = await tried(async () => minedOf(await request('eth_getTransactionReceipt', [hash]), hash));
    if (mined?.outcome === 'succeeded') return { hash, block: mined.block };
    if (mined?.outcome === 'reverted') throw new TransactionRevertedError(null, `${hash} reverted`, hash);
    if (poll % pollsPerSearch === 0) {
      if (await tried(async () => sent.isEffective?.())) return { hash, block: null };
      hash = (await tried(() => replacementOf(request, sent))) ?? hash;
    }
    if (monotonicMs() >= endMs) {
      const sentence = `${hash} is in no block yet: look it up before anything is sent again`;
      throw new OutcomeUnknownError(hash, sentence, { cause: failure });
    }
    await sleep(pollMs);
  }
}

const isReadingFailure = (cause: unknown): boolean =>
  cause instanceof RpcError || cause instanceof NetworkError || cause instanceof ServiceError;

/** Status of a receipt in the words of nodes and of libraries. */
const outcomes: ReadonlyMap<unknown, 'succeeded' | 'reverted'> = new Map<unknown, 'succeeded' | 'reverted'>([
  ...['0x1', '0x01', 'success', 1, 1n, true].map((status) => [status, 'succeeded'] as const),
  ...['0x0', '0x00', 'reverted', 0, 0n, false].map((status) => [status, 'reverted'] as const),
]);

/**
 * Return outcome and block of a receipt; null without a receipt. A receipt without a readable block has block null.
 *
 * @throws NetworkError for any other answer: it proves neither success nor failure.
 */
function minedOf(
  receipt: unknown,
  hash: string,
): { readonly outcome: 'succeeded' | 'reverted'; readonly block: number | null } | null {
  if (receipt === null || receipt === undefined) return null;
  const { status, transactionHash = hash, blockNumber } = Object(receipt);
  const outcome = outcomes.get(status);
  if (outcome !== undefined && isSame(transactionHash, hash)) {
    return { outcome, block: /^\d+$|^0x[\da-f]+$/i.test(String(blockNumber)) ? Number(blockNumber) : null };
  }
  throw new NetworkError(`the chain answered eth_getTransactionReceipt with no receipt of ${hash}`);
}

/**
 * Return the hash under which the call is in a block; null while no block has the nonce of the transaction, or when the
 * node does not know it.
 *
 * @throws TransactionReplacedError when another call used the nonce.
 */
async function replacementOf(request: RpcRequest, { hash, from, call }: SentTransaction): Promise<string | null> {
  const transaction = Object(await request('eth_getTransactionByHash', [hash]));
  if (transaction.nonce === undefined || call === null) return null;
  const mined = await minedAtNonce(request, from, quantityOf(transaction.nonce, 'eth_getTransactionByHash'));
  if (mined === null) return null;
  const isSameCall = isSame(mined.to, call.to) && isSame(mined.input, call.data);
  if (isSameCall || isSame(mined.hash, hash)) return mined.hash;
  throw new TransactionReplacedError(hash, mined.hash);
}

interface MinedTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly input: string;
  readonly nonce: unknown;
}

/** Find the transaction that used a nonce of an account, by bisection: a single block is read in full. */
async function minedAtNonce(request: RpcRequest, from: string, nonce: bigint): Promise<MinedTransaction | null> {
  const isUsed = async (block: string): Promise<boolean> =>
    quantityOf(await request('eth_getTransactionCount', [from, block]), 'eth_getTransactionCount') > nonce;
  if (!(await isUsed('latest'))) return null;
  let last = quantityOf(await request('eth_blockNumber', []), 'eth_blockNumber');
  let first = last > searchedBlocks ? last - searchedBlocks : 0n;
  while (first < last) {
    const middle = (first + last) / 2n;
    if (await isUsed(hexOf(middle))) last = middle;
    else first = middle + 1n;
  }
  const { transactions } = Object(await request('eth_getBlockByNumber', [hexOf(last), true]));
  if (!Array.isArray(transactions)) return null;
  const mined: readonly unknown[] = transactions;
  const isWanted = (one: unknown): one is MinedTransaction => {
    const { from: sender, nonce: number, hash } = Object(one);
    return isSame(sender, from) && isHash(hash) && quantityOf(number, 'eth_getBlockByNumber') === nonce;
  };
  return mined.find(isWanted) ?? null;
}

const isSame = (left: unknown, right: unknown): boolean => String(left).toLowerCase() === String(right).toLowerCase();
