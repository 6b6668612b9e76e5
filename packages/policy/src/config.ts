import type { LeverageBps, PricePips, RateBps, UsdPips } from '@core/pricing';
import type { CryptoCadence, Sport, SportLine } from './market/marketFacts.ts';
import type { PartnerFees, PartnerLimits } from './quote/partnerTerms.ts';

/** Oldest data a decision may rest on, in milliseconds unless named otherwise. */
export interface AgeConfig {
  readonly maxBookAgeMs: number;
  readonly maxPriceAgeMs: number;
  readonly maxSpotAgeMs: number;
  readonly maxSportAgeMs: number;
  readonly twapWindowMs: number;
  readonly twapMinimumSampleCount: number;
  /** Span the samples must cover at least. */
  readonly twapMinimumSpanMs: number;
  readonly maxTwapSampleAgeMs: number;
  readonly maxSecondSourceAgeMs: number;
  /** An opening mark counts the last trade only when it is younger. */
  readonly maxLastTradeAgeMs: number;
  readonly maxKeeperHeartbeatAgeMs: number;
  /** Silence of the spot feed that doubles the variance. */
  readonly maxSpotSilenceMs: number;
  /** The same for the score feed, which speaks about every two minutes. */
  readonly maxSportSilenceMs: number;
}

/** Quality a book must have before anything opens on it. */
export interface EntryConfig {
  readonly maxSpreadPricePips: PricePips;
  /** Distance from the best price within which depth counts. */
  readonly depthBandPricePips: PricePips;
  /** Depth needed, as a multiple of the notional. */
  readonly depthMultiple: bigint;
  readonly maxTopHolderShareBps: RateBps;
  readonly minVolume24hUsdPips: UsdPips;
  readonly minOpenInterestUsdPips: UsdPips;
  readonly maxDivergencePricePips: PricePips;
  /** Ticks that must lie between entry and the liquidation price at the lowest leverage. */
  readonly minTickCount: bigint;
}

/** The covered-value model of the risk policy. Multipliers carry the scale of basis points: 35000 is 3.5. */
export interface ModelConfig {
  readonly shockMultiplierBps: bigint;
  readonly marginMultiplierBps: bigint;
  readonly exitSeconds: bigint;
  /** Logit variance over probit variance of a market that must resolve: 2.7. */
  readonly logitVarianceRatioBps: bigint;
  /** Share of the five-minute minimum of the bids that counts at entry. */
  readonly bidHaircutBps: RateBps;
  /** A sale below `mark × (1 − slip)` is neither assumed nor made. */
  readonly slipBps: RateBps;
  readonly exitBufferBps: RateBps;
  /** Smallest offer at the minimum notional that keeps a side open. */
  readonly minOfferLeverageBps: LeverageBps;
  /** An unwind whose target is at most this share of the net value repays the whole debt instead. */
  readonly fullExitShareBps: RateBps;
}

export interface StatisticsConfig {
  readonly varianceHalfLifeMs: number;
  /** Spacing of the increments whose squares are averaged: the row width the policy was fitted on. */
  readonly varianceIntervalMs: number;
  readonly minPricePips: PricePips;
  readonly maxPricePips: PricePips;
  readonly minimumBidsWindowMs: number;
  readonly minimumBidsBucketMs: number;
  /** Every other mid of the history is at least this far apart. */
  readonly midSpacingMs: number;
  readonly changeWindowMs: number;
}

export interface PriceBand {
  readonly minPricePips: PricePips;
  readonly maxPricePips: PricePips;
}

/** Time limits of a crypto cadence, counted back from its close. */
export interface CryptoRow {
  readonly hardExitSeconds: number;
  readonly latestEntrySeconds: number;
  readonly jumpBps: bigint;
  readonly priceBand: PriceBand;
}

export interface SportRow {
  readonly typicalLengthSeconds: number;
  readonly jumpBps: bigint;
  /** Lines that may be entered while the game runs. */
  readonly inPlayLines: readonly SportLine[];
  readonly isPregameEntryAllowed: boolean;
}

export interface SportConfig {
  readonly rows: Readonly<Record<Sport, SportRow>>;
  /** Shares of the typical length. */
  readonly latestEntryElapsedBps: number;
  readonly hardExitElapsedBps: number;
  /** Least time assumed to be left while the game runs. */
  readonly minLeftSeconds: number;
  readonly inPlayPriceBand: PriceBand;
  readonly pregamePriceBand: PriceBand;
  readonly pregameJumpBps: bigint;
  /** Before the start. */
  readonly pregameLatestEntrySeconds: number;
  readonly pregameHardExitSeconds: number;
}

export interface LimitConfig {
  readonly partner: PartnerLimits;
  /** Borrow cap of one crypto hour and of one game, as a multiple of `max(reserve, share of assets)`. */
  readonly cryptoClusterMultiple: bigint;
  readonly sportClusterMultiple: bigint;
  readonly clusterAssetShareBps: RateBps;
}

export interface AttestationConfig {
  /** A liquidation mark must be seen twice at least this far apart, or be confirmed by the second source. */
  readonly confirmationSpanMs: number;
  /** Largest distance between the two sightings that still counts as a confirmation. */
  readonly maxConfirmationSpanMs: number;
  /** Orders below this size do not exist on the venue. */
  readonly minSaleTokenUnits: bigint;
}

export interface ExecutionConfig {
  /** An opening that is killed is tried so often, then refunded. */
  readonly maxOpenAttempts: number;
  readonly retryDelayMs: number;
  /** Time from one order of a liquidation to the next: what is left falls further meanwhile. */
  readonly liquidationRetryDelayMs: number;
  /** Orders for a close that keep selling nothing come at least so often. */
  readonly maxCloseRetryDelayMs: number;
  /** A fill of this share of the notional counts as complete: sizes have two decimals. */
  readonly completeFillBps: bigint;
}

export interface QuoteConfig {
  readonly windowSeconds: number;
  /** Reservations live this much longer than the signature. */
  readonly graceSeconds: number;
  readonly minNotionalUsdPips: UsdPips;
  readonly minCollateralUsdPips: UsdPips;
  readonly maxLeverageBps: LeverageBps;
}

/** Every number the policy rests on. `policyDefaults` is the one table; an environment may override parts of it. */
export interface PolicyConfig {
  readonly ages: AgeConfig;
  readonly entry: EntryConfig;
  readonly model: ModelConfig;
  readonly statistics: StatisticsConfig;
  /** Null: markets of this cadence are not entered. */
  readonly crypto: Readonly<Record<CryptoCadence, CryptoRow | null>>;
  readonly sport: SportConfig;
  readonly fees: PartnerFees;
  readonly limits: LimitConfig;
  readonly attestation: AttestationConfig;
  readonly execution: ExecutionConfig;
  readonly quote: QuoteConfig;
}
