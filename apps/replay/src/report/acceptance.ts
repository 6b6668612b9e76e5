import type { Result } from '../measure/results.ts';
import { numberOf } from './markdown.ts';

/** A figure with its required value and its measurement on the route of the report. */
export interface Bar {
  readonly what: string;
  readonly asked: string;
  readonly measured: string;
  readonly isMet: boolean;
}

type Picked = Result | undefined;

/** Ratios of the policy's figure to that of liquidations alone that PIRAP reports for its own protection. */
const floors = { finalHourLiquidations: 0.94, maximumDrawdown: 0.95, badDebtFrequency: 1.024 };

/** Return the bars of the second edition of the risk study for these results; none for a category without results. */
export function barsOf(results: readonly Result[]): readonly Bar[] {
  const pick = (phase: Result['phase'], scenario: string, timing: string): Picked =>
    results.find((r) => r.phase === phase && r.scenario === scenario && r.timing === timing);
  const fast = pick('crypto', 'exit 20 s', '5 s');
  const slow = pick('crypto', 'exit 80 s', 'row');
  const inPlayFast = pick('in_play', 'exit 60 s', '5 s');
  const inPlayRow = pick('in_play', 'exit 60 s', 'row');
  const pregame = pick('pregame', 'exit 60 s', 'row');
  return [
    ...bars('crypto, sold after 5 s, exit time 20 s', fast, [
      ['average maximum leverage', offered, atLeast(3.1, 'x')],
      ['share of sides quoted', offeredShare, atLeast(0.55)],
      ['loss', loss, atMost(0.25, ' %')],
      ['net', net, atLeast(0.5, ' %')],
      ['net, lower bound', netLower, atLeast(0.4, ' %')],
      ['winners with debt at resolution', winnersWithDebt, atMost(0)],
    ]),
    ...bars('crypto, sold at the row, exit time 80 s', slow, [
      ['loss', loss, atMost(0.25, ' %')],
      ['net, lower bound', netLower, atLeast(0.3, ' %')],
      ['winners with debt at resolution', winnersWithDebt, atMost(0)],
    ]),
    ...[inPlayFast, inPlayRow].flatMap((result) =>
      bars(`sport in play, sold ${result?.timing === 'row' ? 'at the row' : 'after 5 s'}`, result, [
        ['average maximum leverage', offered, atLeast(2.4, 'x')],
        ['share of sides quoted', offeredShare, atLeast(0.5)],
        ['loss', loss, atMost(0.4, ' %')],
        ['net, lower bound', netLower, atLeast(0.2, ' %')],
        ['winners with debt at resolution', winnersWithDebt, atMost(0.1)],
      ]),
    ),
    ...bars('pre-game, sold at the row', pregame, [
      ['average maximum leverage', offered, atLeast(6, 'x')],
      ['loss', loss, atMost(0.12, ' %')],
      ['winners with debt at resolution', winnersWithDebt, atMost(0.1)],
    ]),
  ];
}

type Measure = (result: Result) => { readonly value: number; readonly lower?: number; readonly upper?: number };
interface Limit {
  readonly text: string;
  readonly unit: string;
  readonly holds: (value: number) => boolean;
}

const offered: Measure = (result) => result.offered.averageLeverage;
const offeredShare: Measure = (result) => result.offered.share;
const loss: Measure = (result) => result.figures.lossPct;
const net: Measure = (result) => result.figures.netPct;
const netLower: Measure = (result) => ({ value: result.figures.netPct.lower });
const winnersWithDebt: Measure = (result) => ({ value: result.figures.winnersWithDebtShare });

const atLeast = (limit: number, unit = ''): Limit => ({
  text: `≥ ${limit}${unit}`,
  unit,
  holds: (value) => value >= limit,
});
const atMost = (limit: number, unit = ''): Limit => ({
  text: `≤ ${limit}${unit}`,
  unit,
  holds: (value) => value <= limit,
});

function bars(where: string, result: Picked, asked: readonly (readonly [string, Measure, Limit])[]): readonly Bar[] {
  if (result === undefined) return [];
  return asked.map(([what, measure, limit]) => {
    const { value, lower, upper } = measure(result);
    const interval = lower === undefined || upper === undefined ? '' : ` [${numberOf(lower)}, ${numberOf(upper)}]`;
    return {
      what: `${where}: ${what}`,
      asked: limit.text,
      measured: `${numberOf(value)}${limit.unit}${interval}`,
      isMet: limit.holds(value),
    };
  });
}

/** Return the floors of PIRAP for a result with the policy and one of the same offers with liquidations alone. */
export function floorBarsOf(where: string, result: Result, baseline: Result): readonly Bar[] {
  const [own, alone] = [result.figures, baseline.figures];
  const percent = (share: number): string => `${numberOf(100 * share)} %`;
  const floor = (what: string, values: { own: number; alone: number; ratio: number }): Bar => ({
    what: `${where}: ${what}`,
    asked: `≤ ${values.ratio} × ${percent(values.alone)}`,
    measured: percent(values.own),
    isMet: values.own <= values.ratio * values.alone,
  });
  return [
    floor('liquidated in the final hour', {
      own: own.liquidatedInFinalHourShare,
      alone: alone.liquidatedInFinalHourShare,
      ratio: floors.finalHourLiquidations,
    }),
    floor('mean maximum drawdown while owing', {
      own: own.maximumDrawdownMean,
      alone: alone.maximumDrawdownMean,
      ratio: floors.maximumDrawdown,
    }),
    {
      what: `${where}: result of the median user`,
      asked: `≥ ${percent(alone.userMedian - 1)}`,
      measured: percent(own.userMedian - 1),
      isMet: own.userMedian >= alone.userMedian,
    },
    floor('frequency of bad debt', {
      own: own.badDebtShare,
      alone: alone.badDebtShare,
      ratio: floors.badDebtFrequency,
    }),
  ];
}
