import type { SportLine } from '@core/market';

const plainAnswers: ReadonlySet<string> = new Set(['yes', 'no']);
const overUnder: ReadonlySet<string> = new Set(['over', 'under']);

const areAll = (outcomes: readonly [string, string], words: ReadonlySet<string>): boolean =>
  outcomes.every((outcome) => words.has(outcome.toLowerCase()));

/**
 * Return the line of a sport market. Only a whole-game line between two named sides is a `winner`. Halves, sets and
 * maps end on another clock and count as props. A Yes/No moneyline is one leg of a three-way result.
 */
export function sportLineOf(market: {
  sportsMarketType: string | null;
  outcomes: readonly [string, string];
  isNegRisk: boolean;
}): SportLine {
  const marketType = market.sportsMarketType?.toLowerCase() ?? '';
  if (/spread|handicap/.test(marketType)) {
    return 'spread';
  }
  if (/total|over_under/.test(marketType) || areAll(market.outcomes, overUnder)) {
    return 'total';
  }
  if (marketType !== '' && marketType !== 'moneyline') {
    return 'prop';
  }
  if (!areAll(market.outcomes, plainAnswers)) {
    return 'winner';
  }
  return marketType === 'moneyline' || market.isNegRisk ? 'three_way_winner' : 'prop';
}
