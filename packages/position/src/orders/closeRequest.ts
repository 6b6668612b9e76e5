import { compare, constants, isDust, subtract, type TokenUnits, toShareStep } from '@core/pricing';

/**
 * Return the part of a close request that an order can still sell: the whole position, or a part that is an order by
 * itself and leaves one. Sizes have two decimals, so a sold part may leave a remainder of the request; an unwind in
 * between may leave a remainder of the position. Both end the request: null, and the user has to make a new one.
 */
export function sellableRequestOf(request: TokenUnits, holding: TokenUnits): TokenUnits | null {
  if (isDust(request) || isDust(holding)) {
    return null;
  }
  if (compare(request, holding) >= 0) {
    return holding;
  }
  const rest = subtract(holding, toShareStep(request, 'down'));
  return isOrder(request) && (isDust(rest) || isOrder(rest)) ? request : null;
}

/** No smaller than the venue's smallest order. */
function isOrder(tokens: TokenUnits): boolean {
  return compare(tokens, constants.minOrderTokenUnits) >= 0;
}
