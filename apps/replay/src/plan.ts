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
}

/** Scenarios of a category. The first one with the chosen exit time is shown in detail. */
export interface Plan {
  /** Scenario with games whose start is read by the later rule; null where there are none. */
  readonly lateStart: PlannedScenario | null;
  readonly scenarios: readonly PlannedScenario[];
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

const routeFillName = '100 USD, live book, with the bounds of the route Fill';

export const lateStartName = '100 USD, live book, start read by the later rule';

/** A sale five seconds after the trigger gives 2 × 5 + 10 seconds of exit time. */
const cryptoExitSeconds = 20;
const sportExitSeconds = 60;

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

export function cryptoPlanOf(choice: Choice): Plan {
  const exitSeconds = choice.exitSeconds ?? cryptoExitSeconds;
  const timing = choice.timing ?? after(5);
  const phases: readonly Phase[] = ['crypto'];
  const shared = { route: 'direct' as const, notionalUsd: entryUsd, depth: live, phases };
  const seconds = sweepSeconds.includes(exitSeconds) ? sweepSeconds : [...sweepSeconds, exitSeconds];
  const sweep = seconds.map((at) => ({
    ...shared,
    name: sweepName(at),
    exitSeconds: at,
    timings: withChosen(sweepTimings, timing),
  }));
  const stress = { ...shared, exitSeconds, timings: withChosen([row], timing) };
  return {
    lateStart: null,
    main: { name: sweepName(exitSeconds), timing },
    scenarios: [
      ...sweep,
      { ...stress, name: routeFillName, route: 'fill' },
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
  const inPlay: readonly Phase[] = ['in_play'];
  const shared = { route: 'direct' as const, exitSeconds, notionalUsd: entryUsd, depth: live, phases: inPlay };
  const stress = { ...shared, timings: withChosen([row], timing) };
  const both: readonly Phase[] = ['in_play', 'pregame'];
  return {
    lateStart: { ...stress, name: lateStartName, phases: both },
    main: { name: sweepName(exitSeconds), timing },
    scenarios: [
      { ...shared, name: sweepName(exitSeconds), phases: both, timings: withChosen([after(5), row, nextRow], timing) },
      { ...stress, name: routeFillName, route: 'fill' },
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
