/*
 * Folders in order of import, each importing only those before it:
 * text → port → schema → market → book → client → socket → reference → watch.
 */
export { BookStore } from './book/bookStore.ts';
export { bookAgeMsOf, markOf, type TokenBook } from './book/tokenBook.ts';
export {
  type CredentialTerms,
  credentialRequestHashOf,
  localCredentialTerms,
  privateSignatureOf,
} from './client/credentialSigning.ts';
export { DerivedCredentials } from './client/derivedCredentials.ts';
export { HttpVenueClient } from './client/httpVenueClient.ts';
export { checkIdentity, type IdentityCheck, type IdentityTerms } from './market/checkIdentity.ts';
export { defaultCryptoAssets } from './market/cryptoAsset.ts';
export { type MarketOverlay, marketFactsOf, observedStatusOf, plainOverlayOf } from './market/marketFacts.ts';
export type { VenueCredentials } from './port/credentials.ts';
export type { TradeState, VenueClient } from './port/venueClient.ts';
export { isVenueFault, VenueFault } from './port/venueFault.ts';
export type { VenueMarket } from './port/venueMarket.ts';
export { HttpReferenceFeeds } from './reference/httpReferenceFeeds.ts';
export { bookHashOf } from './schema/bookHash.ts';
export type { UserMessage } from './schema/userMessage.ts';
export { MarketSocket } from './socket/marketSocket.ts';
export { UserSocket } from './socket/userSocket.ts';
export { parseExactJson } from './text/exactJson.ts';
export { MarketWatch } from './watch/marketWatch.ts';
export type { MarketTick, WatchHealth, WatchTiming } from './watch/watchOptions.ts';
