import { type Address, type Hex, type PublicClient, TransactionReceiptNotFoundError } from 'viem';

/**
 * User of a nonce by the chain: none yet, one of the own transactions, another transaction, or unknown where the node
 * does not show it. A missing receipt proves none of them: a node may have a block before its receipts.
 */
export type NonceUse = 'unused' | 'own' | 'other' | 'unknown';

/** A nonce, and the transactions that were signed for it. */
export interface SignedNonce {
  readonly address: Address;
  readonly nonce: number;
  readonly hashes: readonly Hex[];
}

type NonceClient = Pick<PublicClient, 'getBlock' | 'getBlockNumber' | 'getTransactionCount'>;
type ReceiptClient = Pick<PublicClient, 'getTransactionReceipt'>;

/**
 * Find the block that used a nonce, in O(log age) reads, and the transaction in it. Where the node has no state so old,
 * a nonce that is used at the final block counts as another's: the receipt of an own one would be there.
 * @param signed The caller has found no receipt of its hashes. They are read once more before a nonce counts as
 * another's, because a receipt may arrive between the requests.
 * @throws the client's error when the node does not answer.
 */
export async function nonceUseOf(client: NonceClient & ReceiptClient, signed: SignedNonce): Promise<NonceUse> {
  const use = await userOf(client, signed);
  return use === 'other' && (await hasReceipt(client, signed.hashes)) ? 'own' : use;
}

async function hasReceipt(client: ReceiptClient, hashes: readonly Hex[]): Promise<boolean> {
  for (const hash of hashes) {
    try {
      await client.getTransactionReceipt({ hash });
      return true;
    } catch (cause) {
      if (!(cause instanceof TransactionReceiptNotFoundError)) throw cause;
    }
  }
  return false;
}

async function userOf(client: NonceClient, signed: SignedNonce): Promise<NonceUse> {
  const { address, nonce } = signed;
  const head = await client.getBlockNumber({ cacheTime: 0 });
  const isUsedAt = async (blockNumber: bigint): Promise<boolean> =>
    (await client.getTransactionCount({ address, blockNumber })) > nonce;
  if (!(await isUsedAt(head))) return 'unused';
  const number = await firstUseOf(isUsedAt, head).catch(() => null);
  const use = number === null ? 'unknown' : await useIn(client, number, signed);
  if (use !== 'unknown') return use;
  const finalCount = await client.getTransactionCount({ address, blockTag: 'finalized' }).catch(() => 0);
  return finalCount > nonce ? 'other' : 'unknown';
}

/** Return the first block at which the nonce is used, searched from the head in growing strides. */
async function firstUseOf(isUsedAt: (blockNumber: bigint) => Promise<boolean>, head: bigint): Promise<bigint> {
  let used = head;
  let unused = -1n;
  for (let stride = 1n; used > 0n; stride *= 2n) {
    const earlier = used > stride ? used - stride : 0n;
    if (!(await isUsedAt(earlier))) {
      unused = earlier;
      break;
    }
    used = earlier;
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n;
    if (await isUsedAt(middle)) used = middle;
    else unused = middle;
  }
  return used;
}

async function useIn(
  client: NonceClient,
  blockNumber: bigint,
  { address, nonce, hashes }: SignedNonce,
): Promise<NonceUse> {
  const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
  const isUser = (one: (typeof transactions)[number]): boolean =>
    one.nonce === nonce && one.from.toLowerCase() === address.toLowerCase();
  const user = transactions.find(isUser);
  if (user === undefined) return 'unknown';
  return hashes.includes(user.hash) ? 'own' : 'other';
}
