import { causesOf } from '../errors/causesOf.ts';
import { OutcomeUnknownError } from '../errors/levError.ts';
import { TransactionNotSentError } from './chainErrors.ts';
import { isHash, sendWith, type Transaction, type Wallet } from './wallet.ts';

/** EIP-1193 code of a refusal by the user. */
const userRefused = 4_001;
/** Names of library errors that precede any sending. */
const localNames: ReadonlySet<unknown> = new Set(['ChainMismatchError', 'WrongChainError', 'InputError']);

/**
 * Ask a wallet to sign and send a transaction.
 *
 * @returns Hash of the transaction.
 * @throws TransactionNotSentError for a refusal; OutcomeUnknownError without hash when the wallet gave no answer: the
 * transaction may have been sent.
 */
export async function handOver(
  wallet: Wallet,
  transaction: Transaction,
  terms: { readonly gas: bigint; readonly chainId: number },
): Promise<string> {
  let hash: unknown;
  try {
    hash = await sendWith(wallet, transaction, terms);
  } catch (cause) {
    throw sendingErrorOf(cause);
  }
  if (isHash(hash)) return hash;
  const sentence = 'The wallet answered without a hash. Look at the account before sending again.';
  throw new OutcomeUnknownError('', `It is unknown if the transaction was sent: ${sentence}`);
}

function sendingErrorOf(cause: unknown): Error {
  const causes = causesOf(cause);
  const codes = causes.map((one): unknown => Reflect.get(one, 'code'));
  const names = causes.map((one): unknown => Reflect.get(one, 'name'));
  const texts = causes.map((one) => String(Reflect.get(one, 'message')));
  if (codes.includes(userRefused) || codes.includes('ACTION_REJECTED') || names.includes('UserRejectedRequestError')) {
    return new TransactionNotSentError('refused_by_user', 'The wallet refused: nothing was sent.', { cause });
  }
  if (texts.some((text) => /insufficient funds/i.test(text))) return gasMissing(cause);
  // A transaction that the node already knows was sent by an earlier attempt.
  const isKnown = texts.some((text) => /already known|already imported/i.test(text));
  const isRefused = codes.some((code) => typeof code === 'number') || names.some((name) => localNames.has(name));
  const [text = String(cause)] = texts;
  if (isRefused && !isKnown)
    return new TransactionNotSentError('refused_by_node', `Nothing was sent: ${lineOf(text)}`, { cause });
  const sentence = `It is unknown if the transaction was sent: ${lineOf(text)} Look at the account before sending again.`;
  return new OutcomeUnknownError('', sentence, { cause });
}

/** Build the error of an account that cannot pay for gas. */
export function gasMissing(cause: unknown): TransactionNotSentError {
  const sentence = 'The wallet has too little of the native coin for gas. Send it some, and try again.';
  return new TransactionNotSentError('insufficient_gas', sentence, { cause });
}

/** Return the first line of a text; libraries add details in further lines. */
const lineOf = (text: string): string => text.split('\n')[0] ?? text;
