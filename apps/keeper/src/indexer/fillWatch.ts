import { decideGrantFills, type EndedGrant, grantMemoryMs, type PolicyConfig, type Route } from '@core/policy';
import type { Clock, FillReport } from '@core/runtime';
import type { Store } from '@core/store';
import { locks, type Task } from '../runner/task.ts';
import { endedGrantsOf, grantOutcomesOf } from './grantOutcomes.ts';

/** Newest ended grants that are read at once. */
const maxGrants = 1_000;

export interface FillWatchOptions {
  readonly store: { readonly chain: Pick<Store['chain'], 'endedGrants'> };
  readonly chainKey: string;
  readonly route: Route;
  readonly policy: PolicyConfig;
  readonly clock: Clock;
}

/** Grants that ended lately, as the index has them: every keeper reads the same. None on the route Direct. */
export class FillWatch {
  readonly #options: FillWatchOptions;
  #grants: readonly EndedGrant[] = [];

  constructor(options: FillWatchOptions) {
    this.#options = options;
  }

  /** By category and kind, decided now: also where the last reading is old, an unfilled row ends by itself. */
  get reports(): readonly FillReport[] {
    const { policy: config, clock } = this.#options;
    return decideGrantFills(this.#grants, { nowMs: clock.nowMs(), config });
  }

  async update(): Promise<void> {
    const { store, chainKey, route, policy, clock } = this.#options;
    if (route === 'direct') return;
    const sinceMs = clock.nowMs() - grantMemoryMs(policy);
    const records = await store.chain.endedGrants({ chainKey, sinceMs, limit: maxGrants });
    this.#grants = endedGrantsOf(grantOutcomesOf(records));
  }
}

/** Read the grants that ended lately. */
export const measureFillsTask = ({ fills }: { readonly fills: Pick<FillWatch, 'update'> }): Task => ({
  name: 'measureFills',
  lock: locks.signer,
  intervalMs: 5_000,
  run: () => fills.update(),
});
