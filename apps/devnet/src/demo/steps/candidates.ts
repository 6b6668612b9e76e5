import type { MarketWire } from '@core/wire';

const maximumLeverageBps = 30_000;

/** Fields of a market by which a scenario chooses it. */
export type CandidateMarket = Pick<
  MarketWire,
  'ticker' | 'event' | 'sided_eligibility' | 'prices' | 'latest_enter_at'
> & {
  readonly leverage: Pick<MarketWire['leverage'], 'max_yes_bps' | 'max_no_bps'>;
};

/** A side that accepts positions now. */
export interface Candidate {
  readonly market: CandidateMarket;
  readonly side: 'yes' | 'no';
  readonly leverageBps: number;
  /** Price of a token of the side; null when the market shows no prices. */
  readonly askPips: number | null;
}

/** Criteria of a scenario. */
export interface CandidateCriteria {
  /** Wanted price of a token of the side. */
  readonly nearPips: number;
  readonly isWanted?: (candidate: Candidate) => boolean;
}

/** Return the sides of a market that accept positions, highest leverage first. */
export function candidatesOf(market: CandidateMarket): readonly Candidate[] {
  const { yes, no } = market.sided_eligibility;
  const { max_yes_bps: yesBps, max_no_bps: noBps } = market.leverage;
  const pipsOf = (text: string | null | undefined) => (text === null || text === undefined ? null : Number(text));
  const candidates: Candidate[] = [];
  if (yes.accepting_new_positions) {
    const askPips = pipsOf(market.prices?.yes_ask_price_usd_pips);
    candidates.push({ market, side: 'yes', leverageBps: Math.min(yesBps, maximumLeverageBps), askPips });
  }
  if (no.accepting_new_positions) {
    const askPips = pipsOf(market.prices?.no_ask_price_usd_pips);
    candidates.push({ market, side: 'no', leverageBps: Math.min(noBps, maximumLeverageBps), askPips });
  }
  return candidates.toSorted((a, b) => b.leverageBps - a.leverageBps);
}

/** Prices within ten cents of each other are equally good. */
const alikePips = 1_000;
/** A side whose price is farther away is no candidate. */
const maximumDistancePips = 2_500;

/**
 * Return the candidate that meets the criteria best, or null while no unused market has one. Near the price the longest
 * open market wins: one that ends soon moves fast and may end before its scenario.
 */
export function bestCandidate(
  markets: readonly CandidateMarket[],
  { nearPips, isWanted = () => true }: CandidateCriteria,
  usedTickers: ReadonlySet<string>,
): Candidate | null {
  const distance = ({ askPips }: Candidate) =>
    askPips === null ? Number.POSITIVE_INFINITY : Math.abs(askPips - nearPips);
  const endMs = ({ market }: Candidate) => (market.latest_enter_at === null ? 0 : Date.parse(market.latest_enter_at));
  const [best = null] = markets
    .filter(({ ticker }) => !usedTickers.has(ticker))
    .flatMap(candidatesOf)
    .filter((candidate) => distance(candidate) <= maximumDistancePips && isWanted(candidate))
    .toSorted(
      (a, b) =>
        Math.floor(distance(a) / alikePips) - Math.floor(distance(b) / alikePips) ||
        endMs(b) - endMs(a) ||
        distance(a) - distance(b),
    );
  return best;
}
