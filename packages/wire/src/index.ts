export { buildAsyncApi } from './asyncapi/buildAsyncApi.ts';
export * from './codecs/formats.ts';
export { money, moneyPair, nullableMoney } from './codecs/money.ts';
export * from './codecs/quantities.ts';
export { type ErrorEnvelope, errorEnvelope, errorEnvelopeSchema } from './errorEnvelope.ts';
export { type NotificationCode, notifications } from './events/notifications.ts';
export {
  type EventDefinition,
  type EventType,
  eventFrame,
  events,
  type Gateway,
  sampleEventsOf,
} from './events.ts';
export { buildOpenApi, codesOf } from './openapi/buildOpenApi.ts';
export { exampleOf, type RouteExample } from './openapi/examples.ts';
export { apiDescription } from './openapi/prose.ts';
export type { QuoteRequestWire } from './requests/quoteRequest.ts';
export { type ContractInfoWire, contractInfo } from './resources/contractInfo.ts';
export { type FeeReportWire, feeRates, feeReport } from './resources/fees.ts';
export { type LedgerWire, ledger } from './resources/ledger.ts';
export { type LimitUsageWire, limitUsage } from './resources/limitUsage.ts';
export { type ListWire, listOf } from './resources/list.ts';
export { type MarketWire, market } from './resources/market.ts';
export {
  type MarketStatisticsWire,
  marketStatistics,
  type OrderBookWire,
  orderBook,
  type PriceHistoryRange,
  priceHistory,
} from './resources/marketData.ts';
export { type PartialCloseWire, partialClose } from './resources/partialClose.ts';
export {
  type ClosedPositionWire,
  closedPosition,
  type OpenPositionWire,
  openPosition,
  type PositionWire,
  position,
} from './resources/position.ts';
export { type PositionTransactionsWire, positionTransactions } from './resources/positionTransactions.ts';
export {
  type DraftQuoteWire,
  draftQuote,
  type OpeningTransactionWire,
  type QuoteWire,
  quote,
} from './resources/quote.ts';
export { sampleEventRun } from './resources/sampleEvents.ts';
export { type TokenWire, token } from './resources/token.ts';
export {
  type PlannedUnwindsWire,
  plannedUnwinds,
  type UnwindsWire,
  unwindList,
  unwinds,
} from './resources/unwinds.ts';
export { fieldAtFault } from './routes/fields.ts';
export { type AuthLevel, basePath, type RouteDefinition, type RouteThrottle } from './routes/route.ts';
export { type Throttle, throttles } from './routes/throttles.ts';
export { type RouteName, routes } from './routes.ts';
export { clientFrame, type ServerFrame, serverFrames } from './sockets/frames.ts';
export {
  closeCodes,
  type GatewayDefinition,
  gateways,
  socketBasePath,
  socketLimits,
  socketProtocol,
  tokenProtocolPrefix,
} from './sockets/gateways.ts';
