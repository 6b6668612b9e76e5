import type { Phase } from '../life/entry.ts';
import type { LifeRecord } from '../measure/lifeRecord.ts';
import { partsOf, type Result, splits } from '../measure/results.ts';
import { defaultRoute, type FloorPair, lateStartName, otherRoutePrefix, otherRoutes } from '../plan.ts';
import type { Recording } from '../recording/recordedMarket.ts';
import { type Bar, barsOf, floorBarsOf } from './acceptance.ts';
import { type Chart, chartSvg } from './chart.ts';
import { detailTableOf, dueTableOf, partTableOf, stressTableOf, sweepTableOf } from './figureTables.ts';
import { tableOf } from './markdown.ts';
import { floorsText, introduction, limits } from './texts.ts';

/** One replayed category. */
export interface Section {
  readonly recording: Recording;
  readonly results: readonly Result[];
  /** Scenario and timing that are shown in detail. */
  readonly main: { readonly scenario: string; readonly timing: string };
  readonly mainLives: readonly LifeRecord[];
  readonly floors: readonly FloorPair[];
}

export interface Report {
  readonly markdown: string;
  /** File name and text of each plot. */
  readonly plots: ReadonlyMap<string, string>;
  /** Acceptance bars that were missed. */
  readonly missed: readonly Bar[];
}

const phaseTitles: Readonly<Record<Phase, string>> = {
  crypto: 'Hourly crypto',
  in_play: 'Sport in play',
  pregame: 'Sport before the game',
};

/** Command and duration of a run. */
export interface Run {
  readonly command: string;
  readonly seconds: number;
}

/** Return the report of a run. Only its time differs between runs on the same recordings. */
export function reportOf(sections: readonly Section[], { command, seconds }: Run): Report {
  const results = sections.flatMap((section) => section.results);
  const plots = new Map<string, string>();
  const draw = (file: string, chart: Chart): string => {
    plots.set(file, chartSvg(chart));
    return `![${chart.title}](${file})`;
  };
  const parts = [
    '# Risk report: cost of the shipped decisions on recorded prices',
    introduction,
    `\`\`\`\n${command}\n\`\`\``,
    `It took ${seconds} s.`,
    ...sections.map(universeOf),
    '## Acceptance',
    acceptanceOf(results),
    '## Floors',
    floorsText,
    floorTableOf(sections.flatMap(floorBarsIn)),
    ...sections.flatMap((section) => phasesOf(section).flatMap((phase) => phasePartsOf(section, phase, draw))),
    '## Limits of the recordings',
    limits,
  ];
  return { markdown: `${parts.join('\n\n')}\n`, plots, missed: barsInReport(sections).filter(({ isMet }) => !isMet) };
}

function phasesOf({ results }: Section): readonly Phase[] {
  return (['crypto', 'in_play', 'pregame'] as const).filter((phase) => results.some((r) => r.phase === phase));
}

function universeOf({ recording }: Section): string {
  const reasons = [...recording.leftOut].map(([reason, count]) => `${count} ${reason}`).join(', ');
  const rows = recording.markets.reduce((count, market) => count + market.rows.length, 0);
  const kind = recording.markets[0]?.subject.kind ?? 'no';
  return `${recording.markets.length} ${kind} markets, ${rows} rows; left out: ${reasons === '' ? 'none' : reasons}.`;
}

function acceptanceOf(results: readonly Result[]): string {
  const bars = barsOf(results);
  const others = new Map(barsOf(onOtherRoute(results)).map((bar) => [bar.what, bar]));
  const route = results.find(({ scenario }) => scenario.startsWith('exit '))?.route ?? defaultRoute;
  const other = otherRoutes[route];
  const rows = bars.map((bar) => {
    const there = others.get(bar.what);
    const cells = there === undefined ? ['–', ''] : [there.measured, statusOf(there)];
    return [bar.what, bar.asked, bar.measured, statusOf(bar), ...cells];
  });
  const table = tableOf(['figure', 'bar', `route ${route}`, '', `route ${other}`, ''], rows);
  return [table, `On the route ${route} ${countOf(bars)}.`, ...lateStartOf(results)].join('\n\n');
}

const statusOf = ({ isMet }: Bar): string => (isMet ? 'met' : '**missed**');

function countOf(bars: readonly Bar[]): string {
  return `${bars.filter(({ isMet }) => isMet).length} of ${bars.length} bars are met`;
}

/** Return the results on the other route under the names of those on the route of the report. */
function onOtherRoute(results: readonly Result[]): readonly Result[] {
  return results.flatMap((result) =>
    result.scenario.startsWith(otherRoutePrefix)
      ? [{ ...result, scenario: result.scenario.slice(otherRoutePrefix.length) }]
      : [],
  );
}

