export type { ErrorDefinition, ErrorGroup, ErrorType, ParamKind, ParamKinds, RetryAdvice } from './definition.ts';
export { errorPageOf, exampleErrorOf } from './docs/errorPage.ts';
export { eligibilityTwinOf } from './eligibilityTwin.ts';
export { codesOfGroups, errorCodes } from './errorCodes.ts';
export { Fault, type FaultKind, type FaultOrigin } from './fault.ts';
export { type ErrorCode, type ErrorParams, isRejection, type Rejection, reject } from './rejection.ts';
export { type RejectionReasonCode, rejectionReasonCodes } from './rejectionReasonCodes.ts';
export { statusesOf } from './statusesOf.ts';
export { errorTable } from './table.ts';
