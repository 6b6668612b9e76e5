import type { MarketShares } from './marketShares.ts';
import { locks, type Task } from './task.ts';

/** Twice a second: a share of a keeper that died is taken by another within a second. */
export function balanceSharesTask(options: {
  readonly shares: Pick<MarketShares, 'balance'>;
  /** Whether anything is under way for a position in a market of the share. */
  readonly isBusyIn: (share: number) => boolean;
}): Task {
  const { shares, isBusyIn } = options;
  return {
    name: 'balanceShares',
    lock: locks.signer,
    intervalMs: 500,
    run: (lease) => shares.balance(lease, isBusyIn),
  };
}
