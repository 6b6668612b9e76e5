import { NetworkError, OutcomeUnknownError, ServiceError } from '../errors/levError.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { MinedCall } from './actionPlan.ts';
import { RpcError, TransactionReplacedError, TransactionRevertedError } from './chainErrors.ts';
import { quantityOf, type RpcRequest } from './rpc.ts';
import { hexOf, isHash, type Transaction } from './wallet.ts';

const pollMs = 1_000;
const patienceMs = 180_000;
/** Patience with a transaction that may not have been sent at all. */
const lostPatienceMs = 30_000;
/** Receipt polls per search for a replacement, which takes more requests. */
const pollsPerSearch = 3;
/** Blocks before the head in which a replacement is searched: full nodes store the state of about this many. */
const searchedBlocks = 120n;

/** Transaction that was handed over. */
export interface SentTransaction {
  /** Hash from the wallet; without one, the error to end with when the transaction is not found. */
  readonly answer: string | OutcomeUnknownError;
  /** Nonce of the account before it; null where that is unknown. */
  readonly nonce: bigint | null;
  readonly from: string;
  /** Call of the transaction; null where only the hash is known. */
  readonly call: Transaction | null;
  /** Read whether the effect of the transaction exists, under any hash; undefined where nothing proves it. */
  readonly isEffective?: (() => Promise<boolean>) | undefined;
}

/**
 * Wait until a transaction is in a block. A failed read is repeated. A transaction with a raised fee is in a block
 * under another hash; it is found by the nonce of the account, or by its effect. So is one without a hash.
 *
 * @returns Hash and block of the call; block null where only its effect is known, and then the hash may be empty.
 * @throws TransactionRevertedError, TransactionReplacedError; OutcomeUnknownError after three minutes, or after half a
 * minute without a hash.
 */
export async function awaitTransaction(
  request: RpcRequest,
  sent: SentTransaction,
  { monotonicMs, sleep }: Pick<Surroundings, 'monotonicMs' | 'sleep'>,
): Promise<MinedCall> {
  const startMs = monotonicMs();
  const { answer } = sent;
  let hash = typeof answer === 'string' ? answer : '';
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
    const readReceipt = async () => minedOf(await request('eth_getTransactionReceipt', [hash]), hash);
    const mined = hash === '' ? null : await tried(readReceipt);
    if (mined?.outcome === 'succeeded') return { hash, block: mined.block };
    if (mined?.outcome === 'reverted') throw new TransactionRevertedError(null, `${hash} reverted`, hash);
    if (hash === '' || poll % pollsPerSearch === 0) {
      const other = await tried(() => minedInstead(request, sent, hash));
      if (other?.isCall) hash = other.hash;
      else if (await tried(async () => sent.isEffective?.())) return { hash, block: null };
      else if (other) throw new TransactionReplacedError(hash, other.hash);
    }
    if (monotonicMs() - startMs >= (hash === '' ? lostPatienceMs : patienceMs)) {
      if (typeof answer !== 'string' && hash === '') throw answer;
      const sentence = `${hash} is in no block yet: look it up, also in a queue of the wallet, before anything is sent again`;
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
 * Return the transaction that a block has in place of a hash; null while there is none. It is the one with the nonce
 * of the hash. Where the node does not know the hash, it is the first of the same call since the hand-over.
 */
async function minedInstead(
  request: RpcRequest,
  { from, call, nonce }: SentTransaction,
  hash: string,
): Promise<{ readonly hash: string; readonly isCall: boolean } | null> {
  if (call === null) return null;
  const method = 'eth_getTransactionByHash';
  const { nonce: known } = hash === '' ? Object(null) : Object(await request(method, [hash]));
  let next = known === undefined ? nonce : quantityOf(known, method);
  for (; next !== null; next += 1n) {
    const mined = await minedAtNonce(request, from, next);
    if (mined === null) return null;
    const isCall = isSame(mined.hash, hash) || (isSame(mined.to, call.to) && isSame(mined.input, call.data));
    if (isCall || known !== undefined) return { hash: mined.hash, isCall };
  }
  return null;
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
