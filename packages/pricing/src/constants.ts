import { leverageBps, rateBps, tokenUnits, usdcUnits, usdPips } from './units/quantity.ts';

/**
 * Numeric rules of the specification and of the vault that pricing computes with, each in one place. What an operator
 * may change stands in the policy's table, what only routes need with the routes, and what only the contract needs in
 * the contract. Solidity repeats those it shares; a parity test compares them.
 */
export const constants = {
  // Leverage (specification: Limits, Quote revision rules).
  leverageStepBps: leverageBps(2_500n),
  minLeverageBps: leverageBps(20_000n),
  maxLeverageBps: leverageBps(100_000n),
  /** A revision below this is LIQUIDITY_INSUFFICIENT; also the lowest leverage the vault accepts. */
  minRevisedLeverageBps: leverageBps(15_000n),
  /** Notional buckets of `leverage.max_market_leverage_per_notional`. */
  leverageBucketsUsdPips: {
    at100Usd: usdPips(1_000_000n),
    at500Usd: usdPips(5_000_000n),
    at1000Usd: usdPips(10_000_000n),
    at10000Usd: usdPips(100_000_000n),
  },

  /** The vault's floor of collateral; an environment or a partner may only raise its own. */
  minCollateralUsdcUnits: usdcUnits(1_000_000n),

  // Slippage and partial-open (specification: Limits).
  minSlippageBps: rateBps(100n),
  maxSlippageBps: rateBps(1_000n),
  minFillBps: rateBps(2_000n),
  maxFillBps: rateBps(5_000n),
  fillStepBps: rateBps(500n),

  // Liquidation viability: the liquidation price stays this far below entry and mark.
  minLiquidationTolerancePctBps: rateBps(100n),

  /** Lifetime fees are yearly rates on 365 days. */
  secondsPerYear: 31_536_000,

  // Sizes of the venue.
  shareStepTokenUnits: tokenUnits(10_000n),
  minOrderTokenUnits: tokenUnits(5_000_000n),
  /** Below this many token units a position is finished; what is left is dust that stays claimable. */
  dustTokenUnits: tokenUnits(10_000n),
  /** A partial close sells at least this share of what was delivered. */
  minPartialCloseBps: rateBps(2_000n),
} as const;
