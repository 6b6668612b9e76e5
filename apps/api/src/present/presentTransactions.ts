import type { PositionTransactionRecord, TransactionGroup } from '@core/store';
import type { PositionTransactionsWire } from '@core/wire';

/** The nine groups with their final transactions in chain order; exchange hashes only where a purpose routes to the exchange. */
export function presentTransactions(transactions: readonly PositionTransactionRecord[]): PositionTransactionsWire {
  const plain = (group: TransactionGroup) => ({
    transactions: transactions
      .filter((transaction) => transaction.group === group)
      .map(({ transactionHash }) => ({ transaction_hash: transactionHash })),
  });
  const routed = (group: TransactionGroup) => ({
    transactions: transactions
      .filter((transaction) => transaction.group === group)
      .map(({ transactionHash, routed: isRouted, exchangeTransactionHashes }) => ({
        transaction_hash: transactionHash,
        ...(isRouted && { exchange_transaction_hashes: [...exchangeTransactionHashes] }),
      })),
  });
  return {
    open: routed('open'),
    close: routed('close'),
    liquidation: routed('liquidation'),
    settle: routed('settle'),
    force_unwind: routed('force_unwind'),
    cancel_request: plain('cancel_request'),
    cancel: plain('cancel'),
    revert: plain('revert'),
    redemption: plain('redemption'),
  };
}
