import type { Lease } from '@core/store';
import type { Wake } from './wake.ts';

/** One job of the keeper, closed over the few things it needs. It never overlaps itself. */
export interface Task {
  /** Labels its metrics, its health and its log lines. */
  readonly name: string;
  /** Held by one keeper at a time; the task runs only there. */
  readonly lock: Lock;
  /** Longest pause between two runs. */
  readonly intervalMs: number;
  /** Ends a pause early. */
  readonly wake?: Wake;
  run(lease: Lease): Promise<void>;
  /** Ends what a run left under way, when the process stops. */
  readonly finish?: () => Promise<void>;
}

/**
 * `signer` is the keeper's own key: one process uses it, and works in the shares of the markets that it holds. The
 * others are for what one keeper does for all.
 */
export const locks = {
  signer: 'keeper:signer',
  index: 'keeper:index',
  catalogue: 'keeper:catalogue',
  registrations: 'keeper:registrations',
  cleaning: 'keeper:cleaning',
} as const;
export type Lock = (typeof locks)[keyof typeof locks];

/** The lock's name in the database, for the keeper with this address. */
export function lockNameOf(lock: Lock, address: string): string {
  return lock === locks.signer ? `${lock}:${address.toLowerCase()}` : lock;
}

/** What sends transactions and orders for positions runs under the share of their market: every effect happens once. */
export const shareLockOf = (share: number): string => `keeper:effects:${share}`;
