export * from './codecs/formats.ts';
export { money, moneyOf, moneyPair, moneyUnits, nullableMoney } from './codecs/money.ts';
export * from './codecs/quantities.ts';
export { type ErrorEnvelope, errorEnvelope, errorEnvelopeSchema, type WireErrorParams } from './errorEnvelope.ts';
export {
  type EventDefinition,
  type EventType,
  eventFrame,
  events,
  type Gateway,
  notificationCodes,
  sampleEventsOf,
} from './events.ts';
export { notImplementedRoutes } from './notImplementedRoutes.ts';
export { buildOpenApi, codesOf } from './openapi/buildOpenApi.ts';
export { type FeeReportRequest, type QuoteRequest, type QuoteRequestWire } from './requests/quoteRequest.ts';
export { type ContractInfoWire, contractInfo } from './resources/contractInfo.ts';
export { type FeeRatesWire, type FeeReportWire, feeRates, feeReport } from './resources/fees.ts';
export { type LimitUsageWire, limitUsage } from './resources/limitUsage.ts';
export { type ListWire, listOf } from './resources/list.ts';
export { type MarketWire, market } from './resources/market.ts';
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
export { type DraftQuoteWire, draftQuote, type QuoteWire, quote } from './resources/quote.ts';
export { type SampleEventRunWire, sampleEventRun } from './resources/sampleEvents.ts';
export { type TokenWire, token } from './resources/token.ts';
export {
  type PlannedUnwindsWire,
  plannedUnwinds,
  type UnwindListWire,
  type UnwindsWire,
  unwindList,
  unwinds,
} from './resources/unwinds.ts';
export { type AuthLevel, basePath, type RouteDefinition, type RouteThrottle } from './routes/route.ts';
export { type Throttle, throttles } from './routes/throttles.ts';
export { type RouteName, routes } from './routes.ts';
