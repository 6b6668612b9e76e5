import {
  add,
  liquidationFeeOf,
  max,
  min,
  multiplyDivide,
  type RateBps,
  raw,
  subtract,
  type TokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';

const nothing = usdcUnits(0n);
const wholeBps = 10_000n;
/** The most the venue may take of what is traded, as in the vault (MAX_VENUE_FEE_BPS). */
const maxVenueFeeBps = 1_000n;

/** Recipients of a sale's money. Principal + lifetime + liquidation + user is the proceeds, to the unit. */
export interface Waterfall {
  readonly principalPaidUsdcUnits: UsdcUnits;
  readonly lifetimeFeePaidUsdcUnits: UsdcUnits;
  readonly liquidationFeePaidUsdcUnits: UsdcUnits;
  readonly userPaidUsdcUnits: UsdcUnits;
  /** Due but not covered. Of the last token's sale this is bad debt. */
  readonly principalUnpaidUsdcUnits: UsdcUnits;
  /** Due but not covered. Fees of a finished position are forgone. */
  readonly lifetimeFeeUnpaidUsdcUnits: UsdcUnits;
}

/**
 * Distribute the money of a sale: principal, lifetime fees, liquidation fee on the principal repaid (rate 0 unless
 * the sale is a liquidation), and all the rest to the user (PROTOCOL, Money flow). The user receives only once the
 * pool is whole.
 */
export function waterfallOf({
  proceedsUsdcUnits,
  principalDueUsdcUnits,
  lifetimeFeeDueUsdcUnits,
  liquidationFeeBps,
}: {
  readonly proceedsUsdcUnits: UsdcUnits;
  readonly principalDueUsdcUnits: UsdcUnits;
  readonly lifetimeFeeDueUsdcUnits: UsdcUnits;
  readonly liquidationFeeBps: RateBps;
}): Waterfall {
  const principal = min(proceedsUsdcUnits, principalDueUsdcUnits);
  const afterPrincipal = subtract(proceedsUsdcUnits, principal);
  const lifetime = min(afterPrincipal, lifetimeFeeDueUsdcUnits);
  const afterLifetime = subtract(afterPrincipal, lifetime);
  const liquidation = min(afterLifetime, liquidationFeeOf(principal, liquidationFeeBps));
  return {
    principalPaidUsdcUnits: principal,
    lifetimeFeePaidUsdcUnits: lifetime,
    liquidationFeePaidUsdcUnits: liquidation,
    userPaidUsdcUnits: subtract(afterLifetime, liquidation),
    principalUnpaidUsdcUnits: subtract(principalDueUsdcUnits, principal),
    lifetimeFeeUnpaidUsdcUnits: subtract(lifetimeFeeDueUsdcUnits, lifetime),
  };
}

/** Split of an opening's money. Pool + origination + user is the cash of the account, to the unit. */
export interface OpeningSplit {
  /** Money that left the account: the fill and the venue's fee on it. */
  readonly spentUsdcUnits: UsdcUnits;
  /** Money spent on tokens: the fill, or all that was spent when fill and highest fee explain less. */
  readonly tradeUsdcUnits: UsdcUnits;
  /** Venue and partner fee kept by the venue: spent less trade. */
  readonly tradingFeeUsdcUnits: UsdcUnits;
  readonly principalUsdcUnits: UsdcUnits;
  readonly poolRefundUsdcUnits: UsdcUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly userRefundUsdcUnits: UsdcUnits;
}

/**
 * Split the money of a finished opening (PROTOCOL, Money flow). Measured by the account's cash: what the exchange
 * reports as filled only splits it and is clamped by it: the pool lends on that and on nothing that may be a fee. The
 * user's collateral and fee budget pay for an overrun before the loan does. No tokens: the pool is repaid first, the
 * user receives everything else. The origination fee is scaled by what counts as trade, rounded up.
 */
export function openingSplitOf({
  collateralUsdcUnits,
  notionalUsdcUnits,
  lentUsdcUnits,
  venueFeeUsdcUnits,
  originationFeeUsdcUnits,
  filledUsdcUnits,
  cashUsdcUnits,
  tokenUnits,
}: {
  readonly collateralUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly lentUsdcUnits: UsdcUnits;
  readonly venueFeeUsdcUnits: UsdcUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  /** Filled amount by the exchange's status. */
  readonly filledUsdcUnits: UsdcUnits;
  /** USDC in the account now. */
  readonly cashUsdcUnits: UsdcUnits;
  /** Tokens in the account now. */
  readonly tokenUnits: TokenUnits;
}): OpeningSplit {
  const own = add(collateralUsdcUnits, venueFeeUsdcUnits);
  const budget = add(own, lentUsdcUnits);
  const unspent = max(nothing, subtract(cashUsdcUnits, originationFeeUsdcUnits));
  const spent = max(nothing, subtract(budget, unspent));
  const isOpened = raw(tokenUnits) > 0n;
  const fill = isOpened ? min(min(filledUsdcUnits, spent), notionalUsdcUnits) : nothing;
  const share = multiplyDivide(collateralUsdcUnits, raw(fill), raw(notionalUsdcUnits), 'up');
  const owed = max(subtract(fill, share), subtract(spent, own));
  const principal = isOpened ? min(lentUsdcUnits, max(nothing, owed)) : nothing;
  const isExplained = raw(spent) * wholeBps <= raw(fill) * (wholeBps + maxVenueFeeBps);
  const trade = isExplained || !isOpened ? fill : min(spent, notionalUsdcUnits);
  const poolRefund = min(cashUsdcUnits, subtract(lentUsdcUnits, principal));
  const afterPool = subtract(cashUsdcUnits, poolRefund);
  const scaledFee = multiplyDivide(originationFeeUsdcUnits, raw(trade), raw(notionalUsdcUnits), 'up');
  const origination = min(afterPool, scaledFee);
  return {
    spentUsdcUnits: spent,
    tradeUsdcUnits: trade,
    tradingFeeUsdcUnits: subtract(spent, trade),
    principalUsdcUnits: principal,
    poolRefundUsdcUnits: poolRefund,
    originationFeeUsdcUnits: origination,
    userRefundUsdcUnits: subtract(afterPool, origination),
  };
}
