/**
 * Names of public libraries for programs outside, grouped by their users. Reviewed by hand: a name without such a user
 * is not exported.
 */
export const publicSurface: Readonly<Record<string, readonly string[]>> = {
  'packages/pricing': [
    // Clients show what a liquidation would cost.
    'liquidationFeeOf',
    // Fillers price grants.
    'grantPriceOf',
    'grantTokensOf',
    'isGrantDone',
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
    'ledger',
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
    'ContractMismatchError',
    'InputError',
    'RpcError',
    'WrongChainError',
    'PositionNotOpenedError',
    'TransactionNotSentError',
    'TransactionReplacedError',
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
  'packages/venue': [
    // Programs that trade with a deposit wallet make and move it.
  ],
  'packages/vault': [
    // Wallets and explorers say why a call was refused, and read an account by itself.
    'explainRevert',
    'positionAccountAbi',
    // Fillers make pairs in the transaction of a fill.
    'pairFillerAbi',
    // Clients find their position by the seed that a quote shows in decimal.
    'positionSeedFromDecimal',
    // Wallets and key services sign what they can show.
    'grantAttestationTypedData',
    'grantBatchTypedData',
    'priceAttestationTypedData',
    'venueOrderTypedData',
    // Price signers of their own make consent to grants, and keepers submit it.
    'hashGrantAttestation',
    'hashGrantBatch',
    'signGrantAttestation',
    'signGrantBatch',
    'toGrantAttestationStruct',
    'toGrantBatchStruct',
    // Verifiers of quotes refuse a signature that the vault would refuse.
    'isCanonicalSignature',
  ],
};
