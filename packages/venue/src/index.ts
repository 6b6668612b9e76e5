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
export type { Clock } from './clock.ts';
export { systemClock } from './clock.ts';
export type { GameState, MarketCategory, ResolutionStatus, VenueMarket } from './market/venueMarket.ts';
export type { GameReading, ReferenceFeeds, SpotReading } from './reference/referenceFeeds.ts';
export type { VenueFaultCode, VenueFaultDisposition } from './venueFault.ts';
export type {
  Hex,
  SignedVenueOrder,
  VenueOrder,
  VenueOrderSide,
  VenueOrderType,
  VenueSignatureType,
} from './venueOrder.ts';
