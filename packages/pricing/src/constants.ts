import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits, usdPips } from './units/quantity.ts';

/**
 * Every numeric rule of the specification and of the vault's protocol, each in one place. Policy numbers that an
 * operator may change live elsewhere. Solidity repeats the contract ones; a parity test compares them.
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

  // Size (specification: Limits, Create request body; an environment or a partner may only raise them).
  minCollateralUsdcUnits: usdcUnits(1_000_000n),
  absoluteMinCollateralUsdPips: usdPips(10_000n),
  absoluteMinNotionalUsdPips: usdPips(50_000n),

  // Slippage and partial-open (specification: Limits).
  minSlippageBps: rateBps(100n),
  maxSlippageBps: rateBps(1_000n),
  minFillBps: rateBps(2_000n),
  maxFillBps: rateBps(5_000n),
  fillStepBps: rateBps(500n),
  /** Share of the notional the first order of an atomic opening must ask for. */
  minAtomicFillBps: rateBps(9_900n),

  // Liquidation viability: the liquidation price stays this far below entry and mark.
  minLiquidationTolerancePctBps: rateBps(100n),

  // Fee maxima of the vault.
  maxOriginationFeeBps: rateBps(500n),
  maxLifetimeFeeAprBps: rateBps(2_000n),
  maxLiquidationFeeBps: rateBps(1_000n),
  maxExitBufferBps: rateBps(1_500n),
  maxVenueFeeBps: rateBps(1_000n),
  maxPartnerTradingFeeBps: rateBps(100n),
  secondsPerYear: 31_536_000,

  // Prices and sizes of the venue.
  minPricePips: pricePips(1n),
  maxPricePips: pricePips(9_999n),
  voidPricePips: pricePips(5_000n),
  winPricePips: pricePips(10_000n),
  shareStepTokenUnits: tokenUnits(10_000n),
  minOrderTokenUnits: tokenUnits(5_000_000n),
  /** Below this many token units a position is finished; what is left is dust that stays claimable. */
  dustTokenUnits: tokenUnits(10_000n),
  /** A partial close sells at least this share of what was delivered. */
  minPartialCloseBps: rateBps(2_000n),

  // Paging, credentials and throttles (specification: Pagination, Authentication, Limits).
  minPageSize: 1,
  maxPageSize: 100,
  defaultPageSize: 25,
  tokenLifetimeSeconds: 3_600,
  maxActiveApiKeys: 2,
  apiKeyRequestsPerMinute: 120,
  walletRequestsPerMinute: 60,
  addressRequestsPerMinute: 30,
  tokenRequestsPerMinute: 1_800,
  sampleEventsIntervalSeconds: 30,
  quoteRequestsPerSecond: 1,
} as const;
