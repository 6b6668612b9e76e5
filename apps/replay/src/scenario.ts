import { type PolicyConfig, policyDefaults, type Route } from '@core/policy';
import { raw, usdPips } from '@core/pricing';
import { coverTableOf, largestTokensOf } from './life/coverTable.ts';
import { type Candidate, type Entry, entryOf, entryPhaseOf, type Phase, sides } from './life/entry.ts';
import type { FillTiming } from './life/fillTiming.ts';
import { lifeOf } from './life/live.ts';
import type { DepthModel } from './market/depthModel.ts';
import { type ObservedMarket, observeMarket } from './market/observedMarket.ts';
import { type CandidateRecord, type LifeRecord, recordOf } from './measure/lifeRecord.ts';
import type { RecordedMarket } from './recording/recordedMarket.ts';

/** Parameters of a replay: exit time of the policy, size of entries, assumed depth, speed of fills. */
export interface Scenario {
  readonly exitSeconds: number;
  /** Route of openings, whose bounds count in the leverage. */
  readonly route: Route;
  readonly notionalUsd: number;
  readonly depth: DepthModel;
  readonly timings: readonly FillTiming[];
  readonly phases: readonly Phase[];
}

/** Sides for which leverage was requested, and the lives of granted ones, by timing. */
export interface Replayed {
  readonly candidates: readonly CandidateRecord[];
  readonly lives: readonly (readonly LifeRecord[])[];
}

/** Return the shipped policy with the exit time of a scenario, the one number that is measured in service. */
export function configOf({ exitSeconds, route }: Pick<Scenario, 'exitSeconds' | 'route'>): PolicyConfig {
  return {
    ...policyDefaults,
    openingRoute: route,
    model: { ...policyDefaults.model, exitSeconds: BigInt(exitSeconds) },
  };
}

/** Replay every two-sided row of every market, both sides; `onMarket` is called after each market. */
export function replay(markets: readonly RecordedMarket[], scenario: Scenario, onMarket: () => void): Replayed {
  const config = configOf(scenario);
  const candidates: CandidateRecord[] = [];
  const lives: LifeRecord[][] = scenario.timings.map(() => []);
  for (const market of markets) {
    const observed = observeMarket(market, scenario.depth, config);
    const marketCandidates = candidatesOf(observed, scenario, config);
    for (const { phase, entry } of marketCandidates) {
      const leverage = entry === null ? 1 : Number(raw(entry.leverageBps)) / 10_000;
      candidates.push({ phase, clusterId: market.clusterId, leverage });
    }
    for (const side of sides) {
      const entries = marketCandidates.flatMap(({ entry }) => (entry?.side === side ? [entry] : []));
      if (entries.length > 0) liveAll(observed, entries, { scenario, config, lives });
    }
    onMarket();
  }
  return { candidates, lives };
}

function candidatesOf(observed: ObservedMarket, scenario: Scenario, config: PolicyConfig): readonly Candidate[] {
  const notionalUsdPips = usdPips(BigInt(scenario.notionalUsd) * 10_000n);
  return observed.rows.flatMap((seen, rowIndex) => {
    const phase = seen.isTwoSided ? entryPhaseOf(seen, config) : null;
    if (phase === null || !scenario.phases.includes(phase)) return [];
    return sides.map((side) => {
      const entry = entryOf(observed, { rowIndex, side, phase }, { notionalUsdPips, config });
      return { side, rowIndex, phase, entry };
    });
  });
}

function liveAll(
  observed: ObservedMarket,
  entries: readonly Entry[],
  { scenario, config, lives }: { scenario: Scenario; config: PolicyConfig; lives: LifeRecord[][] },
): void {
  const [first] = entries;
  if (first === undefined) return;
  const largest = largestTokensOf(entries.map((entry) => entry.tokenUnits));
  const table = coverTableOf(observed, first.side, { largest, config });
  scenario.timings.forEach((timing, index) => {
    for (const entry of entries) {
      lives[index]?.push(recordOf(observed.market, lifeOf(entry, { observed, table, timing, config })));
    }
  });
}
