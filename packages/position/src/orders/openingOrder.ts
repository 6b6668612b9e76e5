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

/** What bounds an opening order: the position's own promises and the attestation. */
export interface OpeningBounds {
  /** To spend with this order: the notional or its floor, or what is left of it. */
  readonly dueUsdcUnits: UsdcUnits;
  /** Notional that is not filled yet: the order never passes it. */
  readonly openUsdcUnits: UsdcUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly minPositionTokenUnits: TokenUnits;
  /** What earlier orders left of the user's budget for the venue's fees of the whole opening. */
  readonly venueFeeLeftUsdcUnits: UsdcUnits;
  readonly limitPricePips: PricePips;
  /** The fee's share of the money traded, as attested. */
  readonly venueFeeBps: bigint;
  readonly tickPricePips: PricePips;
}

export type OpeningOrder =
  | ({ readonly kind: 'order' } & GridOrder)
  /** The user's minimum tokens want a price below the venue's first: no market ever has it. */
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
 * The largest buy on the venue's grid within all bounds: price at an exact tick, at most the attested limit and at most
 * what still gives the user's minimum tokens pro rata; money at most what is left of the fee's budget covers. All
 * roundings favour the user.
 */
export function openingOrderOf(bounds: OpeningBounds): OpeningOrder {
  const userLimit = toTick(priceOfMinimumTokens(bounds), bounds.tickPricePips, 'down');
  const limit = min(toTick(bounds.limitPricePips, bounds.tickPricePips, 'down'), userLimit);
  if (raw(limit) === 0n) {
    return { kind: raw(userLimit) === 0n ? 'minimum_tokens_unreachable' : 'price_moved' };
  }
  // One step of 0.01 token more, so that rounding the size down cannot fall under what is due.
  const step = toUsdcUnits(usdPips(raw(limit) / 100n + 1n));
  const wanted = min(add(bounds.dueUsdcUnits, step), bounds.openUsdcUnits);
  const isCovered = raw(feeCoverOf(bounds)) * noBps >= raw(bounds.dueUsdcUnits) * minimumShareBps;
  const order = buyOrderOf(min(wanted, feeCoverOf(bounds)), limit);
  if (raw(order.tokenUnits) < raw(constants.minOrderTokenUnits)) {
    return { kind: isCovered ? 'too_small' : 'venue_fee_too_small' };
  }
  const isEnough = raw(order.usdcUnits) * noBps >= raw(bounds.dueUsdcUnits) * minimumShareBps;
  return isEnough ? { kind: 'order', ...order } : { kind: 'venue_fee_too_small' };
}

/** What an opening order that found no counterparty was bound by. */
export interface UnfilledOrder extends Pick<OpeningBounds, 'notionalUsdcUnits' | 'minPositionTokenUnits'> {
  readonly orderPricePips: PricePips;
  readonly tickPricePips: PricePips;
  /** Entry price of the quote. */
  readonly entryPricePips: PricePips;
}

/**
 * Why an order found no counterparty. When the next tick would have been above the user's own limit, the market is past
 * that limit: it moved there, or was there already when the quote was made. Otherwise the order simply did not match.
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
