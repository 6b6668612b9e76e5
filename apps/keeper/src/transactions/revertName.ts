import { errorNameOf } from '@core/vault';
import { type Hex, isHex } from 'viem';

/**
 * The contract's error behind a failed call; `unknown` for one whose name our ABIs do not have, null when the call
 * failed for another reason (the node is away, the account has no money) and says nothing about the contract.
 */
export function revertNameOf(error: unknown): string | null {
  const data = revertDataOf(error);
  if (data === null) {
    return null;
  }
  // Error data of another contract (the exchange, USDC) has no name here, and is a revert all the same.
  return errorNameOf(data) ?? 'unknown';
}

/** Revert data somewhere in the chain of causes: nodes put it at different depths. */
function revertDataOf(error: unknown): Hex | null {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth += 1) {
    if ('data' in cause) {
      const { data } = cause;
      if (isHex(data) && data.length >= 10) {
        return data;
      }
      if (typeof data === 'object' && data !== null && 'data' in data && isHex(data.data) && data.data.length >= 10) {
        return data.data;
      }
    }
  }
  return null;
}
