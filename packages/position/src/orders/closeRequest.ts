import { compare, constants, isDust, subtract, type TokenUnits, toShareStep } from '@core/pricing';

/**
 * What is left of a close request that an order can still sell: all that is held, or a part that is an order by itself
 * and leaves one. Sizes have two decimals, so a part that was sold may leave a remainder of the request; an unwind
 * in between may leave a remainder of the position. Both end the request: null, and the user has to make a new one.
 */
export function sellableRequestOf(asked: TokenUnits, held: TokenUnits): TokenUnits | null {
  if (isDust(asked) || isDust(held)) {
    return null;
  }
  if (compare(asked, held) >= 0) {
    return held;
  }
  const rest = subtract(held, toShareStep(asked, 'down'));
  return isOrder(asked) && (isDust(rest) || isOrder(rest)) ? asked : null;
}

/** No smaller than the venue's smallest order. */
function isOrder(tokens: TokenUnits): boolean {
  return compare(tokens, constants.minOrderTokenUnits) >= 0;
}
