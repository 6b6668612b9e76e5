import type { Figures } from '../measure/figures.ts';
import type { Result } from '../measure/results.ts';
import { otherRoutePrefix } from '../plan.ts';
import { intervalText, numberOf, tableOf } from './markdown.ts';

const percentOf = (share: number): string => `${numberOf(100 * share)} %`;

/** Return loss and net by exit time and time of the sale. */
export function sweepTableOf(results: readonly Result[]): string {
  const scenarios = [...new Set(results.map((result) => result.scenario))];
  const timings = [...new Set(results.map((result) => result.timing))];
  const find = (scenario: string, timing: string) =>
    results.find((result) => result.scenario === scenario && result.timing === timing);
  const offered = scenarios.map((scenario) => {
    const first = results.find((result) => result.scenario === scenario);
    return first === undefined
      ? ''
      : `${numberOf(first.offered.averageLeverage.value)}x (${numberOf(first.offered.share.value)})`;
  });
  const cell = (scenario: string, timing: string): string => {
    const figures = find(scenario, timing)?.figures;
    return figures === undefined ? '' : `${numberOf(figures.lossPct.value)}, ${intervalText(figures.netPct)}`;
  };
  return tableOf(
    ['loss, net [interval]', ...scenarios],
    [
      ['average maximum leverage (share quoted)', ...offered],
      ...timings.map((timing) => [`sold at ${timing}`, ...scenarios.map((scenario) => cell(scenario, timing))]),
    ],
  );
}

export function detailTableOf({ figures, offered }: Result): string {
  const worst = figures.worstCluster;
  return tableOf(
    ['figure', 'value'],
    [
      ['candidate sides, positions', `${offered.sideCount}, ${figures.lifeCount}`],
      ['average maximum leverage (refused = 1)', intervalText(offered.averageLeverage)],
      ['share of sides quoted', intervalText(offered.share)],
      ['borrowed', `${figures.borrowUsd.toFixed(0)} USD`],
      ['loss', intervalText(figures.lossPct)],
      ['net: half of the origination fee less the loss', intervalText(figures.netPct)],
      ['net if origination were 100 bps of the borrow, 70 % to the reserve', intervalText(figures.netOnBorrowPct)],
      ['unwound at the cover', percentOf(figures.unwoundShare)],
      ['sold at the hard exit', percentOf(figures.forcedOutShare)],
      ['liquidated', percentOf(figures.liquidatedShare)],
      ['winners with debt at resolution', percentOf(figures.winnersWithDebtShare)],
      [
        'quoted sides opened: in all, by the first grant',
        `${percentOf(offered.openedShare)}, ${percentOf(offered.openedByFirstGrantShare)}`,
      ],
      ['grants of forced sales with a fill', percentOf(figures.filledSaleGrantShare)],
      ['positions with an attempt that sold nothing', percentOf(figures.failedShare)],
      ['returned to users of their payments: in total', percentOf(figures.userMean)],
      ['returned to users of their payments: median', percentOf(figures.userMedian)],
      ['origination fee, share of user payments', `${numberOf(figures.userOriginationPct)} %`],
      [
        'worst cluster',
        worst === null ? '–' : `${numberOf(worst.lossUsd)} USD lost of ${worst.borrowUsd.toFixed(0)} borrowed`,
      ],
    ],
  );
}

/** Return the table of the time that leverage lasted. */
export function dueTableOf({ figures }: Result): string {
  return tableOf(
    ['a sale was due within', '5 min', '15 min', '60 min'],
    [
      [
        'share of positions',
        percentOf(figures.dueWithin5MinutesShare),
        percentOf(figures.dueWithin15MinutesShare),
        percentOf(figures.dueWithin60MinutesShare),
      ],
    ],
  );
}

export function partTableOf(title: string, parts: readonly (readonly [string, Figures])[]): string {
  const head = [
    title,
    'positions',
    'borrowed USD',
    'loss',
    'net',
    'liquidated',
    'unwound',
    'forced',
    'winners that owed',
    'user mean',
    'median',
  ];
  return tableOf(
    head,
    parts.map(([part, figures]) => [
      part,
      String(figures.lifeCount),
      figures.borrowUsd.toFixed(0),
      intervalText(figures.lossPct),
      intervalText(figures.netPct),
      percentOf(figures.liquidatedShare),
      percentOf(figures.unwoundShare),
      percentOf(figures.forcedOutShare),
      percentOf(figures.winnersWithDebtShare),
      percentOf(figures.userMean),
      percentOf(figures.userMedian),
    ]),
  );
}

export function stressTableOf(results: readonly Result[]): string {
  return tableOf(
    ['scenario', 'route', 'sold at', 'average leverage (share)', 'loss', 'net', 'liquidated', 'winners with debt'],
    results.map(({ scenario, route, timing, figures, offered }) => [
      scenario.startsWith('exit ') ? '100 USD, live book' : scenario.replace(otherRoutePrefix, ''),
      route,
      timing,
      `${numberOf(offered.averageLeverage.value)}x (${numberOf(offered.share.value)})`,
      intervalText(figures.lossPct),
      intervalText(figures.netPct),
      percentOf(figures.liquidatedShare),
      percentOf(figures.winnersWithDebtShare),
    ]),
  );
}
