/** Fees of a transaction, per gas. */
export interface TransactionFees {
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeeWei: bigint;
}

/** Price of gas as a node estimates it, in wei per gas. */
export interface GasPrice {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Highest fee per gas where an operator sets none, in gwei. */
export const defaultMaxFeeGwei = 2_000;

/** Minimum increase of a replacement: nodes require 10 %, the strictest of them 12.5 %. */
const bumpNumerator = 1_125n;
const bumpDenominator = 1_000n;

const bumped = (feeWei: bigint): bigint => (feeWei * bumpNumerator + bumpDenominator - 1n) / bumpDenominator;
const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);
const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/**
 * Return the fees that a new transaction offers: twice the price, which survives several full blocks and whose surplus
 * is not paid, within the ceiling. A transaction at the ceiling waits until the price has fallen: it occupies its
 * nonce, and no later one can pass it.
 */
export function offeredFeesOf({ maxFeePerGas, maxPriorityFeePerGas }: GasPrice, ceilingWei: bigint): TransactionFees {
  return {
    maxFeePerGasWei: smaller(maxFeePerGas * 2n, ceilingWei),
    maxPriorityFeeWei: smaller(maxPriorityFeePerGas, ceilingWei),
  };
}

/** Return the fees of a replacement: at least 12.5 % above the last ones, rounded up, and at least the current ones. */
export function bumpedFeesOf(last: TransactionFees, present: TransactionFees): TransactionFees {
  return {
    maxFeePerGasWei: larger(bumped(last.maxFeePerGasWei), present.maxFeePerGasWei),
    maxPriorityFeeWei: larger(bumped(last.maxPriorityFeeWei), present.maxPriorityFeeWei),
  };
}
