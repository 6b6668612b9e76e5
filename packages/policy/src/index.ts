export type {
  AgeConfig,
  AttestationConfig,
  CryptoRow,
  EntryConfig,
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
export type { PartnerFees, PartnerLimits, PartnerTerms, RiskMode } from './quote/partnerTerms.ts';
export type { PlannedUnwind, PricedQuote, Revision } from './quote/pricedQuote.ts';
export type { QuoteKind, QuoteRequest, ServiceSnapshot } from './quote/quoteRequest.ts';
export type { NotionalUsage, PoolSnapshot, UsageSnapshot } from './quote/usageSnapshot.ts';
export type { BidBucket, MidSample, TokenStatistics, VarianceState } from './statistics/tokenStatistics.ts';
