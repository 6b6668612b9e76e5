import type { ErrorDefinition } from './definition.ts';
import { errorCodes } from './errorCodes.ts';
import type { ErrorCode } from './rejection.ts';
import type { RejectionReasonCode } from './rejectionReasonCodes.ts';
import { errorTable } from './table.ts';

/** The uppercase market value of a code, or null when the code never closes a market. */
export function eligibilityTwinOf(code: ErrorCode): RejectionReasonCode | null {
  const definition: ErrorDefinition = errorTable[code];
  return definition.eligibility ?? null;
}

const codeByReason = new Map<RejectionReasonCode, ErrorCode>([
  // The two values that are no uppercase of a code: one has no code of its own, one is a deprecated alias.
  ['QUOTE_MARKET_OPEN_INTEREST_TOO_LOW', 'quote_market_not_eligible'],
  ['QUOTE_HARD_EXIT_TOO_CLOSE', 'quote_trading_window_closing'],
]);
for (const code of errorCodes) {
  const twin = eligibilityTwinOf(code);
  if (twin !== null) codeByReason.set(twin, code);
}

/** The code with which a quote is refused on a market that shows this reason. */
export function errorCodeOfReason(reason: RejectionReasonCode): ErrorCode {
  const code = codeByReason.get(reason);
  if (code === undefined) throw new Error(`no error code for eligibility reason ${reason}`);
  return code;
}
