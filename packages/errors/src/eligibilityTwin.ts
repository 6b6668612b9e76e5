import type { ErrorDefinition } from './definition.ts';
import type { ErrorCode } from './rejection.ts';
import type { RejectionReasonCode } from './rejectionReasonCodes.ts';
import { errorTable } from './table.ts';

/** Return the uppercase market value of a code, or null when the code never closes a market. */
export function eligibilityTwinOf(code: ErrorCode): RejectionReasonCode | null {
  const definition: ErrorDefinition = errorTable[code];
  return definition.eligibility ?? null;
}
