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

export const debtOf = ({ principalUsdcUnits, feesUsdcUnits }: PositionDebt): UsdcUnits =>
  add(principalUsdcUnits, feesUsdcUnits);

/** Return the payout of the proceeds of everything to the wallet: what the debt leaves, or nothing. */
export const payoutOf = (proceeds: UsdcUnits, debt: PositionDebt): UsdcUnits =>
  max(nothing, subtract(proceeds, debtOf(debt)));

/** Return the debt after a payment from the wallet: fees first, then principal, at most the debt. */
export function afterMargin(debt: PositionDebt, paidUsdcUnits: UsdcUnits): PositionDebt {
  const { principalUsdcUnits: principal, feesUsdcUnits: fees } = debt;
  const forPrincipal = max(nothing, subtract(paidUsdcUnits, fees));
  return {
    ...debt,
    principalUsdcUnits: max(nothing, subtract(principal, forPrincipal)),
    feesUsdcUnits: max(nothing, subtract(fees, paidUsdcUnits)),
  };
}

/** Return the debt after a sale of some tokens, which repay their share of principal and fees, each rounded up. */
export function afterSale(debt: PositionDebt, soldTokenUnits: TokenUnits): PositionDebt {
  const { tokenUnits: positionUnits } = debt;
  if (compare(soldTokenUnits, positionUnits) >= 0) {
    return {
      ...debt,
      tokenUnits: subtract(positionUnits, positionUnits),
      principalUsdcUnits: nothing,
      feesUsdcUnits: nothing,
    };
  }
  const leftOf = (owed: UsdcUnits): UsdcUnits =>
    subtract(owed, multiplyDivide(owed, raw(soldTokenUnits), raw(positionUnits), 'up'));
  return {
    ...debt,
    tokenUnits: subtract(positionUnits, soldTokenUnits),
    principalUsdcUnits: leftOf(debt.principalUsdcUnits),
    feesUsdcUnits: leftOf(debt.feesUsdcUnits),
  };
}
