import { OrderSide, type VenueOrder } from '@core/vault';
import { cashOf } from '../units/decimals.ts';

/** Matched part of an order, at the price of the taker's token. */
interface MatchedPart {
  readonly tokenUnits: bigint;
  readonly takerPricePips: bigint;
}

/**
 * Return the amount that the operator takes from a taker's order in a match, in units of its maker asset. For a sale,
 * the tokens. For a purchase, its cost or, if gross, its cost at its own limit, rounded up and at most its whole money.
 * The unused part of a gross purchase is refunded, yet counts as filled.
 */
export function takerGivesOf(
  taker: Pick<VenueOrder, 'side' | 'makerAmount' | 'takerAmount'>,
  parts: readonly MatchedPart[],
  isGross: boolean,
): bigint {
  const tokenUnits = parts.reduce((sum, part) => sum + part.tokenUnits, 0n);
  if (taker.side === OrderSide.Sell) return tokenUnits;
  if (!isGross) return parts.reduce((sum, part) => sum + cashOf(part.tokenUnits, part.takerPricePips), 0n);
  const atLimit = (tokenUnits * taker.makerAmount + taker.takerAmount - 1n) / taker.takerAmount;
  return atLimit < taker.makerAmount ? atLimit : taker.makerAmount;
}
