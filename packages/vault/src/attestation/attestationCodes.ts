import type { CountersignatureRefusalReason } from '@core/policy';

interface CodeFacts {
  /** 409: the signer does not consent. Any other: there was no decision. */
  readonly status: 400 | 401 | 404 | 409 | 503;
  /** The same request may be granted a moment later without anything having been done about it. */
  readonly passesByItself: boolean;
}

/**
 * Every code that an answer of the price signer may carry. A reason of the policy without a row does not compile.
 */
export const attestationCodes = {
  // The policy's reasons.
  market_not_tradable: { status: 409, passesByItself: false },
  trading_window_over: { status: 409, passesByItself: false },
  fee_schedule_missing: { status: 409, passesByItself: false },
  book_missing: { status: 409, passesByItself: true },
  book_stale: { status: 409, passesByItself: true },
  book_one_sided: { status: 409, passesByItself: false },
  twap_unavailable: { status: 409, passesByItself: true },
  twap_stale: { status: 409, passesByItself: true },
  breaker_tripped: { status: 409, passesByItself: false },
  size_too_small: { status: 409, passesByItself: false },
  book_too_thin: { status: 409, passesByItself: false },
  position_missing: { status: 409, passesByItself: false },
  not_due: { status: 409, passesByItself: false },
  unconfirmed: { status: 409, passesByItself: true },
  // What a co-signer sees otherwise than the signer whose terms it is asked to sign: feeds that follow one price meet.
  mark_disagrees: { status: 409, passesByItself: true },
  limit_disagrees: { status: 409, passesByItself: true },
  limit_out_of_reach: { status: 409, passesByItself: true },
  trigger_disagrees: { status: 409, passesByItself: true },
  venue_fee_disagrees: { status: 409, passesByItself: true },
  exit_buffer_disagrees: { status: 409, passesByItself: false },
  // An attestation for another market, token or purpose than the position's; one from ahead of the chain; one too old;
  // one from before the alarm that is on.
  attestation_mismatch: { status: 409, passesByItself: false },
  observed_in_future: { status: 409, passesByItself: true },
  observed_too_long_ago: { status: 409, passesByItself: true },
  observed_before_alarm: { status: 409, passesByItself: true },
  // The signer's own view of position and market. A market it has not read yet is a feed that is still filling.
  position_unknown: { status: 409, passesByItself: false },
  position_state: { status: 409, passesByItself: false },
  position_cancelled: { status: 409, passesByItself: false },
  market_resolved: { status: 409, passesByItself: false },
  market_unknown: { status: 409, passesByItself: true },
  size_out_of_range: { status: 409, passesByItself: false },
  // Failures: nothing was decided.
  invalid_request: { status: 400, passesByItself: false },
  unauthorized: { status: 401, passesByItself: false },
  not_found: { status: 404, passesByItself: false },
  unavailable: { status: 503, passesByItself: true },
} as const satisfies Readonly<Record<string, CodeFacts>> & Readonly<Record<CountersignatureRefusalReason, CodeFacts>>;

export type AttestationCode = keyof typeof attestationCodes;

/** Why the signer does not consent. */
export type AttestationRefusalCode = {
  [Code in AttestationCode]: (typeof attestationCodes)[Code]['status'] extends 409 ? Code : never;
}[AttestationCode];

/** Why there was no decision. */
export type AttestationFailureCode = Exclude<AttestationCode, AttestationRefusalCode>;

/** True for a code that the table has. */
export function isAttestationCode(code: string): code is AttestationCode {
  return Object.hasOwn(attestationCodes, code);
}

/** True for a code that says that the signer does not consent. */
export function isRefusalCode(code: AttestationCode): code is AttestationRefusalCode {
  return attestationCodes[code].status === 409;
}

/** True when the same request may be granted a moment later: the signer's feed is filling or catching up. */
export function isPassingRefusal(code: AttestationRefusalCode): boolean {
  return attestationCodes[code].passesByItself;
}
