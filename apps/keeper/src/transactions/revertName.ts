import { errorNameOf } from '@core/vault';
import { type Hex, isHex } from 'viem';

/**
 * Return the contract's error of a failed call; `unknown` for an error outside our ABIs, null when the call failed for
 * another reason (unreachable node, no funds), which proves nothing about the contract.
 */
export function revertNameOf(error: unknown): string | null {
  const data = revertDataOf(error);
  if (data === null) {
    return null;
  }
  // Error data of another contract (the exchange, USDC) has no name here, but is a revert.
  return errorNameOf(data) ?? 'unknown';
}

/** Return the revert data from the chain of causes: nodes return it at different depths. */
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
