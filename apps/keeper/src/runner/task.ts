import type { Lease } from '@core/store';
import type { Wake } from './wake.ts';

/** One job of the keeper, closed over its dependencies. It never overlaps itself. */
export interface Task {
  /** Labels its metrics, its health and its log lines. */
  readonly name: string;
  /** Lock of one keeper at a time; the task runs only there. */
  readonly lock: Lock;
  /** Longest pause between two runs. */
  readonly intervalMs: number;
  /** Ends a pause early. */
  readonly wake?: Wake;
  run(lease: Lease): Promise<void>;
  /** End work that a run left in progress, when the process stops. */
  readonly finish?: () => Promise<void>;
}

/**
 * Locks of tasks. `signer` belongs to the keeper's own key: one process uses it, and works in its own market shares.
 * The others belong to work that one keeper does for all.
 */
export const locks = {
  signer: 'keeper:signer',
  index: 'keeper:index',
  catalogue: 'keeper:catalogue',
  registrations: 'keeper:registrations',
  cleaning: 'keeper:cleaning',
} as const;
export type Lock = (typeof locks)[keyof typeof locks];

/** Return the lock's name in the database, for the keeper with this address. */
export function lockNameOf(lock: Lock, address: string): string {
  return lock === locks.signer ? `${lock}:${address.toLowerCase()}` : lock;
}
