import { oneE12 } from '@core/market';
import { type BookLevel, pricePips, raw, type TokenUnits, type VenueFeeSchedule, walkBids } from '@core/pricing';

/** Twelve decimals per pip of price: 1 pip = 1e8. */
const pipE12 = oneE12 / 10_000n;
const noPrice = pricePips(0n);

/** A sale of `tokens` down a book in which `ahead` tokens are sold first. */
export interface SaleInputs {
  readonly bids: readonly BookLevel[];
  readonly tokens: TokenUnits;
  readonly ahead: TokenUnits;
}

/**
 * b: average price per token of the sale, as a fraction of one USD scaled by 1e12, rounded down. Tokens the book does
 * not take count as sold for nothing: a position that cannot be sold covers no debt. Of no tokens, the best bid.
 */
export function averageSalePriceOf({ bids, tokens, ahead }: SaleInputs): bigint {
  const amount = raw(tokens);
  if (amount <= 0n) return pipsToE12(raw(bids[0]?.pricePips ?? noPrice));
  const walk = walkBids({ bids, tokenUnits: tokens, aheadTokenUnits: ahead });
  return (walk.exactUsdcUnitsE4 * pipE12) / amount;
}

/** Venue fee per token at an average price, scaled by 1e12, rounded up: rate × (p × (1 − p))^exponent. */
function saleFeeOf(priceE12: bigint, schedule: VenueFeeSchedule): bigint {
  if (schedule.ratePpm === 0n || priceE12 <= 0n || priceE12 >= oneE12) return 0n;
  const productE12 = (priceE12 * (oneE12 - priceE12)) / oneE12;
  let feeE12 = (schedule.ratePpm * oneE12) / 1_000_000n;
  for (let n = 0n; n < schedule.exponent; n++) feeE12 = (feeE12 * productE12) / oneE12;
  return feeE12 + 1n;
}

/** e = b − venueFee(b), never negative. */
export function netSaleValueOf(priceE12: bigint, schedule: VenueFeeSchedule): bigint {
  const netE12 = priceE12 - saleFeeOf(priceE12, schedule);
  return netE12 > 0n ? netE12 : 0n;
}

/** A price in whole pips as a fraction scaled by 1e12. */
export function pipsToE12(pips: bigint): bigint {
  return pips * pipE12;
}
