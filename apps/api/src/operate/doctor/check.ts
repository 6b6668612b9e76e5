import type { Store } from '@core/store';
import type { PublicClient } from 'viem';
import type { DoctorSettings } from './doctorSettings.ts';

/** Outcome of one check. */
export interface Finding {
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly detail: string;
  /** Repair of this failure, where the check has a better one than its own. */
  readonly fix?: string;
}

/** Settings of a deployment, with the readers shared by the checks. */
export interface Deployment {
  readonly settings: DoctorSettings;
  /** Reader of the first node. */
  readonly client: PublicClient;
  readonly store: Store;
  /** Time of the service: that of the machine or of `CLOCK_URL`. */
  readonly nowMs: () => number;
}

/** One property of a deployment. */
export interface Check {
  readonly name: string;
  /** Checks that must pass before this one, which is skipped otherwise. */
  readonly after: readonly string[];
  readonly observe: (deployment: Deployment) => Promise<Finding>;
  /** Suggested fix of a failure. */
  readonly fix: string;
}

export const ok = (detail: string): Finding => ({ state: 'ok', detail });
export const failed = (detail: string, fix?: string): Finding => ({
  state: 'failed',
  detail,
  ...(fix !== undefined && { fix }),
});
export const skipped = (detail: string): Finding => ({ state: 'skipped', detail });

/** Return a failure with all problems, or success without any. */
export function findingOf(problems: readonly string[], detail: string): Finding {
  return problems.length === 0 ? ok(detail) : failed(problems.join('; '));
}
