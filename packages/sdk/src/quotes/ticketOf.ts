import {
  add,
  applyRate,
  compare,
  lifetimeFeeOf,
  max,
  min,
  multiplyDivide,
  type PricePips,
  pricePips,
  type RateBps,
  rateBps,
  ratioOf,
  raw,
  subtract,
  type TokenUnits,
  tokensFor,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
  type VenueFeeSchedule,
  valueOf,
  venueFeeOf,
  venueFeeShareBpsOf,
} from '@core/pricing';
import { InputError } from '../errors/inputError.ts';
import { checkKnown } from '../errors/knownOptions.ts';
import type { FeeRates, Quote } from '../generated/resources.ts';
import { measuredRateOf } from './measuredCost.ts';
import { feeScheduleOf, proposedMinPriceOf, saleOf } from './saleOf.ts';

/** Figures of a trading ticket beyond the quote's own fields. All money in USDC units. */
export interface Ticket {
  /** Fees of the opening: origination, venue and partner. The unused venue fee is refunded. */
  readonly openCostUsdcUnits: UsdcUnits;
  /** Interest on the borrow for an hour and for a day, each rounded up. */
  readonly holdCostPerHourUsdcUnits: UsdcUnits;
  readonly holdCostPerDayUsdcUnits: UsdcUnits;
  /** Venue fee of selling everything at the mark, rounded up, plus the spread from entry to mark. */
  readonly closeCostUsdcUnits: UsdcUnits;
  readonly spreadCostUsdcUnits: UsdcUnits;
  /** Cost of opening, spread and close together: the round trip at the prices of the quote and the mark. */
  readonly roundTripCostUsdcUnits: UsdcUnits;
  /** Round-trip cost as a share of the collateral, rounded up. */
  readonly roundTripCostBps: RateBps;
  /**
   * The round trip at worst: all fees are taken, the opening has the fewest tokens that the slippage of the quote
   * allows, and they are sold 5 % below the mark, which is `proposedMinPriceOf`. At most the stake, without interest. A
   * mark that moves, or a lower minimum price, may cost more.
   */
  readonly worstRoundTripCostUsdcUnits: UsdcUnits;
  readonly worstRoundTripCostBps: RateBps;
  /**
   * Round trip as fills of this size cost in the last day, from the entry price and the mid, plus the origination fee;
   * never above the one at worst, below 0 for a gain. Null unless there is a mid, and openings and closes of this size
   * are both measured.
   */
  readonly measuredRoundTripCostUsdcUnits: UsdcUnits | null;
  /** Measured round-trip cost as a share of the collateral, rounded up. */
  readonly measuredRoundTripCostBps: RateBps | null;
  /** Lowest whole price at which a sale returns the amount paid; null when no price below 1 USD does. */
  readonly breakEvenPricePips: PricePips | null;
  readonly liquidationPricePips: PricePips;
  /** Distance of the mark above the liquidation price, never below zero, and as a share of the mark, rounded down. */
  readonly liquidationDistancePips: PricePips;
  readonly liquidationDistanceBps: RateBps;
  /** Borrowed amount. */
  readonly borrowUsdcUnits: UsdcUnits;
  /** Collateral and fees: the user's stake. */
  readonly stakeUsdcUnits: UsdcUnits;
  /** Payout of a win after repayment of the debt, without interest. */
  readonly winPaysUsdcUnits: UsdcUnits;
  /** Payout of a win when the same stake buys tokens without leverage at the same price. */
  readonly winWithoutLeverageUsdcUnits: UsdcUnits;
}

type QuoteBasis = NonNullable<Quote['basis']>;
type TicketBasis = Omit<QuoteBasis, 'opening_route'> & Partial<Pick<QuoteBasis, 'opening_route'>>;

