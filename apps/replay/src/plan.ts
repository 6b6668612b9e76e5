import type { Route } from '@core/policy';
import type { Phase } from './life/entry.ts';
import type { FillTiming } from './life/fillTiming.ts';
import type { DepthModel } from './market/depthModel.ts';
import type { Scenario } from './scenario.ts';

/** A scenario with its name in the report. */
export interface PlannedScenario extends Scenario {
  readonly name: string;
}

export interface Choice {
  /** Null: the exit time that the design asks for. */
  readonly exitSeconds: number | null;
  readonly timing: FillTiming | null;
  /** Null: that of a service without a setting. */
  readonly route: Route | null;
  /** Entries are at every so many rows; null: at every third. */
  readonly entryEvery: number | null;
}

/** Two results whose difference is due to the policy: the same quotes with it, and with liquidations alone. */
export interface FloorPair {
  readonly name: string;
  readonly baseline: string;
  readonly timing: string;
}

/** Scenarios of a category. The first one with the chosen exit time is shown in detail. */
export interface Plan {
  /** Scenario with games whose start is read by the later rule; null where there are none. */
  readonly lateStart: PlannedScenario | null;
  readonly scenarios: readonly PlannedScenario[];
  readonly floors: readonly FloorPair[];
  readonly main: { readonly name: string; readonly timing: FillTiming };
}

const row: FillTiming = { kind: 'row' };
const nextRow: FillTiming = { kind: 'next_row' };
const after = (seconds: number, jumpCents: number | null = null): FillTiming => ({
  kind: 'seconds',
  seconds,
  jumpCents,
});

const live: DepthModel = { kind: 'live', usdPerCent: 0 };
const linear = (usdPerCent: number): DepthModel => ({ kind: 'linear', usdPerCent });
const evaporating: DepthModel = { kind: 'evaporation', usdPerCent: 100 };
const entryUsd = 100;
/** Every third row, and half of those in stress tests: with every row a run takes half an hour. */
const defaultEntryEvery = 3;

const sweepSeconds: readonly number[] = [15, 20, 30, 40, 60, 80];
const sweepTimings: readonly FillTiming[] = [
  after(5),
  after(10),
  after(15),
  after(30),
  row,
  nextRow,
  after(5, 20),
  after(5, 10),
];

export const lateStartName = '100 USD, live book, start read by the later rule';

/** Route that API, keeper and local stack take without a setting. */
export const defaultRoute: Route = 'fill';
/** Route that each is compared with. */
export const otherRoutes: Readonly<Record<Route, Route>> = { fill: 'direct', direct: 'fill' };

/** Beginning of the names of scenarios on the route that the plan is not for. */
export const otherRoutePrefix = 'other route, ';

/** A sale five seconds after the trigger gives 2 × 5 + 10 seconds of exit time. */
const cryptoExitSeconds = 20;
const sportExitSeconds = 60;
/** Exit time of the slow bars, and the one of a service that has measured none. */
const slowExitSeconds = 80;
const unmeasuredExitSeconds = 60;

const sweepName = (exitSeconds: number): string => `exit ${exitSeconds} s`;

export function timingName(timing: FillTiming): string {
  if (timing.kind === 'row') return 'row';
  if (timing.kind === 'next_row') return 'one row later';
  return `${timing.seconds} s${timing.jumpCents === null ? '' : `, jumps from ${timing.jumpCents} c`}`;
}

/** Return every timing once, additions of a choice at the end. */
function withChosen(timings: readonly FillTiming[], chosen: FillTiming): readonly FillTiming[] {
  const isThere = timings.some((timing) => timingName(timing) === timingName(chosen));
  return isThere ? timings : [...timings, chosen];
}

type Frame = Omit<PlannedScenario, 'name' | 'exitSeconds' | 'timings'>;

const frameOf = (choice: Choice, phases: readonly Phase[]): Frame => ({
  route: choice.route ?? defaultRoute,
  protection: 'policy',
  notionalUsd: entryUsd,
  entryEvery: choice.entryEvery ?? defaultEntryEvery,
  depth: live,
  phases,
});

