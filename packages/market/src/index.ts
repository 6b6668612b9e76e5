// One direction: a folder imports only those above it. Subject: what a market can be about.

export {
  type CryptoCadence,
  type CryptoSettlement,
  type MarketCategory,
  type Sport,
  type SportLine,
  typicalGameSeconds,
} from './subject.ts';

// Record: the stored market and the catalogue's record in it.

export {
  identityFields,
  type ListedMarket,
  type MarketRecord,
  type MarketRow,
  type MarketStatus,
  marketFields,
  marketRecordOf,
  refreshedFields,
} from './record/market.ts';
export { isMatch, type MarketFilters } from './record/marketFilters.ts';
export { exchangeOf, type MarketVersion, marketProtocols, marketVersions } from './record/protocol.ts';
export { type GameState, type ResolutionStatus, resolutionStatuses, type VenueMarket } from './record/venueMarket.ts';

// Facts: what a decision reads of both.

export type { CryptoFacts, MarketFacts, SportFacts } from './facts/marketFacts.ts';
export { type MarketOverlay, marketFactsOf, observedStatusOf, plainOverlayOf } from './facts/marketFactsOf.ts';

// Statistics: the history of a token.

export { expE12, oneE12, sqrtE12 } from './math/fixedPoint.ts';
export {
  type ObservationAges,
  type ObservationConfig,
  observationDefaults,
  type StatisticsConfig,
} from './observation.ts';
export { haircutLevelsOf, minimumLevelsOf } from './statistics/depthProfile.ts';
export { sideStatisticsOf } from './statistics/readStatistics.ts';
export { recordSample } from './statistics/recordSample.ts';
export { emptyStatistics, type TokenStatistics } from './statistics/tokenStatistics.ts';

// Snapshot: the observed market, and its marks.

export {
  type AgedPrice,
  type MarketSnapshot,
  type ReferenceSnapshot,
  type SideSnapshot,
  sideOf,
} from './snapshot/marketSnapshot.ts';
export { displayMarkOf, liveMidOf, type Mark, type MarkConfig, type MarkedBook, markOf } from './snapshot/marks.ts';
export { unknownMarketOf, unseenMarketOf } from './snapshot/unseenMarket.ts';
