import type { Sport } from '@core/market';
import { keysOf } from '@core/position';

/** League codes as they open a market's slug, or come second after a code for the kind of line. */
const leagueCodes: Readonly<Record<Exclude<Sport, 'other'>, readonly string[]>> = {
  american_football: ['nfl', 'cfb', 'ufl', 'cfl'],
  baseball: ['mlb', 'kbo', 'npb', 'baseball'],
  basketball: ['nba', 'wnba', 'nbasl', 'cbb', 'cwbb', 'ncaab', 'euroleague', 'basketball'],
  cricket: ['t20', 't20blast', 't20blastw', 'ipl', 'odcup', 'cricket', 'crint', 'cruae', 'crwncl', 'bbl'],
  esport: ['cs2', 'csgo', 'lol', 'dota2', 'val', 'valorant', 'hok', 'r6', 'codmw', 'ow', 'rl', 'sc2', 'mlbb', 'esport'],
  ice_hockey: ['nhl', 'khl', 'dehl', 'shl', 'ahl', 'hockey'],
  soccer: (
    'epl lal bun bl2 fl1 fr2 itsb sea por ere elc es2 bra brb mex lmx rou1 acn ucl uel uecl uwcl mls nwsl fwc clbf ' +
    'ecu1 uzb1 auc els sud slr lpa spl efa soccer football'
  ).split(' '),
  table_tennis: 'ttelite czechligapro setkameua setkamecz setkamemd setkawoua ttcup ttchallenger wtt tabletennis'.split(
    ' ',
  ),
  tennis: ['atp', 'wta', 'itf', 'itfme', 'itfwo', 'tennis'],
};

/** Pieces of a series or event slug that name a sport where the league code is unknown. Longer names come first. */
const seriesPieces: readonly (readonly [string, Sport])[] = [
  ['table-tennis', 'table_tennis'],
  ['american-football', 'american_football'],
  ['ice-hockey', 'ice_hockey'],
  ['counter-strike', 'esport'],
  ['league-of-legends', 'esport'],
  ['honor-of-kings', 'esport'],
  ['rainbow-six', 'esport'],
  ['dota', 'esport'],
  ['valorant', 'esport'],
  ['esport', 'esport'],
  ['cricket', 'cricket'],
  ['t20', 'cricket'],
  ['basketball', 'basketball'],
  ['baseball', 'baseball'],
  ['tennis', 'tennis'],
  ['premier-league', 'soccer'],
  ['la-liga', 'soccer'],
  ['bundesliga', 'soccer'],
  ['ligue-', 'soccer'],
  ['liga', 'soccer'],
  ['serie-a', 'soccer'],
  ['serie-b', 'soccer'],
  ['soccer', 'soccer'],
];

const sportByLeagueCode: ReadonlyMap<string, Sport> = new Map(
  keysOf(leagueCodes).flatMap((sport) => leagueCodes[sport].map((code) => [code, sport] as const)),
);

/** The sport of a sport market from its slug's league code, else from its series or event. */
export function sportOf(names: { slug: string; seriesSlug: string | null; eventSlug: string | null }): Sport {
  const openingCodes = [...names.slug.split('-').slice(0, 2), ...(names.seriesSlug?.split('-').slice(0, 1) ?? [])];
  for (const code of openingCodes) {
    const sport = sportByLeagueCode.get(code);
    if (sport !== undefined) {
      return sport;
    }
  }
  const longNames = `${names.seriesSlug ?? ''} ${names.eventSlug ?? ''}`;
  return seriesPieces.find(([piece]) => longNames.includes(piece))?.[1] ?? 'other';
}
