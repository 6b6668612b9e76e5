import {
  add,
  compare,
  type LeverageBps,
  leverageOf,
  liquidationPriceOf,
  max,
  min,
  multiplyDivide,
  type PricePips,
  pricePips,
  raw,
  subtract,
  type TokenUnits,
  type UsdcUnits,
  usdcUnits,
  valueOf,
} from '@core/pricing';
import type { PositionDebt } from '../chain/vaultCalls.ts';

const nothing = usdcUnits(0n);
const wholePrice = pricePips(10_000n);

/** Figures of a position that follow from its debt at a mark; the service shows the same. */
export interface DebtFigures {
  readonly tokenUnits: TokenUnits;
  /** Principal and fees. */
  readonly owedUsdcUnits: UsdcUnits;
  /** Value at the mark, rounded down, less the debt; never below zero. */
  readonly equityUsdcUnits: UsdcUnits;
  /** Value over equity, rounded down; null without equity. */
  readonly leverageBps: LeverageBps | null;
  /** Rounded down, at most 1 USD; 0 without principal. */
  readonly liquidationPricePips: PricePips;
}

/** Return the figures of a position with a debt at a mark. */
export function debtFiguresOf(debt: PositionDebt, markPricePips: PricePips): DebtFigures {
  const owed = add(debt.principalUsdcUnits, debt.feesUsdcUnits);
  const value = valueOf(debt.tokenUnits, markPricePips, 'down');
  const equity = max(nothing, subtract(value, owed));
  return {
    tokenUnits: debt.tokenUnits,
    owedUsdcUnits: owed,
    equityUsdcUnits: equity,
    leverageBps: raw(equity) === 0n ? null : leverageOf(value, equity),
    liquidationPricePips: min(wholePrice, liquidationPriceOf(debt)),
  };
}

/** Return the debt after a payment from the wallet: fees first, then principal, at most the debt. */
export function debtAfterMargin(debt: PositionDebt, paidUsdcUnits: UsdcUnits): PositionDebt {
  const { principalUsdcUnits: principal, feesUsdcUnits: fees } = debt;
  const forPrincipal = max(nothing, subtract(paidUsdcUnits, fees));
  return {
    ...debt,
    principalUsdcUnits: max(nothing, subtract(principal, forPrincipal)),
    feesUsdcUnits: max(nothing, subtract(fees, paidUsdcUnits)),
  };
}

/**
 * Return the debt after a sale of some tokens, which repay their share of principal and fees, each rounded up. A sale
 * of all tokens, or more, leaves nothing.
 */
export function debtAfterSale(debt: PositionDebt, soldTokenUnits: TokenUnits): PositionDebt {
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
