import {
  decideGrantFills,
  type FillCost,
  grantMemoryMs,
  measureFillCosts,
  type PolicyConfig,
  type Route,
  routes,
} from '@core/policy';
import type { Clock, FillReport } from '@core/runtime';
import type { Store } from '@core/store';
import { locks, type Task } from '../runner/task.ts';
import { endedGrantsOf, filledGrantsOf, type GrantOutcome, grantOutcomesOf } from './grantOutcomes.ts';

/** Newest ended grants that are read, and kept, at once. */
const maxGrants = 1_000;
/** Time of which the costs of fills are measured. */
const dayMs = 86_400_000;

export interface FillWatchOptions {
  readonly store: { readonly chain: Pick<Store['chain'], 'endedGrants'> };
  readonly chainKey: string;
  readonly route: Route;
  readonly policy: PolicyConfig;
  readonly clock: Clock;
}

/**
 * Grants that ended in the last day, as the index has them: every keeper reads the same. None on the route Direct. The
 * index grows at its end: later readings begin a grant memory before the newest grant, and replace what ended since.
 */
export class FillWatch {
  readonly #options: FillWatchOptions;
  /** Newest first. */
  #outcomes: readonly GrantOutcome[] = [];
  #costs: readonly FillCost[] = [];

  constructor(options: FillWatchOptions) {
    this.#options = options;
  }

  /** By category and kind, decided now: also where the last reading is old, an unfilled row ends by itself. */
  get reports(): readonly FillReport[] {
    const { policy: config, clock } = this.#options;
    const nowMs = clock.nowMs();
    const sinceMs = nowMs - grantMemoryMs(config);
    const recent = this.#outcomes.filter(({ endedAtMs }) => endedAtMs >= sinceMs);
    return decideGrantFills(endedGrantsOf(recent), { nowMs, config });
  }

  /** Costs of the fills of a day, as of the last reading. */
  get costs(): readonly FillCost[] {
    return this.#costs;
  }

  async update(): Promise<void> {
    const { store, chainKey, route, policy, clock } = this.#options;
    if (!routes[route].hasFillers) return;
    const firstMs = clock.nowMs() - dayMs;
    const newestMs = this.#outcomes[0]?.endedAtMs ?? 0;
    const sinceMs = Math.max(firstMs, newestMs - grantMemoryMs(policy));
    const read = grantOutcomesOf(await store.chain.endedGrants({ chainKey, sinceMs, limit: maxGrants }));
    const earlier = this.#outcomes.filter(({ endedAtMs }) => endedAtMs >= firstMs && endedAtMs < sinceMs);
    this.#outcomes = [...read, ...earlier].slice(0, maxGrants);
    this.#costs = measureFillCosts(filledGrantsOf(this.#outcomes));
  }
}

/** Read the grants that ended lately. */
export const measureFillsTask = ({ fills }: { readonly fills: Pick<FillWatch, 'update'> }): Task => ({
  name: 'measureFills',
  lock: locks.signer,
  intervalMs: 5_000,
  run: () => fills.update(),
});
