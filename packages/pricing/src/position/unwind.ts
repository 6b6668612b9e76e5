import { divide, max, min, multiplyDivide, subtract } from '../units/arithmetic.ts';
import { tokensFor, wholeBps } from '../units/conversion.ts';
import {
  type LeverageBps,
  type PricePips,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '../units/quantity.ts';

/**
 * Tokens to sell so that what is left owes at most a target per token: ⌈(D − n × d') / (g − d')⌉ with D debt,
 * n tokens held, d' target debt per token, g net price of the sale (RISK.md, watch). 0 when the target already holds,
 * all tokens when the sale brings too little to reach it.
 */
export function unwindTokensOf({
  debtUsdcUnits,
  heldTokenUnits,
  targetDebtPricePips,
  netSalePricePips,
}: {
  readonly debtUsdcUnits: UsdcUnits;
  readonly heldTokenUnits: TokenUnits;
  /** d': debt per token to end at, in pips per token; 0 repays everything. */
  readonly targetDebtPricePips: PricePips;
  /** g: average price of the sale after the venue's fee. */
  readonly netSalePricePips: PricePips;
}): TokenUnits {
  const target = raw(targetDebtPricePips);
  const excess = raw(debtUsdcUnits) * wholeBps - raw(heldTokenUnits) * target;
  const gain = raw(netSalePricePips) - target;
  if (excess <= 0n) return tokenUnits(0n);
  if (gain <= 0n) return heldTokenUnits;
  return min(tokenUnits(divide(excess, gain, 'up')), heldTokenUnits);
}

/** Principal of a planned rung: collateral × (L' − 1), rounded down; 0 at 1x and below. */
export function plannedPrincipalOf(collateralUsdcUnits: UsdcUnits, targetLeverageBps: LeverageBps): UsdcUnits {
  const target = multiplyDivide(collateralUsdcUnits, raw(targetLeverageBps) - wholeBps, wholeBps, 'down');
  return max(usdcUnits(0n), target);
}

/**
 * Tokens to sell so that the principal falls to a planned rung: ⌈(P − P') × 10,000 / g⌉, at most all of them.
 * Principal is repaid before fees, so the net price of the sale alone decides. All tokens at price zero.
 */
export function plannedUnwindTokensOf({
  principalUsdcUnits,
  targetPrincipalUsdcUnits,
  heldTokenUnits,
  netSalePricePips,
}: {
  readonly principalUsdcUnits: UsdcUnits;
  readonly targetPrincipalUsdcUnits: UsdcUnits;
  readonly heldTokenUnits: TokenUnits;
  readonly netSalePricePips: PricePips;
}): TokenUnits {
  const repaid = subtract(principalUsdcUnits, targetPrincipalUsdcUnits);
  if (raw(repaid) <= 0n) return tokenUnits(0n);
  if (raw(netSalePricePips) <= 0n) return heldTokenUnits;
  return min(tokensFor(repaid, netSalePricePips, 'up'), heldTokenUnits);
}
