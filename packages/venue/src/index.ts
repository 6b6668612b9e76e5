/*
 * Folders in order of import, each importing only those before it:
 * text → port → profile → schema → market → book → client → socket → reference → watch.
 */

export { BookStore } from './book/bookStore.ts';
export { bookAgeMsOf, markOf, type TokenBook } from './book/tokenBook.ts';
export {
  type CredentialTerms,
  credentialRequestMessageOf,
  privateSignatureOf,
} from './client/credentialSigning.ts';
export { DerivedCredentials } from './client/derivedCredentials.ts';
export { EndpointPauses } from './client/endpointPauses.ts';
export { HttpPriceHistory, type PastPrice, type PriceHistoryQuery } from './client/httpPriceHistory.ts';
export { HttpVenueClient } from './client/httpVenueClient.ts';
export { conditionsPerRequest, readNamedMarkets } from './client/namedMarkets.ts';
export { RequestBudget } from './client/requestBudget.ts';
export { type WalletBatch, type WalletCall, walletBatchMessageOf } from './client/walletBatch.ts';
export { WalletRelayer, type WalletRelayerOptions } from './client/walletRelayer.ts';
export {
  depositWalletOf,
  walletOrderDigestOf,
  walletSignatureEndOf,
} from './client/walletSignature.ts';
export { checkIdentity, type IdentityCheck, type IdentityProblem, type IdentityTerms } from './market/checkIdentity.ts';
export { defaultCryptoAssets } from './market/cryptoAsset.ts';
export type { VenueCredentials } from './port/credentials.ts';
export type { OrderState, RecordProblem, TradeState, VenueClient } from './port/venueClient.ts';
export { isVenueFault, VenueFault } from './port/venueFault.ts';
export { type PlannedRestart, restartPauseMsOf } from './profile/plannedRestart.ts';
export {
  type ReferenceSource,
  type SelectedVenue,
  selectedVenueOf,
  tradingSettings,
  tradingTermsOf,
  venueSettings,
} from './profile/profileSettings.ts';
export {
  type OrderDomain,
  realVenueProfile,
  simulatorProfile,
  type VenueContracts,
  type VenueProfile,
  venueProfiles,
} from './profile/venueProfile.ts';
export { HttpReferenceFeeds } from './reference/httpReferenceFeeds.ts';
export { openReferenceFeeds } from './reference/openReferenceFeeds.ts';
export { bookHashOf } from './schema/bookHash.ts';
export { placeOrderBodyOf } from './schema/orders.ts';
export type { UserMessage } from './schema/userMessage.ts';
export { MarketSocket } from './socket/marketSocket.ts';
export { UserSocket } from './socket/userSocket.ts';
export { scaledOf } from './text/decimal.ts';
export { parseExactJson } from './text/exactJson.ts';
export { MarketWatch } from './watch/marketWatch.ts';
export type { MarketTick, WatchHealth, WatchTiming } from './watch/watchOptions.ts';
