import type { SportFacts } from '@core/policy';

type Sport = SportFacts['sport'];

/** Leagues of the recordings by sport; a league that is not listed is soccer when it has three outcomes, else other. */
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

/** The venue's name of a line: two-way winner, one outcome of three, spread, total. */
const lineByKind: Readonly<Record<string, SportFacts['line']>> = {
  aec: 'winner',
  atc: 'three_way_winner',
  asc: 'spread',
  tsc: 'total',
};

/** Sport and line of a recorded game market. A line that is not known is a prop, which is never entered in play. */
export function sportClassOf(kind: string, league: string): Pick<SportFacts, 'sport' | 'line'> {
  const sport = leaguesBySport.find(([, leagues]) => leagues.includes(league))?.[0] ?? 'other';
  return { sport, line: lineByKind[kind] ?? 'prop' };
}
