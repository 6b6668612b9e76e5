import type { LeverageBps, RateBps } from '../units/quantity.ts';

/** Taker fee of the venue for one market: fee = tokens × rate × (p × (1 − p))^exponent, in USDC. */
export interface VenueFeeSchedule {
  /** Rate × 1,000,000. A market without fees has 0. */
  readonly ratePpm: bigint;
  /** A whole number from 0 to 4. */
  readonly exponent: bigint;
}

/** One step of the origination fee: applies to leverages up to and including its maximum. */
export interface OriginationTier {
  readonly maxLeverageBps: LeverageBps;
  readonly feeBps: RateBps;
}

/** Everything a position is charged, as quoted to one partner on one market. */
export interface FeeSchedule {
  /** Protocol tiers, ascending; the last one must reach the highest leverage allowed. */
  readonly originationTiers: readonly OriginationTier[];
  /** Added to every tier and paid to the partner (deprecated by the specification, still signed). */
  readonly partnerOriginationFeeBps: RateBps;
  /** Cap on the combined origination fee, from the chain. */
  readonly contractMaxOriginationFeeBps: RateBps;
  /** Builder fee on notional, part of the opening trading fee. */
  readonly partnerTradingFeeBps: RateBps;
  /** Yearly rate on borrowed capital. */
  readonly lifetimeFeeAprBps: RateBps;
  /** Fee on the principal repaid by a liquidation. */
  readonly liquidationFeeBps: RateBps;
  readonly venue: VenueFeeSchedule;
}
