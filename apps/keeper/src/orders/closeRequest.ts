import { constants, isDust, raw, type TokenUnits } from '@core/pricing';

/**
 * What is left of a close request that an order can still sell: all that is held, or a part of at least the venue's
 * smallest order. Sizes have two decimals, so a part that was sold may leave a crumb of the request; that ends it.
 */
export function sellableRequestOf(asked: TokenUnits, held: TokenUnits): TokenUnits | null {
  if (isDust(asked) || isDust(held)) {
    return null;
  }
  if (raw(asked) >= raw(held)) {
    return held;
  }
  return raw(asked) >= raw(constants.minOrderTokenUnits) ? asked : null;
}
