import { type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import { chainFault } from './chainFault.ts';

/**
 * Read the receipt of a transaction; null only when the node answers that it has none.
 * @throws Fault retryable when the node does not answer: that proves nothing about the transaction.
 */
export async function receiptOf(
  client: Pick<PublicClient, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw chainFault(`the receipt of ${hash} cannot be read`, error);
  }
}
