/** Fees of a transaction, per gas. */
export interface TransactionFees {
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeeWei: bigint;
}

/** Nodes take a replacement from 10 % more on; 12.5 % is what the strictest of them want. */
const bumpNumerator = 1_125n;
const bumpDenominator = 1_000n;

const bumped = (feeWei: bigint): bigint => (feeWei * bumpNumerator + bumpDenominator - 1n) / bumpDenominator;
const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);
const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/**
 * Fees within the ceiling. A transaction at the ceiling waits until the price has fallen: its nonce is used all the
 * same, and nothing behind it may pass.
 */
export function cappedFeesOf(fees: TransactionFees, ceilingWei: bigint): TransactionFees {
  return {
    maxFeePerGasWei: smaller(fees.maxFeePerGasWei, ceilingWei),
    maxPriorityFeeWei: smaller(fees.maxPriorityFeeWei, ceilingWei),
  };
}

/** Fees of a replacement: at least 12.5 % above the last ones, each rounded up, and at least the present ones. */
export function bumpedFeesOf(last: TransactionFees, present: TransactionFees): TransactionFees {
  return {
    maxFeePerGasWei: larger(bumped(last.maxFeePerGasWei), present.maxFeePerGasWei),
    maxPriorityFeeWei: larger(bumped(last.maxPriorityFeeWei), present.maxPriorityFeeWei),
  };
}
