/** Gas limit of a keeper's call: more than twice the most expensive one; unused gas is not paid. */
export const keeperCallGas = 600_000n;

/**
 * Transactions that a keeper must be able to pay for before anything may be opened. A position that is open by then
 * still needs its end and its sales, two transactions each, and the price of gas may double meanwhile.
 */
const minimumTransactionCount = 10n;

/** Transactions in reserve: an operator is alerted below it, which leaves time to send coin. */
const reserveTransactionCount = 50n;

/** Native coin that a keeper's account needs. */
export interface CoinNeeds {
  /** Below it nothing may be opened. */
  readonly minimumWei: bigint;
  /** Below it an operator should send more. */
  readonly reserveWei: bigint;
}

/** Native coin of a keeper's account beside its needs. */
export interface CoinReading extends CoinNeeds {
  readonly balanceWei: bigint;
}

/** State of a keeper's account: `short` below the minimum, `low` below the reserve. */
export type CoinLevel = 'short' | 'low' | 'enough';

/**
 * Return the native coin that the next transactions of a keeper may cost: gas limit times fee times their number.
 * @param maxFeePerGasWei Highest fee per gas that a transaction offers now.
 */
export function coinNeedsOf(maxFeePerGasWei: bigint): CoinNeeds {
  const transactionWei = keeperCallGas * maxFeePerGasWei;
  return {
    minimumWei: transactionWei * minimumTransactionCount,
    reserveWei: transactionWei * reserveTransactionCount,
  };
}

export function coinLevelOf({ balanceWei, minimumWei, reserveWei }: CoinReading): CoinLevel {
  if (balanceWei < minimumWei) return 'short';
  return balanceWei < reserveWei ? 'low' : 'enough';
}
