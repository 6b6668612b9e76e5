import type { LockStore } from '@core/store';
import type { Logger } from 'pino';
import { failureKindOf } from '../runner/failureKind.ts';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { lockNameOf, locks, type Task } from '../runner/task.ts';
import { type CallIntent, type Intents, unfinishedCalls } from './intents.ts';
import type { TransactionSender } from './transactionSender.ts';

/** Transactions of one key completed concurrently. */
const maxAtOnce = 8;
/** Pauses of a transaction that is in no block yet. */
const retries = { firstMs: 1_000, longestMs: 10_000 };

export interface AdoptOptions {
  readonly intents: Pick<Intents, 'inStates'>;
  readonly sender: Pick<TransactionSender, 'address' | 'resume'>;
  readonly lockStore: Pick<LockStore, 'tryAcquire'>;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems' | 'orphanedTransactions'>;
}

/**
 * Complete the transactions of keys that no process uses: one that was mined is recorded, any other is sent again, and
 * given up once its effect can no longer come. While this runs it holds the lock of the key, so that a keeper that
 * returns with it waits.
 */
export function adoptTransactionsTask({ intents, sender, lockStore, logger, metrics }: AdoptOptions): Task {
  const isolation = { pauses: retries, atOnce: maxAtOnce, logger, metrics };
  const adopting = new IsolatedItems({ name: 'adoptTransactions', ...isolation });
  const own = sender.address.toLowerCase();

  /** Return the number of those that remain unfinished; 0 while a keeper has the key. */
  const adopt = async (signer: string, transactions: readonly CallIntent[]): Promise<number> => {
    const [lease] = await lockStore.tryAcquire([lockNameOf(locks.signer, signer)]);
    if (lease === undefined) return 0;
    let endedCount = 0;
    try {
      await adopting.serve(
        transactions,
        ({ id }) => id,
        async (transaction) => {
          const isEnded = await hasEnded(sender, transaction);
          if (isEnded) endedCount += 1;
          return isEnded;
        },
      );
    } finally {
      await lease.release();
    }
    return transactions.length - endedCount;
  };

  return {
    name: 'adoptTransactions',
    lock: locks.index,
    intervalMs: 5_000,
    async run() {
      const unfinished = await unfinishedCalls(intents);
      const signers = new Set(unfinished.map(({ signerAddress }) => signerAddress));
      let orphanedCount = 0;
      for (const signer of signers) {
        if (signer === null || signer === own) continue;
        const transactions = unfinished.filter(({ signerAddress }) => signerAddress === signer);
        orphanedCount += await adopt(signer, transactions);
      }
      metrics.orphanedTransactions.set(orphanedCount);
    },
  };
}

/** Continue a transaction. Return false while it is in no block: that is no failure. */
async function hasEnded(sender: AdoptOptions['sender'], transaction: CallIntent): Promise<boolean> {
  try {
    await sender.resume(transaction);
    return true;
  } catch (error) {
    if (failureKindOf(error) === 'retryable') return false;
    throw error;
  }
}
