import { multiplyDivide, raw, type TokenUnits, type UsdcUnits } from '@core/pricing';

/**
 * What a part of a close takes of an amount: ⌈amount × sold / held⌉, all of it when everything is sold. So the vault
 * shares principal and lifetime fees, and so the basis follows.
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
