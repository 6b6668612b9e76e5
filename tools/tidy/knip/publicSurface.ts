/**
 * Names of the public libraries that the service does not use and people outside it do, each group with its reader.
 * Reviewed by hand: a name stands here because of a reader outside, or it is not exported.
 */
export const publicSurface: Readonly<Record<string, readonly string[]>> = {
  'packages/pricing': [
    // Clients show what a liquidation would cost.
    'liquidationFeeOf',
  ],
  'packages/errors': [],
  'packages/wire': [
    // Clients parse answers with the schema of their resource, of its lists and of its expansions.
    'feeRates',
    'feeReport',
    'limitUsage',
    'listOf',
    'token',
    'openPosition',
    'closedPosition',
    'partialClose',
    'plannedUnwinds',
    'unwindList',
    'unwinds',
    // Subscribers parse events, and try their code on the samples.
    'eventFrame',
    'events',
    'sampleEventRun',
    'sampleEventsOf',
  ],
  'packages/sdk': [
    // Programs of partners and pages: the client is for readers outside.
    'ApiError',
    'AuthenticationError',
    'ErrorOf',
    'InvalidRequestError',
    'isCode',
    'isServiceError',
    'Lev',
    'LevError',
    'NetworkError',
    'OutcomeUnknownError',
    'ChainAction',
    'PositionNotOpenedError',
    'TransactionRevertedError',
    'bidOf',
    'ticketOf',
    'RateLimitError',
    'ServiceError',
    'basePath',
    'routes',
    'QuoteNotVerifiedError',
    'verifyQuote',
  ],
  'packages/vault': [
    // Wallets and explorers say why a call was refused, and read an account by itself.
    'explainRevert',
    'positionAccountAbi',
    // Clients find their position by the seed that a quote shows in decimal.
    'positionSeedFromDecimal',
    // Wallets and key services sign what they can show.
    'priceAttestationTypedData',
    'venueOrderTypedData',
    // Verifiers of quotes refuse a signature that the vault would refuse.
    'isCanonicalSignature',
  ],
};
