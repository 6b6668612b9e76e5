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

/** What sends transactions or orders, or finds what to send, runs under `effects`: every effect happens once. */
export const locks = {
  effects: 'keeper:effects',
  index: 'keeper:index',
  catalogue: 'keeper:catalogue',
  cleaning: 'keeper:cleaning',
} as const;
export type Lock = (typeof locks)[keyof typeof locks];
