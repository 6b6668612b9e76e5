import type { CryptoCadence, MarketCategory, ObservationAges, Sport, SportLine, StatisticsConfig } from '@core/market';
import type { ExecutionConfig, LivePurpose, Route } from '@core/position';
import type { FeeSchedule, LeverageBps, PricePips, RateBps, UsdcUnits, UsdPips } from '@core/pricing';

/** Oldest data a decision may rest on, in milliseconds unless named otherwise. */
export interface AgeConfig extends ObservationAges {
  readonly maxPriceAgeMs: number;
  readonly maxSpotAgeMs: number;
  readonly maxSportAgeMs: number;
  readonly maxTwapSampleAgeMs: number;
  readonly maxSecondSourceAgeMs: number;
  /** An opening mark counts the last trade only when it is younger. */
  readonly maxLastTradeAgeMs: number;
  readonly maxKeeperHeartbeatAgeMs: number;
  /** Age of the last check of a market's debts above which it has no quotes. */
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
  /** Maximum of the vault, reached when a hard exit comes to the jump. */
  readonly maxSlipBps: RateBps;
  /** Time before the jump in which the slip of a hard exit widens. */
  readonly slipWideningMs: number;
  readonly exitBufferBps: RateBps;
  /** Maximum leverage at the minimum notional below which a side is closed. */
  readonly minSideLeverageBps: LeverageBps;
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

/** Fees of a partner's users; the venue's part comes with the market, the cap with the chain. */
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
  /** Highest fee rate of the exchange at which a debt that is not covered is sold before the hard exit. */
  readonly maxVenueFeeBps: RateBps;
}

/**
 * Rule from the measured time between trigger and settled sale (s, the 95th percentile per category) to the exit time
 * that leverage depends on: `multiple × s + addedSeconds` between the bounds, in whole steps.
 */
export interface ExitConfig {
  /** Sales older than this are not counted. */
  readonly windowMs: number;
  /** With fewer sales nothing is measured. */
  readonly minimumSaleCount: number;
  /** Value of s meanwhile: with some sales, and with none at all. */
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

/** Cost of a filler beside the prices of the book and the venue's fee: the path of every grant covers it. */
export interface FillerCost {
  /** Its profit as a share of the money traded. */
  readonly marginBps: RateBps;
  /** Its transactions. */
  readonly gasUsdcUnits: UsdcUnits;
}

/** Grants of the route Fill, which anyone may fill at a price that moves from the mark to the limit. */
export interface GrantConfig {
  /** Life of a grant in seconds, within the bounds of the vault; its price path takes the first half. */
  readonly validForSeconds: Readonly<Record<LivePurpose, number>>;
  /** Longest life that the vault takes. */
  readonly maxSeconds: number;
  /**
   * Largest distance of the limit from the mark, as in the vault. `pricedClose`: a close whose user has named a
   * least price.
   */
  readonly bandBps: Readonly<Record<LivePurpose | 'pricedClose', RateBps>>;
  /** Largest distance of limit and fee part together from the mark, as in the vault. */
  readonly costBps: Readonly<Record<LivePurpose | 'pricedClose', RateBps>>;
  readonly fillerCost: FillerCost;
  /** Highest fee part that the vault takes. */
  readonly maxVenueFeeBps: RateBps;
  /** Oldest observation that is signed: the vault's limit is a few seconds more. */
  readonly maxAgeSeconds: number;
  /** Standard deviations by which the odds may move in the age and the life of an opening grant. */
  readonly jumpMultiplierBps: bigint;
  /** Part of the collateral's share of a notional that this move may take from the price. */
  readonly jumpShareBps: bigint;
  /** Time before the end of a crypto market in which its result is averaged: no fill happens there. */
  readonly averagedEndSeconds: number;
  /** Attempts of an opening whose grants end unfilled, before its refund. */
  readonly maxOpenAttempts: number;
  /** Unfilled grants of a kind and category in a row after which it has no fillers. */
  readonly unfilledCount: number;
  /** Time after the last of them for which that holds. */
  readonly fillWindowMs: number;
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
  /** Route of openings: on `fill` no more leverage is offered than price signers grant. */
  readonly openingRoute: Route;
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
  readonly grant: GrantConfig;
  readonly exit: ExitConfig;
  readonly ladder: LadderConfig;
  readonly execution: ExecutionConfig;
  readonly quote: QuoteConfig;
}
