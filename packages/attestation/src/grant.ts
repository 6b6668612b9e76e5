import type { QuotedRisk } from '@core/position';
import type { GrantAttestation } from '@core/vault';
import type { Hex } from 'viem';
import { decodeGrantAttestation, encodeGrantAttestation } from './attestationFields.ts';
import { type AttestedPurpose, attestedPurposes, decodeRisk, encodeRisk } from './attestationRequest.ts';
import {
  type AttestationFailure,
  type AttestationRefusal,
  decodeUnsigned,
  encodeUnsigned,
  type ReceivedAnswer,
  type WireAnswer,
} from './unsignedAnswer.ts';
import { AttestationFormatError, readDecimalText, readFields, readHex, readOneOf } from './wireFields.ts';

/** Request to the price signer: consent to a grant for one position, purpose and size. */
export interface GrantRequest {
  readonly positionKey: Hex;
  readonly purpose: AttestedPurpose;
  /** Most that the grant trades: USDC units of an opening, fee apart; token units of a sale. */
  readonly mostUnits: bigint;
  /** Risk terms fixed by the position's quote, for an unwind; null when unknown or irrelevant. */
  readonly quotedRisk: QuotedRisk | null;
}

/** Signed attestation of a grant with its hash. */
export interface SignedGrant {
  readonly attestation: GrantAttestation;
  readonly hash: Hex;
  readonly signature: Hex;
}

/** Decision of the price signer about a grant. */
export type GrantAnswer = ({ readonly kind: 'signed' } & SignedGrant) | AttestationRefusal;

/** Request to a co-signer: sign the grant of another signer. */
export interface GrantCountersignatureRequest {
  readonly request: GrantRequest;
  readonly attestation: GrantAttestation;
}

const maxUnitsDigits = 19;

/** Encode a request as the body of `POST /grants`, with the size as decimal text. */
export function encodeGrantRequest(request: GrantRequest) {
  return {
    position_key: request.positionKey,
    purpose: request.purpose,
    most_units: request.mostUnits.toString(),
    quoted_risk: request.quotedRisk && encodeRisk(request.quotedRisk),
  };
}

/**
 * Decode a request. Unknown fields are refused, the size is positive.
 *
 * @throws AttestationFormatError for a body that is no request.
 */
export function decodeGrantRequest(body: unknown): GrantRequest {
  const fields = readFields(body, ['position_key', 'purpose', 'most_units', 'quoted_risk']);
  const mostUnits = readDecimalText('most_units', fields.most_units, maxUnitsDigits);
  if (mostUnits === 0n) throw new AttestationFormatError('most_units must be positive');
  return {
    positionKey: readHex('position_key', fields.position_key, 32),
    purpose: readOneOf('purpose', fields.purpose, attestedPurposes),
    mostUnits,
    quotedRisk: fields.quoted_risk === null ? null : decodeRisk(fields.quoted_risk),
  };
}

/** Encode an answer as HTTP status and body. */
export function encodeGrantAnswer(answer: GrantAnswer | AttestationFailure): WireAnswer {
  if (answer.kind !== 'signed') return encodeUnsigned(answer);
  const { attestation, hash, signature } = answer;
  return { status: 200, body: { attestation: encodeGrantAttestation(attestation), hash, signature } };
}

/**
 * Decode an answer from HTTP status and body.
 *
 * @throws AttestationFormatError for a body that is no answer, and for an unknown code or a code with the wrong status.
 */
export function decodeGrantAnswer({ status, body }: ReceivedAnswer): GrantAnswer | AttestationFailure {
  if (status !== 200) return decodeUnsigned({ status, body });
  const { attestation, hash, signature } = readFields(body, ['attestation', 'hash', 'signature']);
  return {
    kind: 'signed',
    attestation: decodeGrantAttestation(attestation),
    hash: readHex('hash', hash, 32),
    signature: readHex('signature', signature, 65),
  };
}

/** Encode a request as the body of `POST /grant-countersignatures`. */
export function encodeGrantCountersignatureRequest({ request, attestation }: GrantCountersignatureRequest) {
  return { request: encodeGrantRequest(request), attestation: encodeGrantAttestation(attestation) };
}

/**
 * Decode a request. Unknown fields are refused.
 *
 * @throws AttestationFormatError for a body that is no request.
 */
export function decodeGrantCountersignatureRequest(body: unknown): GrantCountersignatureRequest {
  const { request, attestation } = readFields(body, ['request', 'attestation']);
  return { request: decodeGrantRequest(request), attestation: decodeGrantAttestation(attestation) };
}