function barsInReport(sections: readonly Section[]): readonly Bar[] {
  return [...barsOf(sections.flatMap(({ results }) => results)), ...sections.flatMap(floorBarsIn)];
}

/** Return the floors of a section: each pair of results in each phase. */
function floorBarsIn({ results, floors }: Section): readonly Bar[] {
  return floors.flatMap(({ name, baseline, timing }) =>
    results
      .filter((result) => result.scenario === name && result.timing === timing)
      .flatMap((result) => {
        const alone = results.find((r) => r.scenario === baseline && r.phase === result.phase && r.timing === timing);
        const where = `${phaseTitles[result.phase]}, ${name}, sold at ${timing}`;
        return alone === undefined ? [] : floorBarsOf(where, result, alone);
      }),
  );
}

function floorTableOf(bars: readonly Bar[]): string {
  const rows = bars.map((bar) => [bar.what, bar.asked, bar.measured, statusOf(bar)]);
  return [tableOf(['figure', 'floor', 'measured', ''], rows), `${countOf(bars)}.`].join('\n\n');
}

/** Return the same bars on games whose start is read by the later rule: the sensitivity to what recordings lack. */
function lateStartOf(results: readonly Result[]): readonly string[] {
  const late = results.flatMap((result) =>
    result.scenario === lateStartName ? [{ ...result, scenario: 'exit 60 s' }] : [],
  );
  const misses = barsOf(late).filter((bar) => !bar.isMet);
  if (late.length === 0) return [];
  const list = misses.map((bar) => `${bar.what} ${bar.measured} (bar ${bar.asked})`).join('; ');
  return [
    `With the later rule for the start of games ${misses.length === 0 ? 'no bar is missed' : `these bars are missed: ${list}`}.`,
  ];
}

function phasePartsOf(section: Section, phase: Phase, draw: (file: string, chart: Chart) => string): readonly string[] {
  const { main } = section;
  const results = section.results.filter((result) => result.phase === phase);
  const lives = section.mainLives.filter((life) => life.phase === phase);
  const sweep = results.filter((result) => result.scenario.startsWith('exit '));
  const mainResult = results.find((result) => result.scenario === main.scenario && result.timing === main.timing);
  const stress = results.filter((result) => !result.scenario.startsWith('exit '));
  const title = `${main.scenario}, sale at ${main.timing}`;
  const file = phase.replace('_', '-');
  const parted = splits.map((split) => ({ split, parts: partsOf(lives, split) }));
  return [
    `## ${phaseTitles[phase]}`,
    'Loss and net are percentages of the borrow, with 95 % intervals.',
    sweepTableOf(sweep),
    draw(`${file}-net.svg`, netChartOf(sweep, phaseTitles[phase])),
    ...(mainResult === undefined ? [] : [`### In detail: ${title}`, detailTableOf(mainResult), dueTableOf(mainResult)]),
    ...parted.flatMap(({ split, parts }) => [`By ${split.title}:`, partTableOf(split.title, parts)]),
    ...parted
      .filter(({ split }) => split.title !== 'class')
      .map(({ split, parts }) =>
        draw(`${file}-${split.title.replaceAll(' ', '-')}.svg`, {
          title: `${phaseTitles[phase]}: loss and half the origination by ${split.title}`,
          unit: '% of the borrow',
          places: parts.map(([part]) => part),
          kind: 'bars',
          series: [
            { name: 'loss', values: parts.map(([, figures]) => figures.lossPct.value) },
            { name: 'net', values: parts.map(([, figures]) => figures.netPct.value) },
          ],
        }),
      ),
    ...(stress.length === 0
      ? []
      : ['### Depth, size and route', stressTableOf([...stress, ...(mainResult === undefined ? [] : [mainResult])])]),
  ];
}

function netChartOf(sweep: readonly Result[], title: string): Chart {
  const timings = [...new Set(sweep.map((result) => result.timing))];
  const scenarios = [...new Set(sweep.map((result) => result.scenario))];
  const valueOf = (scenario: string, timing: string): number | null =>
    sweep.find((result) => result.scenario === scenario && result.timing === timing)?.figures.netPct.value ?? null;
  return {
    title: `${title}: net of the pool by the time of the sale`,
    unit: '% of the borrow',
    places: timings,
    kind: scenarios.length > 1 ? 'lines' : 'bars',
    series: scenarios.map((name) => ({ name, values: timings.map((timing) => valueOf(name, timing)) })),
  };
}