/** Input of a ticket: a quote, a draft, or an estimate. */
export type TicketQuote = Pick<
  Quote,
  | 'leverage_bps'
  | 'notional_usdc_units'
  | 'notional_amount_usd_pips'
  | 'collateral_usdc_units'
  | 'entry_price_usd_pips'
  | 'current_liquidation_price_usd_pips'
  | 'origination_fee_bps'
  | 'origination_fee_usdc_units'
  | 'expected_open_trading_fee_usdc_units'
  | 'total_user_amount_usdc_units'
  | 'total_user_amount_usd_pips'
  | 'lifetime_fee_apr_bps'
  | 'venue_trading_fee_bps'
  | 'max_gain'
> & {
  /** Basis of the figures; an estimate has no route. */
  readonly basis?: TicketBasis | undefined;
};

/** Inputs of a ticket besides the quote. */
export interface TicketTerms {
  /** Current sale price, the bid; the quote's entry price by default. */
  readonly markPricePips?: PricePips | undefined;
  /** Middle between bid and ask, from which closes are measured; without it the measured round trip is null. */
  readonly midPricePips?: PricePips | undefined;
  /** `feeRates` of the market: exponent of the venue's fee, 1 by default, and measured costs of fills. */
  readonly feeRates?: FeeRates | undefined;
}

const hourS = 3_600;
const dayS = 24 * hourS;
const nothing = usdcUnits(0n);
const pipsPerUsd = 10_000n;
const wholeBps = 10_000n;

/**
 * Compute a ticket from a quote, draft or estimate.
 *
 * @throws InputError for a quote without `expand=basis`, and for an unknown term.
 */
export function ticketOf(quote: TicketQuote, terms: TicketTerms = {}): Ticket {
  checkKnown('ticketOf', terms, { known: ['markPricePips', 'midPricePips', 'feeRates'] });
  if (quote?.basis === undefined) {
    throw new InputError('basis', undefined, 'The quote has no `basis`. Ask for it with `expand=basis`.');
  }
  const tokens = tokenUnits(BigInt(quote.basis.position_token_units));
  const notional = usdcUnits(BigInt(quote.notional_usdc_units));
  const collateral = usdcUnits(BigInt(quote.collateral_usdc_units));
  const borrow = subtract(notional, collateral);
  const stake = usdcUnits(BigInt(quote.total_user_amount_usdc_units));
  const entry = pricePips(BigInt(quote.entry_price_usd_pips));
  const mark = terms.markPricePips ?? entry;
  const schedule = feeScheduleOf(quote.venue_trading_fee_bps, terms.feeRates);
  const originationFee = usdcUnits(BigInt(quote.origination_fee_usdc_units));
  const openCost = add(originationFee, usdcUnits(BigInt(quote.expected_open_trading_fee_usdc_units)));
  const closeCost = venueFeeOf({ tokenUnits: tokens, pricePips: mark, schedule, rounding: 'up' });
  const spreadCost = max(nothing, subtract(notional, valueOf(tokens, mark, 'down')));
  const liquidation = pricePips(BigInt(quote.current_liquidation_price_usd_pips));
  const distance = max(pricePips(0n), subtract(mark, liquidation));
  const roundTripCost = add(add(openCost, spreadCost), closeCost);
  const fewest = multiplyDivide(tokens, wholeBps - BigInt(quote.basis.slippage_bps), wholeBps, 'down');
  const lowestProceeds = proceedsAtWorstOf(fewest, mark, schedule);
  const worstCost = min(stake, subtract(add(openCost, notional), lowestProceeds));
  const paid = add(notional, usdcUnits(BigInt(quote.basis.venue_fee_usdc_units)));
  const measuredProceeds = measuredProceedsOf(paid, { entry, notional, mark, terms });
  const measuredCost =
    measuredProceeds === null ? null : min(worstCost, add(originationFee, subtract(paid, measuredProceeds)));
  const ofCollateral = (cost: UsdcUnits): RateBps =>
    raw(collateral) === 0n ? rateBps(0n) : ratioOf(cost, collateral, 'up');
  const lifetimeFeeAprBps = rateBps(BigInt(quote.lifetime_fee_apr_bps));
  const holdCostOf = (elapsedSeconds: number): UsdcUnits =>
    lifetimeFeeOf({ principalUsdcUnits: borrow, lifetimeFeeAprBps, elapsedSeconds });
  return {
    openCostUsdcUnits: openCost,
    holdCostPerHourUsdcUnits: holdCostOf(hourS),
    holdCostPerDayUsdcUnits: holdCostOf(dayS),
    closeCostUsdcUnits: closeCost,
    spreadCostUsdcUnits: spreadCost,
    roundTripCostUsdcUnits: roundTripCost,
    roundTripCostBps: ofCollateral(roundTripCost),
    worstRoundTripCostUsdcUnits: worstCost,
    worstRoundTripCostBps: ofCollateral(worstCost),
    measuredRoundTripCostUsdcUnits: measuredCost,
    measuredRoundTripCostBps: measuredCost === null ? null : ofCollateral(measuredCost),
    breakEvenPricePips: breakEvenOf(tokens, add(borrow, stake), schedule),
    liquidationPricePips: liquidation,
    liquidationDistancePips: distance,
    liquidationDistanceBps: raw(mark) === 0n ? rateBps(0n) : ratioOf(distance, mark, 'down'),
    borrowUsdcUnits: borrow,
    stakeUsdcUnits: stake,
    winPaysUsdcUnits: subtract(usdcUnits(raw(tokens)), borrow),
    winWithoutLeverageUsdcUnits: unleveredWinOf(stake, { notional, tokens, openFee: quote.basis.venue_fee_usdc_units }),
  };
}

