export { createTestDatabase, type TestDatabase } from './createTestDatabase.ts';
export { openTestStore, type TestStore } from './openTestStore.ts';
export {
  hashOf,
  noLimits,
  sampleFigures,
  sampleMarket,
  sampleNowMs,
  samplePartnerTerms,
  samplePosition,
  samplePricedQuote,
  sampleQuote,
  sampleRequest,
  sampleReserve,
  walletOf,
} from './samples.ts';
