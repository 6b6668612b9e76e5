export type { ErrorDefinition, ErrorType, ParamKind, ParamKinds, RetryAdvice } from './definition.ts';
export { eligibilityTwinOf, errorCodeOfReason } from './eligibilityTwin.ts';
export { errorCodes } from './errorCodes.ts';
export { Fault, type FaultKind, type FaultOrigin } from './fault.ts';
export { type ErrorCode, type ErrorParams, isRejection, type Rejection, reject } from './rejection.ts';
export { type RejectionReasonCode, rejectionReasonCodes } from './rejectionReasonCodes.ts';
export { errorTable } from './table.ts';
