export { type AttestationAnswer, encodeAttestationAnswer } from './attestationAnswer.ts';
export { type AttestationRefusalCode, isTransientRefusal } from './attestationCodes.ts';
export {
  type AttestationRequest,
  type AttestedPurpose,
  decodeAttestationRequest,
} from './attestationRequest.ts';
export {
  type AttestationSource,
  attestationPath,
  countersignaturePath,
  grantBatchCountersignaturePath,
  grantBatchPath,
  grantCountersignaturePath,
  grantPath,
  httpAttestationSource,
} from './attestationSource.ts';
export {
  type CountersignatureAnswer,
  type CountersignatureRequest,
  decodeCountersignatureRequest,
  encodeCountersignatureAnswer,
} from './countersignature.ts';
export {
  decodeGrantCountersignatureRequest,
  decodeGrantRequest,
  encodeGrantAnswer,
  type GrantAnswer,
  type GrantCountersignatureRequest,
  type GrantRequest,
} from './grant.ts';
export {
  decodeGrantBatchCountersignatureRequest,
  decodeGrantBatchRequest,
  encodeGrantBatchAnswer,
  type GrantBatchAnswer,
  type GrantBatchCountersignatureRequest,
  type GrantBatchRequest,
  type GrantBatchRequestMember,
  maxBatchMembers,
} from './grantBatch.ts';
export { attestedTermsOf, jointAttestationOf } from './jointAttestation.ts';
export { grantTermsOf, jointGrantOf } from './jointGrant.ts';
export { jointGrantBatchOf, memberGrantOf } from './jointGrantBatch.ts';
export {
  type AttestationFailure,
  type AttestationRefusal,
  encodeUnsigned,
  type WireAnswer,
} from './unsignedAnswer.ts';
export { AttestationFormatError } from './wireFields.ts';
