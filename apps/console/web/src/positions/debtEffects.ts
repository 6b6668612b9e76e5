import {
  add,
  compare,
  max,
  multiplyDivide,
  raw,
  subtract,
  type TokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { PositionDebt } from '@core/sdk';

const nothing = usdcUnits(0n);

export const owedOf = ({ principalUsdcUnits, feesUsdcUnits }: PositionDebt): UsdcUnits =>
  add(principalUsdcUnits, feesUsdcUnits);

/** The debt after a payment from the wallet: principal first, then fees, never more than is owed. */
export function afterMargin(debt: PositionDebt, paidUsdcUnits: UsdcUnits): PositionDebt {
  const { principalUsdcUnits: principal, feesUsdcUnits: fees } = debt;
  const forFees = max(nothing, subtract(paidUsdcUnits, principal));
  return {
    ...debt,
    principalUsdcUnits: max(nothing, subtract(principal, paidUsdcUnits)),
    feesUsdcUnits: max(nothing, subtract(fees, forFees)),
  };
}

/** The debt after the sale of some tokens, which pay their share of principal and fees, each rounded up. */
export function afterSale(debt: PositionDebt, soldTokenUnits: TokenUnits): PositionDebt {
  const { tokenUnits: held } = debt;
  if (compare(soldTokenUnits, held) >= 0) {
    return { ...debt, tokenUnits: subtract(held, held), principalUsdcUnits: nothing, feesUsdcUnits: nothing };
  }
  const leftOf = (owed: UsdcUnits): UsdcUnits =>
    subtract(owed, multiplyDivide(owed, raw(soldTokenUnits), raw(held), 'up'));
  return {
    ...debt,
    tokenUnits: subtract(held, soldTokenUnits),
    principalUsdcUnits: leftOf(debt.principalUsdcUnits),
    feesUsdcUnits: leftOf(debt.feesUsdcUnits),
  };
}
