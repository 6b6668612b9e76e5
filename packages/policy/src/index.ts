export { type BuyLimitInputs, buyLimitOf } from './attestation/buyLimit.ts';
export {
  type AttestationRefusal,
  type AttestationRefusalReason,
  type AttestationRequest,
  type AttestationTerms,
  type AttestedPosition,
  type AttestedPurpose,
  decideAttestation,
} from './attestation/decideAttestation.ts';
export type {
  AgeConfig,
  AttestationConfig,
  CryptoRow,
  EntryConfig,
  ExecutionConfig,
  LimitConfig,
  ModelConfig,
  PolicyConfig,
  PriceBand,
  QuoteConfig,
  SportConfig,
  SportRow,
  StatisticsConfig,
} from './config.ts';
export { policyDefaults } from './defaults.ts';
export { capacityMaxOf, type MarketView } from './eligibility/capacityMax.ts';
export { decideEligibility, type Eligibility, eligibilityPrecedence } from './eligibility/decideEligibility.ts';
export { type MarketLimits, marketLimitsOf, type SideLeverage, type SideLimits } from './eligibility/marketLimits.ts';
export { reasonOfCode } from './eligibility/sideReason.ts';
export { coveredValueOf, oddsShockOf, type ShockInputs, varianceOf } from './leverage/oddsShock.ts';
export { isReferenceSilent } from './leverage/referenceSilence.ts';
export {
  leastSalePriceOf,
  leverageLimitOf,
  modelOfferOf,
  type SideModel,
  type SizedEntry,
  sideModelOf,
  sizedEntryOf,
} from './leverage/sideModel.ts';
export {
  debtPerTokenOf,
  leastLimitOf,
  readWatch,
  sellableTokensOf,
  toTriggerPips,
  type WatchInputs,
  type WatchReading,
} from './leverage/watch.ts';
export { type BorrowLimit, borrowLimitsOf, clusterBorrowCapOf } from './limits/borrowLimits.ts';
export { type NotionalLimit, notionalLimitsOf } from './limits/notionalLimits.ts';
export type {
  CryptoCadence,
  CryptoFacts,
  MarketCategory,
  MarketFacts,
  MarketStatus,
  Side,
  Sport,
  SportFacts,
  SportLine,
} from './market/marketFacts.ts';
export type {
  AgedPrice,
  MarketSnapshot,
  ReferenceSnapshot,
  SideSnapshot,
  TimeWeightedPrice,
} from './market/marketSnapshot.ts';
export { sideOf } from './market/marketSnapshot.ts';
export { displayMarkOf, liveMidOf, openingMarkOf } from './market/marks.ts';
export { latestEntryAtMsOf, type RiskPhase, riskPhaseOf, typicalEndAtMsOf } from './market/riskPhase.ts';
export { unknownMarketOf, unseenMarketOf } from './market/unseenMarket.ts';
export { type CloseAttempt, closeRetryDelayMs, isCloseRetryDue } from './position/closeRetry.ts';
export { decidePositionAction } from './position/decidePositionAction.ts';
export type {
  LiveOrder,
  OpeningFailureReason,
  PositionAction,
  PositionObservation,
} from './position/positionAction.ts';
export {
  activeStatuses,
  type CloseReason,
  closeReasonOf,
  closeReasons,
  inactiveStatuses,
  isLegalTransition,
  isTerminal,
  type OrderPurpose,
  orderPurposes,
  type PositionMove,
  type PositionStateName,
  type PositionStatus,
  type PositionTransition,
  positionStates,
  positionStatusOf,
  positionTransitions,
  type StatusInputs,
} from './position/transitions.ts';
export { type UnwindInput, type UnwindReason, unwindReasonOf, unwindReasons } from './position/unwindReasons.ts';
export { type ContractTerms, chargedFeesOf, isPartnerFeeAllowed } from './quote/contractTerms.ts';
export { decideQuote, type QuoteDecisionInputs } from './quote/decideQuote.ts';
export type { Gate } from './quote/gate.ts';
export { quoteGates } from './quote/gates.ts';
export type { PartnerFees, PartnerLimits, PartnerTerms, RiskMode } from './quote/partnerTerms.ts';
export { type PartnerOverrides, partnerTermsOf } from './quote/partnerTermsOf.ts';
export type { PlannedUnwind, PricedQuote, Revision } from './quote/pricedQuote.ts';
export type { QuoteKind, QuoteRequest, ServiceSnapshot } from './quote/quoteRequest.ts';
export type { NotionalUsage, PoolSnapshot, UsageSnapshot } from './quote/usageSnapshot.ts';
export { changeOverOf, type SideStatistics, sideStatisticsOf } from './statistics/readStatistics.ts';
export { type BookSample, recordSample } from './statistics/recordSample.ts';
export {
  type DepthBucket,
  type DepthStep,
  emptyStatistics,
  type MidSample,
  type TokenStatistics,
  type VarianceState,
} from './statistics/tokenStatistics.ts';