/** Return scenarios at exit times: on the route of the plan, and on the other one. */
function sweepOf(
  frame: Frame,
  points: readonly (readonly [number, readonly FillTiming[]])[],
): {
  readonly own: readonly PlannedScenario[];
  readonly other: readonly PlannedScenario[];
} {
  const own = points.map(([exitSeconds, timings]) => ({
    ...frame,
    name: sweepName(exitSeconds),
    exitSeconds,
    timings,
  }));
  const route = otherRoutes[frame.route];
  return { own, other: own.map((at) => ({ ...at, route, name: `${otherRoutePrefix}${at.name}` })) };
}

/** Return the scenario with the quotes of an exit time in which debts are liquidated and never unwound. */
function baselineOf(frame: Frame, exitSeconds: number, timing: FillTiming): PlannedScenario {
  const name = `liquidation only, ${sweepName(exitSeconds)}`;
  return { ...frame, protection: 'liquidation', name, exitSeconds, timings: [timing] };
}

const floorOf = ({ name: baseline, exitSeconds, timings: [timing = row] }: PlannedScenario): FloorPair => {
  return { name: sweepName(exitSeconds), baseline, timing: timingName(timing) };
};

export function cryptoPlanOf(choice: Choice): Plan {
  const exitSeconds = choice.exitSeconds ?? cryptoExitSeconds;
  const timing = choice.timing ?? after(5);
  const frame = frameOf(choice, ['crypto']);
  const seconds = sweepSeconds.includes(exitSeconds) ? sweepSeconds : [...sweepSeconds, exitSeconds];
  const { own } = sweepOf(
    frame,
    seconds.map((at) => [at, withChosen(sweepTimings, timing)]),
  );
  const { other } = sweepOf(frame, [
    [exitSeconds, withChosen([row], timing)],
    [slowExitSeconds, [row]],
  ]);
  const stress = { ...frame, exitSeconds, timings: withChosen([row], timing), entryEvery: frame.entryEvery * 2 };
  const baselines = [baselineOf(frame, exitSeconds, timing), baselineOf(frame, unmeasuredExitSeconds, row)];
  return {
    lateStart: null,
    main: { name: sweepName(exitSeconds), timing },
    floors: baselines.map(floorOf),
    scenarios: [
      ...own,
      ...other,
      ...baselines,
      { ...stress, name: 'linear book, 100 USD a cent', depth: linear(100) },
      { ...stress, name: 'evaporating book, 100 USD a cent', depth: evaporating },
      { ...stress, name: '25 USD, linear 100', depth: linear(100), notionalUsd: 25 },
      { ...stress, name: '200 USD, linear 100', depth: linear(100), notionalUsd: 200 },
      { ...stress, name: '1,000 USD, linear 300', depth: linear(300), notionalUsd: 1_000 },
      { ...stress, name: '1,000 USD, linear 1,000', depth: linear(1_000), notionalUsd: 1_000 },
    ],
  };
}

export function sportPlanOf(choice: Choice): Plan {
  const exitSeconds = choice.exitSeconds ?? sportExitSeconds;
  const timing = choice.timing ?? row;
  const both: readonly Phase[] = ['in_play', 'pregame'];
  const frame = frameOf(choice, ['in_play']);
  const { own } = sweepOf({ ...frame, phases: both }, [[exitSeconds, withChosen([after(5), row, nextRow], timing)]]);
  const { other } = sweepOf({ ...frame, phases: both }, [[exitSeconds, withChosen([after(5), row], timing)]]);
  const stress = { ...frame, exitSeconds, timings: withChosen([row], timing), entryEvery: frame.entryEvery * 2 };
  const baseline = baselineOf({ ...frame, phases: both }, exitSeconds, timing);
  return {
    lateStart: { ...stress, name: lateStartName, phases: both },
    main: { name: sweepName(exitSeconds), timing },
    floors: [floorOf(baseline)],
    scenarios: [
      ...own,
      ...other,
      baseline,
      { ...stress, name: 'linear book, 50 USD a cent', depth: linear(50) },
      { ...stress, name: 'linear book, 100 USD a cent', depth: linear(100), phases: both },
      { ...stress, name: 'linear book, 300 USD a cent', depth: linear(300) },
      { ...stress, name: 'evaporating book, 100 USD a cent', depth: evaporating, phases: both },
      { ...stress, name: '25 USD, linear 100', depth: linear(100), notionalUsd: 25 },
      { ...stress, name: '200 USD, linear 100', depth: linear(100), notionalUsd: 200 },
      { ...stress, name: '1,000 USD, linear 1,000', depth: linear(1_000), notionalUsd: 1_000 },
    ],
  };
}
