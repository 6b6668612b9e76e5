import {
  add,
  buyOrderOf,
  compare,
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
import type { OpeningFailureReason } from '../states/openingFailure.ts';

/** Bounds of an opening order: the position's own promises and the attestation. */
export interface OpeningBounds {
  /** To spend with this order: the notional or its floor, or what is left of it. */
  readonly dueUsdcUnits: UsdcUnits;
  /** Notional that is not filled yet: the order never passes it. */
  readonly openUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly minPositionTokenUnits: TokenUnits;
  /** Remainder of the user's budget for the venue's fees of the whole opening, after earlier orders. */
  readonly venueFeeLeftUsdcUnits: UsdcUnits;
  readonly limitPricePips: PricePips;
  /** The fee's share of the money traded, as attested. */
  readonly venueFeeBps: bigint;
  readonly tickPricePips: PricePips;
}

export type OpeningOrder =
  | ({ readonly kind: 'order' } & GridOrder)
  /** The user's minimum tokens need a price below the venue's lowest: no market has it. */
  | { readonly kind: 'minimum_tokens_unreachable' }
  /** The market fell below the venue's first price. */
  | { readonly kind: 'price_moved' }
  /** The rest of the user's budget for the venue's fees does not cover an order that is large enough. */
  | { readonly kind: 'venue_fee_too_small' }
  /** Less than the venue's smallest order is left. */
  | { readonly kind: 'too_small' };

/** An order is never smaller than this share of what is due: the vault wants 99 % of an atomic opening. */
const minimumShareBps = 9_900n;
const noBps = 10_000n;

/**
 * Return the largest buy that the venue takes within all bounds: price at an exact tick, at most the attested limit and
 * at most what still gives the user's minimum tokens pro rata; money in whole cents, at most what is left of the fee's
 * budget covers. All roundings favour the user. The venue's amounts imply a little more than the tick: where a limit
 * has no room for that, the price is the tick below.
 */
export function openingOrderOf(bounds: OpeningBounds): OpeningOrder {
  const { tickPricePips } = bounds;
  const userLimit = toTick(priceOfMinimumTokens(bounds), tickPricePips, 'down');
  const limit = min(toTick(bounds.limitPricePips, tickPricePips, 'down'), userLimit);
  const isCovered = raw(feeCoverOf(bounds)) * noBps >= raw(bounds.dueUsdcUnits) * minimumShareBps;
  const budget = min(wantedOf(bounds, limit), feeCoverOf(bounds));
  const orderAt = (price: PricePips): GridOrder | null => {
    if (raw(price) <= 0n) return null;
    const order = buyOrderOf(budget, { pricePips: price, tickPricePips });
    return isWithinLimits(order, bounds) ? order : null;
  };
  const order = orderAt(limit) ?? orderAt(pricePips(raw(limit) - raw(tickPricePips)));
  if (order === null) return { kind: raw(userLimit) === 0n ? 'minimum_tokens_unreachable' : 'price_moved' };
  if (raw(order.tokenUnits) < raw(constants.minOrderTokenUnits)) {
    return { kind: isCovered ? 'too_small' : 'venue_fee_too_small' };
  }
  const isEnough = raw(order.usdcUnits) * noBps >= raw(bounds.dueUsdcUnits) * minimumShareBps;
  return isEnough ? { kind: 'order', ...order } : { kind: 'venue_fee_too_small' };
}

const centUsdcUnits = toUsdcUnits(usdPips(100n));

/** One step of 0.01 token and a cent more than is due, so that no rounding falls under it; at most what is open. */
function wantedOf({ dueUsdcUnits, openUsdcUnits }: OpeningBounds, limit: PricePips): UsdcUnits {
  const step = toUsdcUnits(usdPips(raw(limit) / 100n + 1n));
  return min(add(add(dueUsdcUnits, step), centUsdcUnits), openUsdcUnits);
}

/** The vault's own checks of an opening order's price, on its amounts. */
function isWithinLimits(
  { tokenUnits, usdcUnits }: GridOrder,
  { limitPricePips, notionalUsdcUnits, minPositionTokenUnits }: OpeningBounds,
): boolean {
  const [money, tokens] = [raw(usdcUnits), raw(tokenUnits)];
  return (
    money * 10_000n <= tokens * raw(limitPricePips) &&
    tokens * raw(notionalUsdcUnits) >= money * raw(minPositionTokenUnits)
  );
}

/** Bounds of an opening order that found no counterparty. */
export interface UnfilledOrder extends Pick<OpeningBounds, 'notionalUsdcUnits' | 'minPositionTokenUnits'> {
  readonly orderPricePips: PricePips;
  readonly tickPricePips: PricePips;
  /** Entry price of the quote. */
  readonly entryPricePips: PricePips;
}

/**
 * Return the reason for which an order found no counterparty. When the next tick would have been above the user's own
 * limit, the market is past that limit: it moved there, or was there already at the quote. Otherwise the order did not
 * match.
 */
export function unfilledReasonOf(order: UnfilledOrder): OpeningFailureReason {
  const userLimit = priceOfMinimumTokens(order);
  if (compare(add(order.orderPricePips, order.tickPricePips), userLimit) <= 0) return 'order_not_filled';
  return compare(userLimit, order.entryPricePips) < 0 ? 'minimum_tokens_unreachable' : 'price_moved';
}

/** Highest price at which an order still brings the user's minimum tokens pro rata: ⌊notional × 10⁴ / tokens⌋. */
function priceOfMinimumTokens({
  notionalUsdcUnits,
  minPositionTokenUnits,
}: Pick<OpeningBounds, 'notionalUsdcUnits' | 'minPositionTokenUnits'>): PricePips {
  const tokens = raw(minPositionTokenUnits);
  return tokens === 0n ? pricePips(10_000n) : pricePips((raw(notionalUsdcUnits) * 10_000n) / tokens);
}

/** Most money whose fee the rest of the budget pays: ⌊fee × 10⁴ / share⌋. */
function feeCoverOf({ venueFeeLeftUsdcUnits, venueFeeBps, notionalUsdcUnits }: OpeningBounds): UsdcUnits {
  return venueFeeBps === 0n ? notionalUsdcUnits : multiplyDivide(venueFeeLeftUsdcUnits, noBps, venueFeeBps, 'down');
}
