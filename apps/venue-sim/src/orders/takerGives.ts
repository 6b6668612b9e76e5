import { OrderSide, type VenueOrder } from '@core/vault';
import { cashOf } from '../units/decimals.ts';

/** What was matched, at the price of the taker's token. */
interface MatchedPart {
  readonly tokenUnits: bigint;
  readonly takerPricePips: bigint;
}

/**
 * What the operator has a taker's order give in a match, in units of its maker asset: the tokens of a sale; what a
 * purchase costs or, gross, what it would cost at its own limit, rounded up and at most its whole money. What a gross
 * purchase did not need comes back, and its order has moved by all of it.
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
