import type { LeverageBps, RateBps } from '../units/quantity.ts';

/** Taker fee of the venue for one market: fee = tokens × rate × (p × (1 − p))^exponent, in USDC. */
export interface VenueFeeSchedule {
  /** Rate × 1,000,000; 0 for a market without fees. */
  readonly ratePpm: bigint;
  /** Whole number from 0 to 4. */
  readonly exponent: bigint;
}

/** Tier of the origination fee: applies to leverages up to and including its maximum. */
export interface OriginationTier {
  readonly maxLeverageBps: LeverageBps;
  readonly feeBps: RateBps;
}

/** Fees of a position as quoted to one partner on one market. */
export interface FeeSchedule {
  /** Protocol tiers, ascending; the last one must reach the highest leverage allowed. */
  readonly originationTiers: readonly OriginationTier[];
  /** Rate added to every tier and paid to the partner (deprecated by the specification, still signed). */
  readonly partnerOriginationFeeBps: RateBps;
  /** Cap on the combined origination fee, from the chain. */
  readonly contractMaxOriginationFeeBps: RateBps;
  /** Builder fee on notional, part of the opening trading fee. */
  readonly partnerTradingFeeBps: RateBps;
  /** Yearly rate on borrowed capital. */
  readonly lifetimeFeeAprBps: RateBps;
  /** Fee on the principal that a liquidation repays. */
  readonly liquidationFeeBps: RateBps;
  readonly venue: VenueFeeSchedule;
}
