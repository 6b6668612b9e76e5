import type { SportFacts } from '@core/market';

type Sport = SportFacts['sport'];

/** Leagues of the recordings by sport. Another league is soccer when it has three outcomes, else other. */
const leaguesBySport: readonly (readonly [Sport, readonly string[]])[] = [
  ['tennis', ['atp', 'wta', 'itfme', 'itfwo']],
  ['esport', ['cs2', 'lol', 'valorant', 'dota2', 'r6']],
  ['basketball', ['wnba', 'nba', 'nbasl']],
  ['baseball', ['mlb', 'npb', 'kbo']],
  ['cricket', ['t20blast', 't20blastw', 'odcup', 'ipl']],
  [
    'table_tennis',
    ['ttelite', 'czechligapro', 'setkameua', 'setkamecz', 'setkamemd', 'setkawoua', 'ttcup', 'ttchallenger'],
  ],
  ['american_football', ['nfl', 'cfb']],
  ['ice_hockey', ['nhl']],
  [
    'soccer',
    [
      'mls',
      'uecl',
      'uel',
      'ucl',
      'uwcl',
      'fwc',
      'clbf',
      'ecu1',
      'bra',
      'brb',
      'auc',
      'uzb1',
      'sud',
      'nwsl',
      'lmx',
      'slr',
      'els',
      'lpa',
    ],
  ],
];

/** Line by the venue's name: two-way winner, one outcome of three, spread, total. */
const lineByKind: Readonly<Record<string, SportFacts['line']>> = {
  aec: 'winner',
  atc: 'three_way_winner',
  asc: 'spread',
  tsc: 'total',
};

/** Return sport and line of a recorded game market. An unknown line is a prop, which is never entered in play. */
export function sportClassOf(kind: string, league: string): Pick<SportFacts, 'sport' | 'line'> {
  const sport = leaguesBySport.find(([, leagues]) => leagues.includes(league))?.[0] ?? 'other';
  return { sport, line: lineByKind[kind] ?? 'prop' };
}
