import { TransactionNotSentError } from './chainErrors.ts';

const anyOf = (...forms: readonly string[]): RegExp => new RegExp(forms.join('|'), 'i');

// Codes of EIP-1193, CAIP-25 and EIP-1474, and names of libraries, begin with #.
const byUser = anyOf(
  '^#(4001|500[0-3]|ACTION_REJECTED|UserRejectedRequestError)$',
  '\\buser (has )?(rejected|denied|declined|refused|cancell?ed)',
  '(rejected|denied|declined|refused|cancell?ed) by (the )?user',
);
/** Errors that precede any sending, and the rules by which nodes refuse a transaction. */
const beforeSending = anyOf(
  '^#(4[12]00|-32602|ChainMismatchError|WrongChainError)$',
  'nonce too|current nonce|intrinsic gas|gas required exceeds|block base fee|revert',
  'exceeds (the )?(block gas limit|configured cap)|(?<!replacement )transaction underpriced',
);
const lowNonce = /nonce too low|lower than the current nonce/i;

/** Fields in which wallets and libraries put texts, and errors behind an error. */
const fields = ['message', 'details', 'reason', 'cause', 'data', 'error', 'info', 'originalError'];
const maxParts = 200;

/** Return the texts, codes and names in an error, the outermost first. */
function textsOf(error: unknown): readonly string[] {
  const parts = [error];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null || parts.length > maxParts) continue;
    const markOf = (name: string): string => {
      const mark: unknown = Reflect.get(part, name);
      return `#${typeof mark === 'object' ? '' : String(mark)}`;
    };
    parts.push(...fields.map((name): unknown => Reflect.get(part, name)), markOf('code'), markOf('name'));
  }
  return parts.filter((part) => typeof part === 'string');
}

const isAny = (error: unknown, form: RegExp): boolean => textsOf(error).some((text) => form.test(text));

/** Return true for a transaction that was refused because its nonce is used. */
export const isNonceLow = (error: unknown): boolean => isAny(error, lowNonce);

/** Return the nonce of a transaction that was refused because its nonce is used; null where the node names none. */
export function usedNonceOf(error: unknown): bigint | null {
  const [, nonce] = textsOf(error).flatMap((text) => /nonce too low.*\btx(?: nonce|:) (\d+)/i.exec(text) ?? []);
  return nonce === undefined ? null : BigInt(nonce);
}

/** Return the first line of an error as a sentence; libraries add details in further lines. */
export function sentenceOf(error: unknown): string {
  const text = textsOf(error).find((one) => /^[^#]/.test(one)) ?? 'The wallet gave no reason';
  return `${text.replace(/\n[^]*/, '').replace(/[\s.]+$/, '')}.`;
}

/**
 * Return the refusal of a transaction that was handed over; null for an error that may also follow the sending. The
 * refusal of a node is about its last attempt: an earlier one may have been sent.
 */
export function refusalOf(cause: unknown): TransactionNotSentError | null {
  if (isAny(cause, byUser)) {
    return new TransactionNotSentError('refused_by_user', 'The wallet refused: nothing was sent.', { cause });
  }
  if (isAny(cause, /insufficient funds/i)) return gasMissing(cause);
  // The wallet still asks about an earlier request.
  const isBusy = isAny(cause, /^#-32002$/) && isAny(cause, /already pending/i);
  if (!isBusy && !isAny(cause, beforeSending)) return null;
  return new TransactionNotSentError('refused_by_node', `Nothing was sent: ${sentenceOf(cause)}`, { cause });
}

/** Build the error of an account that cannot pay for gas. */
export function gasMissing(cause: unknown): TransactionNotSentError {
  const sentence = 'The wallet has too little of the native coin for gas. Send it some, and try again.';
  return new TransactionNotSentError('insufficient_gas', sentence, { cause });
}
