export { accountAddressOf } from './accountAddressOf.ts';
export { collectionIdOf, conditionIdOf, positionIdOf, tokenIdsOf } from './conditionalTokens.ts';
export {
  type CreatePositionFields,
  createPositionByteLength,
  createPositionDigest,
  createPositionTag,
  packCreatePosition,
} from './createPositionDigest.ts';
export { toCreateRequestStruct, type UserLimits } from './createRequest.ts';
export {
  decodeVaultLog,
  type EventLog,
  type LedgerEvent,
  type PoolEvent,
  type VaultEvent,
} from './decodeVaultLog.ts';
export { conditionalTokensAbi } from './generated/conditionalTokensAbi.ts';
export { liquidityPoolAbi } from './generated/liquidityPoolAbi.ts';
export { orderRulesAbi } from './generated/orderRulesAbi.ts';
export { positionAccountAbi } from './generated/positionAccountAbi.ts';
export { testUsdcAbi } from './generated/testUsdcAbi.ts';
export { vaultAbi } from './generated/vaultAbi.ts';
export { venueExchangeAbi } from './generated/venueExchangeAbi.ts';
export { positionKeyOf } from './positionKeyOf.ts';
export {
  draftSeedOf,
  positionSeedFromDecimal,
  positionSeedOf,
  positionSeedToDecimal,
  randomDraftSeed,
} from './positionSeed.ts';
export {
  hashPriceAttestation,
  type PriceAttestation,
  priceAttestationTypedData,
  signPriceAttestation,
  toAttestationStruct,
  type VaultDomain,
} from './priceAttestation.ts';
export { PositionState, Purpose } from './purpose.ts';
export { QuoteSigner, signQuoteDigest } from './quoteSigner.ts';
export { isCanonicalSignature, recoverQuoteSigner } from './recoverQuoteSigner.ts';
export { SigningKey } from './signingKey.ts';
export {
  hashVenueOrder,
  OrderSide,
  SignatureType,
  toVenueOrderStruct,
  type VenueDomain,
  type VenueOrder,
  venueOrderTypedData,
} from './venueOrder.ts';
export {
  createPositionFieldNames,
  differingField,
  type ExpectedQuote,
  type QuoteMismatch,
  type QuoteVerification,
  verifyQuote,
} from './verifyQuote.ts';
