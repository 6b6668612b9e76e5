import {
  add,
  compare,
  constants,
  type GridOrder,
  isDust,
  max,
  min,
  multiplyDivide,
  type OrderBook,
  type PricePips,
  raw,
  sellOrderOf,
  subtract,
  type TokenUnits,
  tokenUnits,
  toShareStep,
  toTick,
  type UsdcUnits,
  walkBids,
} from '@core/pricing';

/** Bounds of a closing order. */
export interface ClosingBounds {
  readonly tokenUnits: TokenUnits;
  readonly heldTokenUnits: TokenUnits;
  readonly minPricePips: PricePips;
  readonly limitPricePips: PricePips;
  readonly tickPricePips: PricePips;
}

/**
 * Return the size to request an attestation for: the requested tokens that the bids take at the user's price, rounded
 * down to 0.01 token. A part is an order by itself and leaves one, in the position and in the request. Zero when no
 * such size exists.
 */
export function closableTokensOf(
  request: TokenUnits,
  holding: TokenUnits,
  book: { readonly bids: OrderBook['bids']; readonly minPricePips: PricePips },
): TokenUnits {
  const whole = toShareStep(min(request, holding), 'down');
  const { restTokenUnits } = walkBids({ bids: book.bids, tokenUnits: whole, limitPricePips: book.minPricePips });
  const available = subtract(whole, restTokenUnits);
  const minimum = constants.minOrderTokenUnits;
  const size =
    raw(restTokenUnits) === 0n ? whole : toShareStep(min(available, max(subtract(whole, minimum), none)), 'down');
  return compare(size, minimum) >= 0 ? size : none;
}

const none = tokenUnits(0n);

/**
 * Return the sale at an exact tick, not below the attested limit nor the user's minimum: the price is rounded up, and
 * where the venue's rounding of the money would bring less than both, it is the tick above.
 */
export function closingOrderOf(bounds: ClosingBounds): GridOrder {
  const { tickPricePips } = bounds;
  const minimumPricePips = max(bounds.limitPricePips, bounds.minPricePips);
  const sold = min(bounds.tokenUnits, bounds.heldTokenUnits);
  const price = toTick(minimumPricePips, tickPricePips, 'up');
  const order = sellOrderOf(sold, { pricePips: price, tickPricePips });
  if (raw(order.usdcUnits) * 10_000n >= raw(order.tokenUnits) * raw(minimumPricePips)) return order;
  return sellOrderOf(sold, { pricePips: add(price, tickPricePips), tickPricePips });
}

/**
 * Return whether a close may be sold at a limit: `limit × (10⁴ − feeBps) × tokens ≥ debt × 10⁸`, as the vault checks
 * it. Of a part the tokens are those of the position, of a sale that leaves only dust the sold ones. A requested close
 * never sells a position below its debt.
 */
export function isCloseCovered(sale: {
  readonly limitPricePips: PricePips;
  readonly venueFeeBps: bigint;
  readonly heldTokenUnits: TokenUnits;
  readonly soldTokenUnits: TokenUnits;
  readonly debtUsdcUnits: UsdcUnits;
}): boolean {
  const net = multiplyDivide(sale.limitPricePips, 10_000n - sale.venueFeeBps, 1n, 'down');
  const isPart = !isDust(subtract(sale.heldTokenUnits, sale.soldTokenUnits));
  return raw(net) * raw(isPart ? sale.heldTokenUnits : sale.soldTokenUnits) >= raw(sale.debtUsdcUnits) * 100_000_000n;
}

/**
 * Return the tokens an unwind sells at the signer's limit: no more than ⌈debt × 10⁸ / (limit × (10⁴ − feeBps))⌉ in
 * steps of 0.01, because a limit better than planned repays the debt with fewer. The whole position when less than an
 * order would be left.
 */
export function repayingTokensOf(sale: {
  readonly tokenUnits: TokenUnits;
  readonly heldTokenUnits: TokenUnits;
  readonly debtUsdcUnits: UsdcUnits;
  readonly limitPricePips: PricePips;
  readonly venueFeeBps: bigint;
}): TokenUnits {
  const { heldTokenUnits: holding, debtUsdcUnits: debt } = sale;
  const netPerToken = raw(sale.limitPricePips) * (10_000n - sale.venueFeeBps);
  if (netPerToken <= 0n) return sale.tokenUnits;
  const exact = tokenUnits((raw(debt) * 100_000_000n + netPerToken - 1n) / netPerToken);
  const minimum = max(toShareStep(exact, 'up'), constants.minOrderTokenUnits);
  if (compare(minimum, sale.tokenUnits) >= 0) return sale.tokenUnits;
  return compare(subtract(holding, minimum), constants.minOrderTokenUnits) < 0 ? sale.tokenUnits : minimum;
}
