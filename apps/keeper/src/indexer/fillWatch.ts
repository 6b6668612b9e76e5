import {
  decideGrantFills,
  type EndedGrant,
  type FillCost,
  grantMemoryMs,
  measureFillCosts,
  type PolicyConfig,
  type Route,
} from '@core/policy';
import type { Clock, FillReport } from '@core/runtime';
import type { Store } from '@core/store';
import { locks, type Task } from '../runner/task.ts';
import { endedGrantsOf, filledGrantsOf, type GrantOutcome, grantOutcomesOf } from './grantOutcomes.ts';

/** Newest ended grants that are read at once. */
const maxGrants = 1_000;
const dayMs = 86_400_000;

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
  #costs: readonly FillCost[] = [];

  constructor(options: FillWatchOptions) {
    this.#options = options;
  }

  /** By category and kind, decided now: also where the last reading is old, an unfilled row ends by itself. */
  get reports(): readonly FillReport[] {
    const { policy: config, clock } = this.#options;
    return decideGrantFills(this.#grants, { nowMs: clock.nowMs(), config });
  }

  /** Costs of the fills of a day, as they were last measured. */
  get costs(): readonly FillCost[] {
    return this.#costs;
  }

  async update(): Promise<void> {
    this.#grants = endedGrantsOf(await this.#outcomesOf(grantMemoryMs(this.#options.policy)));
  }

  async measureCosts(): Promise<void> {
    this.#costs = measureFillCosts(filledGrantsOf(await this.#outcomesOf(dayMs)));
  }

  async #outcomesOf(memoryMs: number): Promise<readonly GrantOutcome[]> {
    const { store, chainKey, route, clock } = this.#options;
    if (route === 'direct') return [];
    const sinceMs = clock.nowMs() - memoryMs;
    return grantOutcomesOf(await store.chain.endedGrants({ chainKey, sinceMs, limit: maxGrants }));
  }
}

/** Read the grants that ended lately. */
export const measureFillsTask = ({ fills }: { readonly fills: Pick<FillWatch, 'update'> }): Task => ({
  name: 'measureFills',
  lock: locks.signer,
  intervalMs: 5_000,
  run: () => fills.update(),
});

/** Measure what the fills of the last day cost. */
export const measureCostsTask = ({ fills }: { readonly fills: Pick<FillWatch, 'measureCosts'> }): Task => ({
  name: 'measureCosts',
  lock: locks.signer,
  intervalMs: 30_000,
  run: () => fills.measureCosts(),
});
