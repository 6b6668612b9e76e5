import type { CountersignatureRefusalReason, GrantDisagreementReason } from '@core/policy';

interface CodeFacts {
  /** HTTP status. 409: the signer refuses. Any other: there was no decision. */
  readonly status: 400 | 401 | 404 | 409 | 503;
  /** True when the same request may be granted a moment later without any action. */
  readonly isTransient: boolean;
}

/** Table of the codes of price-signer answers. A policy reason without a row does not compile. */
export const attestationCodes = {
  // The policy's reasons.
  market_not_tradable: { status: 409, isTransient: false },
  trading_window_over: { status: 409, isTransient: false },
  fee_schedule_missing: { status: 409, isTransient: false },
  book_missing: { status: 409, isTransient: true },
  book_stale: { status: 409, isTransient: true },
  book_one_sided: { status: 409, isTransient: false },
  twap_unavailable: { status: 409, isTransient: true },
  twap_stale: { status: 409, isTransient: true },
  breaker_tripped: { status: 409, isTransient: false },
  size_too_small: { status: 409, isTransient: false },
  book_too_thin: { status: 409, isTransient: false },
  position_missing: { status: 409, isTransient: false },
  not_due: { status: 409, isTransient: false },
  unconfirmed: { status: 409, isTransient: true },
  jump_too_large: { status: 409, isTransient: false },
  // Differences between a co-signer's observation and the requested terms; feeds of one price converge.
  mark_disagrees: { status: 409, isTransient: true },
  limit_disagrees: { status: 409, isTransient: true },
  limit_out_of_reach: { status: 409, isTransient: true },
  trigger_disagrees: { status: 409, isTransient: true },
  venue_fee_disagrees: { status: 409, isTransient: true },
  exit_buffer_disagrees: { status: 409, isTransient: false },
  size_disagrees: { status: 409, isTransient: false },
  path_disagrees: { status: 409, isTransient: false },
  end_disagrees: { status: 409, isTransient: true },
  // The attestation has another market, token or purpose than the position, is ahead of the chain, too old, or older
  // than the current alarm.
  attestation_mismatch: { status: 409, isTransient: false },
  observed_in_future: { status: 409, isTransient: true },
  observed_too_long_ago: { status: 409, isTransient: true },
  observed_before_alarm: { status: 409, isTransient: true },
  // The signer's own observation of position and market. An unread market means that the feed is still filling.
  position_unknown: { status: 409, isTransient: false },
  position_state: { status: 409, isTransient: false },
  position_cancelled: { status: 409, isTransient: false },
  market_resolved: { status: 409, isTransient: false },
  market_unknown: { status: 409, isTransient: true },
  size_out_of_range: { status: 409, isTransient: false },
  // Failures without a decision.
  invalid_request: { status: 400, isTransient: false },
  unauthorized: { status: 401, isTransient: false },
  not_found: { status: 404, isTransient: false },
  unavailable: { status: 503, isTransient: true },
} as const satisfies Readonly<Record<string, CodeFacts>> &
  Readonly<Record<CountersignatureRefusalReason | GrantDisagreementReason, CodeFacts>>;

export type AttestationCode = keyof typeof attestationCodes;

/** Code of a refusal. */
export type AttestationRefusalCode = {
  [Code in AttestationCode]: (typeof attestationCodes)[Code]['status'] extends 409 ? Code : never;
}[AttestationCode];

/** Code of a failure without a decision. */
export type AttestationFailureCode = Exclude<AttestationCode, AttestationRefusalCode>;

/** Return true for a code of the table. */
export function isAttestationCode(code: string): code is AttestationCode {
  return Object.hasOwn(attestationCodes, code);
}

/** Return true for the code of a refusal. */
export function isRefusalCode(code: AttestationCode): code is AttestationRefusalCode {
  return attestationCodes[code].status === 409;
}

/** Return true for a transient refusal: the signer's feed is filling or catching up. */
export function isTransientRefusal(code: AttestationRefusalCode): boolean {
  return attestationCodes[code].isTransient;
}
