import { multiplyDivide, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';

/**
 * Return the share of an amount that a part of a close takes: ⌈amount × sold / held⌉, all of it when everything is
 * sold. The vault shares principal and lifetime fees by this rule, and so the basis follows.
 * @throws RangeError when nothing is held.
 */
export function partialCloseShareOf({
  amountUsdcUnits,
  soldTokenUnits,
  heldTokenUnits,
}: {
  readonly amountUsdcUnits: UsdcUnits;
  readonly soldTokenUnits: TokenUnits;
  readonly heldTokenUnits: TokenUnits;
}): UsdcUnits {
  return multiplyDivide(amountUsdcUnits, raw(soldTokenUnits), raw(heldTokenUnits), 'up');
}
