import {
  type AttestationFailureCode,
  type AttestationRefusalCode,
  attestationCodes,
  isAttestationCode,
  isRefusalCode,
} from './attestationCodes.ts';
import { AttestationFormatError, readFields } from './wireFields.ts';

/** Refusal of the signer. */
export interface AttestationRefusal {
  readonly kind: 'refused';
  readonly code: AttestationRefusalCode;
}

/** Failure without a decision. */
export interface AttestationFailure {
  readonly kind: 'failed';
  readonly code: AttestationFailureCode;
}

export interface WireAnswer {
  readonly status: number;
  readonly body: object;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Encode an answer without a signature as HTTP status and body. */
export function encodeUnsigned({ code }: AttestationRefusal | AttestationFailure): WireAnswer {
  return { status: attestationCodes[code].status, body: { error: { code } } };
}

/**
 * Decode a refusal or failure from HTTP status and body.
 *
 * @throws AttestationFormatError for any other body, and for an unknown code or a code with the wrong status.
 */
export function decodeUnsigned({ status, body }: ReceivedAnswer): AttestationRefusal | AttestationFailure {
  const { code } = readFields(readFields(body, ['error']).error, ['code']);
  if (typeof code !== 'string' || !isAttestationCode(code) || attestationCodes[code].status !== status) {
    throw new AttestationFormatError(`code must be one that is answered with ${status}`);
  }
  return isRefusalCode(code) ? { kind: 'refused', code } : { kind: 'failed', code };
}