/** Return the proceeds of tokens at the proposed minimum price, rounded down; a grant rounds its fee rate up. */
function proceedsAtWorstOf(tokens: TokenUnits, mark: PricePips, schedule: VenueFeeSchedule): UsdcUnits {
  const price = proposedMinPriceOf(mark);
  const fee = applyRate(valueOf(tokens, price, 'up'), venueFeeShareBpsOf({ pricePips: price, schedule }), 'up');
  return max(nothing, subtract(valueOf(tokens, price, 'down'), fee));
}

/** Return what the tokens bring that measured openings have for a payment; null where fills are not measured. */
function measuredProceedsOf(
  paid: UsdcUnits,
  { entry, notional, mark, terms }: Record<'entry' | 'mark', PricePips> & { notional: UsdcUnits; terms: TicketTerms },
): UsdcUnits | null {
  const rate = measuredRateOf(notional, 'opening', terms.feeRates);
  if (rate === null || terms.midPricePips === undefined) return null;
  const bought = tokensFor(multiplyDivide(paid, wholeBps, wholeBps + raw(rate), 'down'), entry, 'down');
  return saleOf(bought, { ...terms, bidPricePips: mark }).measuredProceedsUsdcUnits;
}

/**
 * Return the lowest whole price at which tokens less the venue's fee yield an amount; the yield grows with the price.
 */
function breakEvenOf(tokens: TokenUnits, amount: UsdcUnits, schedule: VenueFeeSchedule): PricePips | null {
  const bringsAt = (price: bigint): boolean => {
    const fee = venueFeeOf({ tokenUnits: tokens, pricePips: pricePips(price), schedule, rounding: 'up' });
    return compare(subtract(valueOf(tokens, pricePips(price), 'down'), fee), amount) >= 0;
  };
  if (!bringsAt(pipsPerUsd - 1n)) return null;
  let [low, high] = [0n, pipsPerUsd - 1n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (bringsAt(middle)) high = middle;
    else low = middle;
  }
  return pricePips(high);
}

/** Return the tokens that the stake alone would buy at the same average price and venue fee rate, as money. */
function unleveredWinOf(
  stake: UsdcUnits,
  bought: { readonly notional: UsdcUnits; readonly tokens: TokenUnits; readonly openFee: string },
): UsdcUnits {
  const paid = raw(bought.notional) + BigInt(bought.openFee);
  return usdcUnits(raw(multiplyDivide(bought.tokens, raw(stake), paid, 'down')));
}
