import {
  type AttestationFailureCode,
  type AttestationRefusalCode,
  attestationCodes,
  isAttestationCode,
  isRefusalCode,
} from './attestationCodes.ts';
import { AttestationFormatError, readFields } from './wireFields.ts';

/** The signer does not consent. */
export interface AttestationRefusal {
  readonly kind: 'refused';
  readonly code: AttestationRefusalCode;
}

/** There was no decision. */
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

/** Status and body of an answer without a signature. */
export function encodeUnsigned({ code }: AttestationRefusal | AttestationFailure): WireAnswer {
  return { status: attestationCodes[code].status, body: { error: { code } } };
}

/**
 * The refusal or failure in a status and a body.
 *
 * @throws AttestationFormatError for a body that is none, and for a code that the table does not have or has with
 * another status.
 */
export function decodeUnsigned({ status, body }: ReceivedAnswer): AttestationRefusal | AttestationFailure {
  const { code } = readFields(readFields(body, ['error']).error, ['code']);
  if (typeof code !== 'string' || !isAttestationCode(code) || attestationCodes[code].status !== status) {
    throw new AttestationFormatError(`code must be one that is answered with ${status}`);
  }
  return isRefusalCode(code) ? { kind: 'refused', code } : { kind: 'failed', code };
}
