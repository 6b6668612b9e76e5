import type { MarketShares } from './marketShares.ts';
import { locks, type Task } from './task.ts';

/** Twice a second: a share of a keeper that died is taken by another within a second. */
export function balanceSharesTask(options: {
  readonly shares: Pick<MarketShares, 'balance'>;
  /** Whether anything is under way for a position in a market of the share. */
  readonly isBusyIn: (share: number) => boolean;
  /** Called when this keeper holds other shares than before: their debts are to be followed at once. */
  readonly onChanged: () => void;
}): Task {
  const { shares, isBusyIn, onChanged } = options;
  return {
    name: 'balanceShares',
    lock: locks.signer,
    intervalMs: 500,
    async run(lease) {
      if (await shares.balance(lease, isBusyIn)) onChanged();
    },
  };
}
