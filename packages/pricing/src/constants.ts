import { leverageBps, rateBps, tokenUnits, usdcUnits, usdPips } from './units/quantity.ts';

/**
 * Numeric rules of the specification and of the vault that pricing computes with. Settings of an operator are in the
 * policy's table, numbers of routes beside the routes, and numbers of the contract alone in the contract. A parity test
 * compares the numbers that Solidity repeats.
 */
export const constants = {
  // Leverage (specification: Limits, Quote revision rules).
  leverageStepBps: leverageBps(2_500n),
  minLeverageBps: leverageBps(20_000n),
  maxLeverageBps: leverageBps(100_000n),
  /** Lowest leverage of a revision and of the vault; anything lower is LIQUIDITY_INSUFFICIENT. */
  minRevisedLeverageBps: leverageBps(15_000n),
  /** Notional buckets of `leverage.max_market_leverage_per_notional`. */
  leverageBucketsUsdPips: {
    at100Usd: usdPips(1_000_000n),
    at500Usd: usdPips(5_000_000n),
    at1000Usd: usdPips(10_000_000n),
    at10000Usd: usdPips(100_000_000n),
  },

  /** Collateral floor of the vault; an environment or a partner may only raise its own. */
  minCollateralUsdcUnits: usdcUnits(1_000_000n),

  // Slippage and partial-open (specification: Limits).
  minSlippageBps: rateBps(100n),
  maxSlippageBps: rateBps(1_000n),
  /** Default slippage of a request, and the slippage of the leverage that a market shows. */
  defaultSlippageBps: rateBps(500n),
  minFillBps: rateBps(2_000n),
  maxFillBps: rateBps(5_000n),
  fillStepBps: rateBps(500n),

  // Liquidation viability: the liquidation price stays this far below entry and mark.
  minLiquidationTolerancePctBps: rateBps(100n),

  /** Seconds of the 365-day year on which lifetime fees accrue. */
  secondsPerYear: 31_536_000,

  // Sizes of the venue.
  shareStepTokenUnits: tokenUnits(10_000n),
  minOrderTokenUnits: tokenUnits(5_000_000n),
  /** Balance below which a position is finished; the remaining dust stays claimable. */
  dustTokenUnits: tokenUnits(10_000n),
  /** Smallest part of the delivered tokens that a partial close sells. */
  minPartialCloseBps: rateBps(2_000n),
} as const;
