export { createTestDatabase, type TestDatabase } from './createTestDatabase.ts';
export { endListeners } from './endListeners.ts';
export { execute } from './execute.ts';
export { openTestStore, type TestStore } from './openTestStore.ts';
export { releaseDue } from './releaseDue.ts';
export {
  noLimits,
  reserveQuote,
  sampleMarket,
  samplePartnerTerms,
  samplePricedQuote,
  sampleRequest,
  sampleReserve,
} from './samples.ts';
export { announcedPosition, settledEvents } from './settledEvents.ts';
