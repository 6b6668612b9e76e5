import {
  type PricePips,
  pricePips,
  raw,
  subtract,
  type TokenUnits,
  type UsdcUnits,
  type VenueFeeSchedule,
  valueOf,
  venueFeeOf,
} from '@core/pricing';
import type { FeeRates, Market } from '../generated/resources.ts';
import { measuredCostOf } from './measuredCost.ts';

/** Prices of a sale, and `feeRates` of its market: fee of the venue, 0 without them, and measured costs. */
export interface SaleTerms {
  readonly bidPricePips: PricePips;
  /** Middle between bid and ask; without it nothing is known of the measured cost. */
  readonly midPricePips?: PricePips | undefined;
  readonly feeRates?: FeeRates | undefined;
}

/** Result of a sale before any debt is repaid, in USDC units. */
export interface Sale {
  /** Value of the tokens at the mid, rounded down; null without a mid. */
  readonly valueUsdcUnits: UsdcUnits | null;
  /** Value at the bid, rounded down, the maximum fee of the venue there, rounded up, and the difference. */
  readonly bidValueUsdcUnits: UsdcUnits;
  readonly venueFeeUsdcUnits: UsdcUnits;
  readonly proceedsUsdcUnits: UsdcUnits;
  /** Value at the mid less the cost of measured closes of this size; null where none is measured. */
  readonly measuredProceedsUsdcUnits: UsdcUnits | null;
}

const ppmPerBps = 100n;
/** Proposed minimum price, in percent of the bid: no further below it than a grant without a minimum below the mid. */
const proposedPercent = 95n;
/** A tenth of a cent: the step in which prices are entered. */
const stepPips = 10n;

type Prices = { readonly prices?: Market['prices'] | undefined };

const bestOf = ({ prices }: Prices, row: `${'yes' | 'no'}_${'bid' | 'ask'}`): PricePips | undefined => {
  const pips = prices?.[`${row}_price_usd_pips`];
  return pips === null || pips === undefined ? undefined : pricePips(BigInt(pips));
};

/** Return the bid of a side, the current sale price, from a market with `expand=prices`. */
export const bidOf = (market: Prices, side: 'yes' | 'no'): PricePips | undefined => bestOf(market, `${side}_bid`);

/** Return the middle between bid and ask of a side, rounded down; undefined without either. */
export function midOf(market: Prices, side: 'yes' | 'no'): PricePips | undefined {
  const [bid, ask] = [bestOf(market, `${side}_bid`), bestOf(market, `${side}_ask`)];
  return bid === undefined || ask === undefined ? undefined : pricePips((raw(bid) + raw(ask)) / 2n);
}

/** Return the minimum price to propose for a sale: 5 % below the bid, rounded down to a tenth of a cent, above 0. */
export function proposedMinPriceOf(bidPricePips: PricePips): PricePips {
  const pips = ((raw(bidPricePips) * proposedPercent) / (100n * stepPips)) * stepPips;
  return pricePips(pips > 0n ? pips : 1n);
}

/** Return the venue's fee of a market from its rate in whole basis points. */
export const feeScheduleOf = (rateBps: number, feeRates: FeeRates | undefined): VenueFeeSchedule => ({
  ratePpm: BigInt(rateBps) * ppmPerBps,
  exponent: BigInt(feeRates?.market?.venue_fee_exponent ?? 1),
});

/** Compute a sale of tokens now: at the bid with the highest fee, and as closes of this size were measured. */
export function saleOf(tokens: TokenUnits, { bidPricePips, midPricePips, feeRates }: SaleTerms): Sale {
  const schedule = feeScheduleOf(feeRates?.market?.venue_trading_fee_bps ?? 0, feeRates);
  const bidValue = valueOf(tokens, bidPricePips, 'down');
  const fee = venueFeeOf({ tokenUnits: tokens, pricePips: bidPricePips, schedule, rounding: 'up' });
  const value = midPricePips === undefined ? null : valueOf(tokens, midPricePips, 'down');
  const cost = value === null ? null : measuredCostOf(value, 'close', feeRates);
  return {
    valueUsdcUnits: value,
    bidValueUsdcUnits: bidValue,
    venueFeeUsdcUnits: fee,
    proceedsUsdcUnits: subtract(bidValue, fee),
    measuredProceedsUsdcUnits: value === null || cost === null ? null : subtract(value, cost),
  };
}
