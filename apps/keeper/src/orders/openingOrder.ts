import {
  add,
  buyOrderOf,
  constants,
  type GridOrder,
  min,
  multiplyDivide,
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  toTick,
  toUsdcUnits,
  type UsdcUnits,
  usdPips,
} from '@core/pricing';

/** What bounds an opening order: the position's own promises and the attestation. */
export interface OpeningBounds {
  /** To spend with this order: the notional or its floor, or what is left of it. */
  readonly dueUsdcUnits: UsdcUnits;
  /** Notional that is not filled yet: the order never passes it. */
  readonly openUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly minPositionTokenUnits: TokenUnits;
  /** Set aside by the user for the venue's fee of the whole opening. */
  readonly venueFeeUsdcUnits: UsdcUnits;
  readonly limitPricePips: PricePips;
  /** The fee's share of the money traded, as attested. */
  readonly venueFeeBps: bigint;
  readonly tickPricePips: PricePips;
}

export type OpeningOrder =
  | ({ readonly kind: 'order' } & GridOrder)
  /** The market went away from what the user signed: no order within all bounds is large enough. */
  | { readonly kind: 'price_moved' }
  /** Less than the venue's smallest order is left. */
  | { readonly kind: 'too_small' };

/** An order is never smaller than this share of what is due: the vault wants 99 % of an atomic opening. */
const leastShareBps = 9_900n;
const noBps = 10_000n;

/**
 * The largest buy on the venue's grid within all bounds: price at an exact tick, at most the attested limit and at most
 * what still gives the user's minimum tokens pro rata; money at most what the set-aside fee covers. All roundings favour the user.
 */
export function openingOrderOf(bounds: OpeningBounds): OpeningOrder {
  const userLimit = priceOfMinimumTokens(bounds);
  const limit = toTick(min(bounds.limitPricePips, userLimit), bounds.tickPricePips, 'down');
  if (raw(limit) === 0n) {
    return { kind: 'price_moved' };
  }
  // One step of 0.01 token more, so that rounding the size down cannot fall under what is due.
  const step = toUsdcUnits(usdPips(raw(limit) / 100n + 1n));
  const covered = feeCoverOf(bounds);
  const budget = min(min(add(bounds.dueUsdcUnits, step), bounds.openUsdcUnits), covered);
  const order = buyOrderOf(budget, limit);
  if (raw(order.tokenUnits) < raw(constants.minOrderTokenUnits)) {
    return { kind: 'too_small' };
  }
  const isEnough = raw(order.usdcUnits) * noBps >= raw(bounds.dueUsdcUnits) * leastShareBps;
  return isEnough ? { kind: 'order', ...order } : { kind: 'price_moved' };
}

/** Highest price at which an order still brings the user's minimum tokens pro rata: ⌊notional × 10⁴ / tokens⌋. */
function priceOfMinimumTokens({ notionalUsdcUnits, minPositionTokenUnits }: OpeningBounds): PricePips {
  const tokens = raw(minPositionTokenUnits);
  return tokens === 0n ? pricePips(10_000n) : pricePips((raw(notionalUsdcUnits) * 10_000n) / tokens);
}

/** Most money whose fee the user's set-aside pays: ⌊fee × 10⁴ / share⌋. */
function feeCoverOf({ venueFeeUsdcUnits, venueFeeBps, notionalUsdcUnits }: OpeningBounds): UsdcUnits {
  return venueFeeBps === 0n ? notionalUsdcUnits : multiplyDivide(venueFeeUsdcUnits, noBps, venueFeeBps, 'down');
}
