export {
  attestationSignaturesOf,
  recoverPriceSigner,
  type SignerSignature,
} from './attestation/attestationSignatures.ts';
export {
  type GrantAttestation,
  grantAttestationTypedData,
  hashGrantAttestation,
  signGrantAttestation,
  toGrantAttestationStruct,
} from './attestation/grantAttestation.ts';
export {
  type GrantBatch,
  type GrantMember,
  grantBatchTypedData,
  hashGrantBatch,
  signGrantBatch,
  toGrantBatchStruct,
} from './attestation/grantBatch.ts';
export {
  hashPriceAttestation,
  type PriceAttestation,
  priceAttestationTypedData,
  signPriceAttestation,
  toAttestationStruct,
  type VaultDomain,
} from './attestation/priceAttestation.ts';
export { type ExplainedRevert, errorNameOf, explainRevert } from './errors/explainRevert.ts';
export { decodeVaultLog, type LedgerEvent, type VaultEvent } from './events/decodeVaultLog.ts';
export { conditionalTokensAbi } from './generated/conditionalTokensAbi.ts';
export { depositWalletAbi } from './generated/depositWalletAbi.ts';
export { OrderSide, PositionState, Purpose, purposeNames, Role, SignatureType } from './generated/enums.ts';
export { exchangeEventTopics } from './generated/eventTopics.ts';
export { liquidityPoolAbi } from './generated/liquidityPoolAbi.ts';
export { orderRulesAbi } from './generated/orderRulesAbi.ts';
export { pairFillerAbi } from './generated/pairFillerAbi.ts';
export { positionAccountAbi } from './generated/positionAccountAbi.ts';
export { positionRouterAbi } from './generated/positionRouterAbi.ts';
export { testUsdcAbi } from './generated/testUsdcAbi.ts';
export { vaultAbi } from './generated/vaultAbi.ts';
export { vaultConstants } from './generated/vaultConstants.ts';
export { venueExchangeAbi } from './generated/venueExchangeAbi.ts';
export { walletFactoryAbi } from './generated/walletFactoryAbi.ts';
export { type BlockRange, joinRanges } from './logs/blockRanges.ts';
export { findFirstBlock } from './logs/findFirstBlock.ts';
export { readInParts } from './logs/readInParts.ts';
export { type LogReading, readLogRanges } from './logs/readLogRanges.ts';
export { collectionIdOf, conditionIdOf, positionIdOf, tokenIdsOf } from './market/conditionalTokens.ts';
export {
  type ManagedContracts,
  type OptionalManagedContracts,
  readManagedContracts,
} from './market/managedContracts.ts';
export { isManagedToken, managedTokenIdsOf, tokenRouteOf } from './market/outcomeLedger.ts';
export {
  type LedgerContracts,
  type ReportedShares,
  readIsDecided,
  readShares,
  readTokenUnits,
  tokenContractOf,
} from './market/readOutcome.ts';
export {
  accountSignature,
  hashVenueOrder,
  toVenueOrderStruct,
  type VenueDomain,
  type VenueOrder,
  venueOrderTypedData,
} from './order/venueOrder.ts';
export { accountAddressOf } from './position/accountAddressOf.ts';
export { type PurposeName, positionStateNameOf, purposeNameOf, purposeOf } from './position/enumNames.ts';
export { positionKeyOf } from './position/positionKeyOf.ts';
export {
  positionSeedFromDecimal,
  positionSeedOf,
  positionSeedToDecimal,
  randomDraftSeed,
} from './position/positionSeed.ts';
export {
  type PositionContracts,
  type PositionOutcome,
  type PositionTerms,
  readPositionTerms,
} from './position/positionTerms.ts';
export { type ChainPosition, readPosition } from './position/readPosition.ts';
export {
  type CreatePositionFields,
  createPositionDigest,
  createPositionTag,
} from './quote/createPositionDigest.ts';
export { toCreateRequestStruct, type UserLimits } from './quote/createRequest.ts';
export { createPositionFieldsOf, openingTransactionOf } from './quote/openingTransaction.ts';
export { quotedRiskDigest } from './quote/quotedRiskDigest.ts';
export { QuoteSigner } from './quote/quoteSigner.ts';
export { recoverQuoteSigner } from './quote/recoverQuoteSigner.ts';
export {
  createPositionFieldNames,
  verifyQuote,
} from './quote/verifyQuote.ts';
export { isCanonicalSignature } from './signing/canonicalSignature.ts';
export { nativeSignerOf } from './signing/nativeSignerOf.ts';
export type { Keccak256 } from './signing/plainKeccak256.ts';
export type { Signer } from './signing/signer.ts';
export { SigningKey } from './signing/signingKey.ts';
