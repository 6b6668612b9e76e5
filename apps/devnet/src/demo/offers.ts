import type { MarketWire } from '@core/wire';

const highestLeverageBps = 30_000;

/** What of a market decides whether a chapter uses it. */
export type OfferedMarket = Pick<
  MarketWire,
  'ticker' | 'event' | 'sided_eligibility' | 'prices' | 'latest_enter_at'
> & {
  readonly leverage: Pick<MarketWire['leverage'], 'max_yes_bps' | 'max_no_bps'>;
};

/** A side that takes positions now. */
export interface Offer {
  readonly market: OfferedMarket;
  readonly side: 'yes' | 'no';
  readonly leverageBps: number;
  /** What a token of the side costs; null when the market shows no prices. */
  readonly askPips: number | null;
}

/** What a chapter looks for. */
export interface Wish {
  /** Price a token of the side should cost. */
  readonly nearPips: number;
  readonly isWanted?: (offer: Offer) => boolean;
}

/** The sides of a market that take positions, most leverage first. */
export function offersOf(market: OfferedMarket): readonly Offer[] {
  const { yes, no } = market.sided_eligibility;
  const { max_yes_bps: yesBps, max_no_bps: noBps } = market.leverage;
  const pipsOf = (text: string | null | undefined) => (text === null || text === undefined ? null : Number(text));
  const offers: Offer[] = [];
  if (yes.accepting_new_positions) {
    const askPips = pipsOf(market.prices?.yes_ask_price_usd_pips);
    offers.push({ market, side: 'yes', leverageBps: Math.min(yesBps, highestLeverageBps), askPips });
  }
  if (no.accepting_new_positions) {
    const askPips = pipsOf(market.prices?.no_ask_price_usd_pips);
    offers.push({ market, side: 'no', leverageBps: Math.min(noBps, highestLeverageBps), askPips });
  }
  return offers.toSorted((a, b) => b.leverageBps - a.leverageBps);
}

/** Prices within ten cents of each other serve a chapter alike. */
const alikePips = 1_000;
/** Farther from its price no wish is met. */
const reachPips = 2_500;

/**
 * The offer that meets a wish best: near the price, and of those the one whose market takes positions longest, because a
 * market soon to end moves fast and may be over before its chapter is. Null while no market that is not taken has one.
 */
export function bestOffer(
  markets: readonly OfferedMarket[],
  { nearPips, isWanted = () => true }: Wish,
  taken: ReadonlySet<string>,
): Offer | null {
  const distance = ({ askPips }: Offer) => (askPips === null ? Number.POSITIVE_INFINITY : Math.abs(askPips - nearPips));
  const endMs = ({ market }: Offer) => (market.latest_enter_at === null ? 0 : Date.parse(market.latest_enter_at));
  const [best = null] = markets
    .filter(({ ticker }) => !taken.has(ticker))
    .flatMap(offersOf)
    .filter((offer) => distance(offer) <= reachPips && isWanted(offer))
    .toSorted(
      (a, b) =>
        Math.floor(distance(a) / alikePips) - Math.floor(distance(b) / alikePips) ||
        endMs(b) - endMs(a) ||
        distance(a) - distance(b),
    );
  return best;
}
