import { BaseError, RpcRequestError } from 'viem';

/** Answers of nodes that have the transaction, or a later one of the same nonce, already. */
const knownAlready = /already known|known transaction|already imported|nonce too low/i;

/** Length beyond which an answer is cut: it is shown to operators. */
const longestText = 200;

/**
 * Return the text with which a node refused a transaction. Null for another failure, such as a node that does not
 * answer, which proves nothing, and for a transaction that it has already.
 */
export function nodeRefusalOf(error: unknown): string | null {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  if (!(answer instanceof RpcRequestError) || knownAlready.test(answer.details)) return null;
  return answer.details.slice(0, longestText);
}
