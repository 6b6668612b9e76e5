import { OutcomeUnknownError } from '../errors/levError.ts';
import { nonceOf } from './ownWrites.ts';
import { isNonceLow, refusalOf, sentenceOf, usedNonceOf } from './refusalOf.ts';
import type { RpcRequest } from './rpc.ts';
import { accountOf, isHash, sendWith, type Transaction, type Wallet } from './wallet.ts';

/** Terms of a transaction, and the nonce of the account before it; null when that is unknown. */
interface HandOverTerms {
  readonly gas: bigint;
  readonly chainId: number;
  readonly request: RpcRequest;
  readonly nonce: bigint | null;
}

/**
 * Ask a wallet to sign and send a transaction.
 *
 * @returns Hash of the transaction; the error to end with when it may have been sent and cannot be found.
 * @throws TransactionNotSentError when nothing was sent.
 */
export async function handOver(
  wallet: Wallet,
  transaction: Transaction,
  terms: HandOverTerms,
): Promise<string | OutcomeUnknownError> {
  try {
    const hash: unknown = await sendWith(wallet, transaction, terms);
    return isHash(hash) ? hash : unknownOutcome('The wallet answered without a hash.');
  } catch (cause) {
    const refusal = refusalOf(cause);
    if (refusal === null) return unknownOutcome(sentenceOf(cause), { cause });
    if (refusal.reason === 'refused_by_user') throw refusal;
    // A transport may have sent it before the attempt that was refused.
    const { request, nonce } = terms;
    const next = await nonceOf(request, accountOf(wallet));
    // The node of the count may lack a block that the node of the refusal has.
    const used = usedNonceOf(cause) ?? -1n;
    const isUsed = nonce === null || next === null ? isNonceLow(cause) : next > nonce || used >= nonce;
    if (isUsed) return unknownOutcome(sentenceOf(cause), { cause });
    throw refusal;
  }
}

function unknownOutcome(reason: string, options?: ErrorOptions): OutcomeUnknownError {
  const sentence = `It is unknown if the transaction was sent: ${reason} Look at the account before sending again.`;
  return new OutcomeUnknownError('', sentence, options);
}
