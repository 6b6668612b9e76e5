import { isHeldAnswer } from '@core/runtime';
import { BaseError, RpcRequestError } from 'viem';

/** Length beyond which an answer is cut: it is shown to operators. */
const longestText = 200;

/**
 * Return the text with which a node refused a transaction. Null for another failure, such as a node that does not
 * answer, which proves nothing, and for a transaction that it has already.
 */
export function nodeRefusalOf(error: unknown): string | null {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  if (!(answer instanceof RpcRequestError) || isHeldAnswer(answer.details)) return null;
  return answer.details.slice(0, longestText);
}
