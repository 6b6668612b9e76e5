import { add, max, subtract, type UsdcUnits } from '@core/pricing';

/** Funds of an opening at one moment, in USDC units. */
export interface OpeningFunds {
  readonly notionalUsdcUnits: UsdcUnits;
  /** Set aside by the user for the venue's fees of the whole opening. */
  readonly venueFeeUsdcUnits: UsdcUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  /** Cash of the account, and the loan while it is not there yet. */
  readonly cashUsdcUnits: UsdcUnits;
  /** Spent on tokens by all orders so far, as the exchange says. */
  readonly filledUsdcUnits: UsdcUnits;
}

/**
 * Return the remainder of the budget for the venue's fees, exactly as the vault computes it: everything spent beyond
 * the fills is gone from it. Neither a donation nor an overstated fill makes it larger.
 */
export function venueFeeLeftOf(funds: OpeningFunds): UsdcUnits {
  const budget = add(funds.notionalUsdcUnits, funds.venueFeeUsdcUnits);
  const spent = lessOf(budget, lessOf(funds.cashUsdcUnits, funds.originationFeeUsdcUnits));
  return lessOf(funds.venueFeeUsdcUnits, lessOf(spent, funds.filledUsdcUnits));
}

/** a − b, or nothing. */
function lessOf(a: UsdcUnits, b: UsdcUnits): UsdcUnits {
  return subtract(max(a, b), b);
}
