import { type PolicyConfig, policyAtPace, policyDefaults, type Route } from '@core/policy';
import { raw, usdPips } from '@core/pricing';
import type { Protection } from './life/attempt.ts';
import { coverTableOf, largestTokensOf } from './life/coverTable.ts';
import { type Candidate, type Entry, entryPhaseOf, maximumQuoteOf, type Phase, sides } from './life/entry.ts';
import type { FillTiming } from './life/fillTiming.ts';
import { blockSeconds } from './life/grant.ts';
import { lifeOf } from './life/live.ts';
import { entryOf } from './life/opening.ts';
import type { DepthModel } from './market/depthModel.ts';
import { type ObservedMarket, observeMarket } from './market/observedMarket.ts';
import { randomOf, seedOf } from './market/random.ts';
import { type CandidateRecord, type LifeRecord, recordOf } from './measure/lifeRecord.ts';
import type { RecordedMarket } from './recording/recordedMarket.ts';

/** Parameters of a replay: exit time of the policy, size of entries, assumed depth, speed of fills. */
export interface Scenario {
  readonly exitSeconds: number;
  /** Route of openings and sales, whose bounds count in the leverage. */
  readonly route: Route;
  readonly protection: Protection;
  readonly notionalUsd: number;
  /** Entries are at every so many rows of a market, from one that its id fixes: all rows are equally likely. */
  readonly entryEvery: number;
  readonly depth: DepthModel;
  readonly timings: readonly FillTiming[];
  readonly phases: readonly Phase[];
}

/** Sides for which leverage was requested, and the lives of granted ones, by timing. */
export interface Replayed {
  readonly candidates: readonly CandidateRecord[];
  readonly lives: readonly (readonly LifeRecord[])[];
}

/** Return the shipped policy at the pace of a deployment, with a scenario's exit time: it is measured in service. */
export function configOf({ exitSeconds, route }: Pick<Scenario, 'exitSeconds' | 'route'>): PolicyConfig {
  const policy = policyAtPace(policyDefaults, blockSeconds);
  return { ...policy, openingRoute: route, model: { ...policy.model, exitSeconds: BigInt(exitSeconds) } };
}

/** Replay every two-sided row of every market, both sides; `onMarket` is called after each market. */
export function replay(markets: readonly RecordedMarket[], scenario: Scenario, onMarket: () => void): Replayed {
  const config = configOf(scenario);
  const candidates: CandidateRecord[] = [];
  const lives: LifeRecord[][] = scenario.timings.map(() => []);
  for (const market of markets) {
    const observed = observeMarket(market, scenario.depth, config);
    const marketCandidates = candidatesOf(observed, scenario, config);
    const positions = marketCandidates.map(({ phase, quote }) => {
      const entry = quote === null ? null : entryOf(observed, quote, config);
      const leverage = quote === null ? 1 : Number(raw(quote.figures.leverageBps)) / 10_000;
      const grantCount = entry?.grantCount ?? null;
      candidates.push({ phase, clusterId: market.clusterId, leverage, grantCount });
      return entry;
    });
    for (const side of sides) {
      const entries = positions.flatMap((entry) => (entry?.side === side ? [entry] : []));
      if (entries.length > 0) liveAll(observed, entries, { scenario, config, lives });
    }
    onMarket();
  }
  return { candidates, lives };
}

function candidatesOf(observed: ObservedMarket, scenario: Scenario, config: PolicyConfig): readonly Candidate[] {
  const notionalUsdPips = usdPips(BigInt(scenario.notionalUsd) * 10_000n);
  const { entryEvery } = scenario;
  const firstRow = Math.floor(randomOf(seedOf(observed.market.marketId))() * entryEvery);
  return observed.rows.flatMap((seen, rowIndex) => {
    const phase = seen.isTwoSided ? entryPhaseOf(seen, config) : null;
    const isEntered = phase !== null && scenario.phases.includes(phase) && rowIndex % entryEvery === firstRow;
    if (!isEntered) return [];
    return sides.map((side) => {
      const quote = maximumQuoteOf(observed, { rowIndex, side, phase }, { notionalUsdPips, config });
      return { side, rowIndex, phase, quote };
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
      const life = lifeOf(entry, { observed, table, timing, protection: scenario.protection, config });
      lives[index]?.push(recordOf(observed.market, life));
    }
  });
}
