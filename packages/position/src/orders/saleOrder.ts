import {
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

/** What bounds a closing order. */
export interface ClosingBounds {
  readonly tokenUnits: TokenUnits;
  readonly heldTokenUnits: TokenUnits;
  readonly minPricePips: PricePips;
  readonly limitPricePips: PricePips;
  readonly tickPricePips: PricePips;
}

/**
 * Size to ask an attestation for: what is wanted, rounded down to 0.01 token so that it never passes the request, as
 * far as the bids at the user's price take it. A part is an order by itself and leaves one, in the position and in the
 * request. Zero when no such size exists.
 */
export function closableTokensOf(
  wanted: TokenUnits,
  held: TokenUnits,
  book: { readonly bids: OrderBook['bids']; readonly minPricePips: PricePips },
): TokenUnits {
  const whole = toShareStep(min(wanted, held), 'down');
  const { restTokenUnits } = walkBids({ bids: book.bids, tokenUnits: whole, limitPricePips: book.minPricePips });
  const taken = subtract(whole, restTokenUnits);
  const minimum = constants.minOrderTokenUnits;
  const size =
    raw(restTokenUnits) === 0n ? whole : toShareStep(min(taken, max(subtract(whole, minimum), none)), 'down');
  return compare(size, minimum) >= 0 ? size : none;
}

const none = tokenUnits(0n);

/**
 * The sale at an exact tick, not below the attested limit nor the user's minimum: the price is rounded up, so what it
 * brings is at least both.
 */
export function closingOrderOf(bounds: ClosingBounds): GridOrder {
  const price = toTick(max(bounds.limitPricePips, bounds.minPricePips), bounds.tickPricePips, 'up');
  return sellOrderOf(min(bounds.tokenUnits, bounds.heldTokenUnits), price);
}

/**
 * Whether a close may be sold at a limit: `limit × (10⁴ − feeBps) × tokens ≥ debt × 10⁸`, as the vault checks it. Of a
 * part the tokens are those held, of a sale that leaves only dust those it sells. What the user asks never sells a
 * position below its debt.
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
 * What an unwind sells of its size at the limit that the signer gave: no more than ⌈debt × 10⁸ / (limit × (10⁴ −
 * feeBps))⌉ tokens in steps of 0.01, because a limit better than expected repays the debt with fewer; all that is held
 * when less than an order would be left.
 */
export function repayingTokensOf(sale: {
  readonly tokenUnits: TokenUnits;
  readonly heldTokenUnits: TokenUnits;
  readonly debtUsdcUnits: UsdcUnits;
  readonly limitPricePips: PricePips;
  readonly venueFeeBps: bigint;
}): TokenUnits {
  const { heldTokenUnits: held, debtUsdcUnits: debt } = sale;
  const netPerToken = raw(sale.limitPricePips) * (10_000n - sale.venueFeeBps);
  if (netPerToken <= 0n) return sale.tokenUnits;
  const exact = tokenUnits((raw(debt) * 100_000_000n + netPerToken - 1n) / netPerToken);
  const needed = max(toShareStep(exact, 'up'), constants.minOrderTokenUnits);
  if (compare(needed, sale.tokenUnits) >= 0) return sale.tokenUnits;
  return compare(subtract(held, needed), constants.minOrderTokenUnits) < 0 ? sale.tokenUnits : needed;
}
