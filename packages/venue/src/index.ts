export type { VenueOrder } from '@core/vault';
export { bookHashOf, type HashedBook, isBookHashValid } from './book/bookHash.ts';
export { BookStore, type BookUpdate, type ConfirmOutcome } from './book/bookStore.ts';
export {
  bookAgeMsOf,
  isCrossed,
  isOneSided,
  type Mark,
  markOf,
  maximumAttestedAgeMs,
  type SeenPrice,
  type TokenBook,
} from './book/tokenBook.ts';
export { defaultRetryPolicy, type RetryPolicy } from './client/httpRequest.ts';
export { HttpVenueClient, type HttpVenueClientOptions } from './client/httpVenueClient.ts';
export type {
  BookSnapshot,
  CataloguePage,
  CatalogueQuery,
  MakerFill,
  OrderState,
  OrderStatus,
  PlacedOrder,
  PlacedOrderStatus,
  PlaceOrderRequest,
  PriceHistoryQuery,
  PricePoint,
  TopHolder,
  TradeQuery,
  TradeState,
  TradeStatus,
  UnreadableRecord,
  VenueClient,
} from './client/venueClient.ts';
export { type Clock, systemClock } from './clock.ts';
export { scaledOf, toPricePips, toPricePipsDown, toTokenUnits, toUsdPipsDown } from './decimal.ts';
export { parseExactJson } from './exactJson.ts';
export { type FollowedClock, type FollowedClockOptions, followedClock } from './followedClock.ts';
export { checkIdentity, type IdentityCheck, type IdentityProblem, type IdentityTerms } from './market/checkIdentity.ts';
export { defaultCryptoAssets } from './market/cryptoAsset.ts';
export { type MarketOverlay, marketFactsOf, observedStatusOf, plainOverlayOf } from './market/marketFacts.ts';
export { type ParsedRecord, type ParseOptions, parseMarketRecord } from './market/parseMarketRecord.ts';
export type { GameState, ResolutionStatus, VenueMarket } from './market/venueMarket.ts';
export { HttpReferenceFeeds, type HttpReferenceFeedsOptions } from './reference/httpReferenceFeeds.ts';
export type { GameReading, ReferenceFeeds, SpotReading } from './reference/referenceFeeds.ts';
export { bookSnapshotOf, type WireBook, wireBookSchema } from './schema/book.ts';
export { type CatalogueRecord, catalogueRecordSchema } from './schema/catalogue.ts';
export { type EventRecord, eventRecordSchema } from './schema/event.ts';
export {
  type MarketMessage,
  type OrderSideWord,
  type PriceChange,
  parseMarketMessage,
} from './schema/marketMessage.ts';
export { placedOrderSchema, placeOrderBodyOf, placeOrderBodySchema } from './schema/orders.ts';
export { publicTradesSchema } from './schema/publicTrade.ts';
export { type TradingTerms, tradingTermsOf, tradingTermsSchema } from './schema/tradingTerms.ts';
export { parseUserMessage, type UserMessage } from './schema/userMessage.ts';
export { MarketSocket, type MarketSocketOptions } from './socket/marketSocket.ts';
export {
  type DisconnectReason,
  defaultSocketTiming,
  type SocketState,
  type SocketTiming,
} from './socket/reconnectingSocket.ts';
export { UserSocket, type UserSocketOptions } from './socket/userSocket.ts';
export {
  isVenueFault,
  type UpstreamFailure,
  VenueFault,
  type VenueFaultCode,
  type VenueFaultEffect,
  venueFault,
  venueFaultRules,
} from './venueFault.ts';
export type { Hex, SignedVenueOrder, VenueOrderType } from './venueOrder.ts';
export { defaultReaderTiming, type ReaderTiming } from './watch/bookReader.ts';
export { MarketWatch } from './watch/marketWatch.ts';
export { referenceOf } from './watch/referenceOf.ts';
export type { MarketTick, MarketWatchOptions, WatchHealth, WatchTiming } from './watch/watchOptions.ts';
