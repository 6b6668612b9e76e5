import { locks, type Task } from '../runner/task.ts';
import type { TransactionSender } from './transactionSender.ts';

/** Looks after this keeper's transactions that no task waits for: carries on what a crash left, fills nonce gaps. */
export function resumeTransactionsTask({ sender }: { readonly sender: Pick<TransactionSender, 'resumeAll'> }): Task {
  return {
    name: 'resumeTransactions',
    lock: locks.signer,
    intervalMs: 1_000,
    run: (lease) => sender.resumeAll(lease),
  };
}
