import type { ExecutionConfig } from '@core/position';
import type { FeeSchedule, LeverageBps, PricePips, RateBps, UsdcUnits, UsdPips } from '@core/pricing';

/** `unsupported` never reaches a list; quotes on it answer `quote_market_unsupported_category`. */
export type MarketCategory = 'crypto' | 'sport' | 'unsupported';

/** How often markets of a crypto series resolve: the rows of `PolicyConfig.crypto`. */
export type CryptoCadence = 'five_minute' | 'fifteen_minute' | 'hourly' | 'daily';

/** Sports of the risk table, the rows of `SportConfig`; `other` is every other two-way sport. */
export type Sport =
  | 'tennis'
  | 'esport'
  | 'basketball'
  | 'baseball'
  | 'cricket'
  | 'soccer'
  | 'table_tennis'
  | 'american_football'
  | 'ice_hockey'
  | 'other';

/** What a sport line bets on. Only a two-way `winner` is viable once the game runs (risk policy, finding 4). */
export type SportLine = 'winner' | 'three_way_winner' | 'spread' | 'total' | 'prop';

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
  /** A market is quoted on only while the debts in it were looked at this recently. */
  readonly maxDebtWatchAgeMs: number;
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
  /** Time a forced sale may take; what holds until a category has been measured (`ExitConfig`). */
  readonly exitSeconds: bigint;
  /** Logit variance over probit variance of a market that must resolve: 2.7. */
  readonly logitVarianceRatioBps: bigint;
  /** Share of the five-minute minimum of the bids that counts at entry. */
  readonly bidHaircutBps: RateBps;
  /** A sale below `mark × (1 − slip)` is neither assumed nor made. */
  readonly slipBps: RateBps;
  /** What the vault allows at most, reached when a hard exit comes to the jump. */
  readonly maxSlipBps: RateBps;
  /** Time before the jump in which the slip of a hard exit widens. */
  readonly slipWideningMs: number;
  readonly exitBufferBps: RateBps;
  /** Maximum leverage at the minimum notional below which a side is closed. */
  readonly minSideLeverageBps: LeverageBps;
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
  /** Older mids are forgotten; no shorter than the window of the average. */
  readonly midWindowMs: number;
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
  /** Minimum time assumed to be left while the game runs. */
  readonly minLeftSeconds: number;
  readonly inPlayPriceBand: PriceBand;
  readonly pregamePriceBand: PriceBand;
  readonly pregameJumpBps: bigint;
  /** Before the start. */
  readonly pregameLatestEntrySeconds: number;
  readonly pregameHardExitSeconds: number;
}

/** What a partner's users are charged; the venue's part comes with the market, the cap with the chain. */
export type PartnerFees = Omit<FeeSchedule, 'venue' | 'contractMaxOriginationFeeBps'>;

/** Caps that may differ per partner; the defaults are those of `LimitConfig`. */
export interface PartnerLimits {
  readonly userNotionalUsdPips: UsdPips;
  readonly sideNotionalUsdPips: UsdPips;
  readonly marketNotionalUsdPips: UsdPips;
  readonly partnerNotionalUsdPips: UsdPips;
  readonly globalNotionalUsdPips: UsdPips;
  readonly userBorrowUsdcUnits: UsdcUnits;
  readonly sideBorrowUsdcUnits: UsdcUnits;
  readonly marketBorrowUsdcUnits: UsdcUnits;
  /** Ceiling of the protocol's total lending; the pool's own free liquidity binds beside it. */
  readonly totalBorrowUsdcUnits: UsdcUnits;
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
  /** Largest distance between the two observations that still counts as a confirmation. */
  readonly maxConfirmationSpanMs: number;
}

/** Cadence of forced sales. */
export interface UnwindConfig {
  /** Time from one killed order to the next. */
  readonly retryDelayMs: number;
  /** The same while a hard exit is in force. */
  readonly hardExitDelayMs: number;
  /** Size of the next order as a share of the one that was killed. */
  readonly smallerBps: bigint;
}

/**
 * How the measured time from trigger to settled sale (s, the 95th percentile per category) becomes the exit time that
 * leverage rests on: `multiple × s + addedSeconds` between the bounds, in whole steps.
 */
export interface ExitConfig {
  /** Sales older than this are not counted. */
  readonly windowMs: number;
  /** With fewer sales nothing is measured. */
  readonly minimumSaleCount: number;
  /** What s is taken for meanwhile: with some sales, and with none at all. */
  readonly assumedMs: { readonly some: number; readonly none: number };
  /** A category whose s is above it takes no quotes. */
  readonly maxExitMs: number;
  readonly multiple: number;
  readonly addedSeconds: number;
  readonly minimumSeconds: Readonly<Record<Exclude<MarketCategory, 'unsupported'>, number>>;
  readonly maximumSeconds: number;
  readonly stepSeconds: number;
  /** The exit time rises at once and falls by one step in this time. */
  readonly loweringIntervalMs: number;
}

/** The ladder of committed positions. */
export interface LadderConfig {
  /** Rungs between the mark of the quote and the price at which the cover of its debt ends. */
  readonly rungCount: number;
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
  readonly unwind: UnwindConfig;
  readonly exit: ExitConfig;
  readonly ladder: LadderConfig;
  readonly execution: ExecutionConfig;
  readonly quote: QuoteConfig;
}
