import { locks, type Task } from '../runner/task.ts';
import { type AdoptOptions, adoptTransactionsTask } from './adoptTransactions.ts';
import { type FollowOptions, followTransactionsTask } from './followTransactions.ts';
import { type RetireOptions, retireOrdersTask } from './retireOrders.ts';
import type { TransactionSender } from './transactionSender.ts';
import type { VenueBreaker } from './venueBreaker.ts';
import { type WatchCoinOptions, watchCoinTask } from './watchCoin.ts';

export interface TransactionTaskOptions
  extends FollowOptions,
    RetireOptions,
    WatchCoinOptions,
    Omit<AdoptOptions, 'sender'> {
  readonly intents: FollowOptions['intents'] & RetireOptions['intents'];
  readonly metrics: AdoptOptions['metrics'] & WatchCoinOptions['metrics'];
  readonly sender: Pick<TransactionSender, 'address' | 'readCoin' | 'reclaimNonces' | 'resume' | 'resumeAll'>;
  readonly breaker: Pick<VenueBreaker, 'probe'>;
}

/** Build the tasks that complete transactions and orders, whatever their positions do. */
export function transactionTasks(options: TransactionTaskOptions): readonly Task[] {
  const { sender, breaker } = options;
  const everySecond = { lock: locks.signer, intervalMs: 1_000 };
  return [
    // On its own: lost nonces are reclaimed even while transactions behind one are awaited.
    { ...everySecond, name: 'reclaimNonces', run: (lease) => sender.reclaimNonces(lease) },
    // Transactions that no other task awaits: unfinished ones after a crash, and nonce gaps.
    { ...everySecond, name: 'resumeTransactions', run: (lease) => sender.resumeAll(lease) },
    { ...everySecond, name: 'probeVenue', run: () => breaker.probe() },
    watchCoinTask(options),
    adoptTransactionsTask(options),
    followTransactionsTask(options),
    retireOrdersTask(options),
  ];
}
