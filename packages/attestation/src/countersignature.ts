import type { PriceAttestation } from '@core/vault';
import type { Hex } from 'viem';
import { decodeAttestation, encodeAttestation } from './attestationFields.ts';
import { type AttestationRequest, decodeAttestationRequest, encodeAttestationRequest } from './attestationRequest.ts';
import {
  type AttestationFailure,
  type AttestationRefusal,
  decodeUnsigned,
  encodeUnsigned,
  type ReceivedAnswer,
  type WireAnswer,
} from './unsignedAnswer.ts';
import { readFields, readHex } from './wireFields.ts';

/** Request to a co-signer: sign these terms for a request that it would have to grant itself. */
export interface CountersignatureRequest {
  readonly request: AttestationRequest;
  readonly attestation: PriceAttestation;
}

/** Decision of a co-signer. */
export type CountersignatureAnswer = { readonly kind: 'signed'; readonly signature: Hex } | AttestationRefusal;

/** Encode a request as the body of `POST /countersignatures`. */
export function encodeCountersignatureRequest({ request, attestation }: CountersignatureRequest) {
  return { request: encodeAttestationRequest(request), attestation: encodeAttestation(attestation) };
}

/**
 * Decode a request. Unknown fields are refused.
 *
 * @throws AttestationFormatError for a body that is no request.
 */
export function decodeCountersignatureRequest(body: unknown): CountersignatureRequest {
  const { request, attestation } = readFields(body, ['request', 'attestation']);
  return { request: decodeAttestationRequest(request), attestation: decodeAttestation(attestation) };
}

/** Encode an answer as HTTP status and body. */
export function encodeCountersignatureAnswer(answer: CountersignatureAnswer | AttestationFailure): WireAnswer {
  return answer.kind === 'signed' ? { status: 200, body: { signature: answer.signature } } : encodeUnsigned(answer);
}

/**
 * Decode an answer.
 *
 * @throws AttestationFormatError for a body that is no answer, and for a code with another status than its own.
 */
export function decodeCountersignatureAnswer(response: ReceivedAnswer): CountersignatureAnswer | AttestationFailure {
  if (response.status !== 200) return decodeUnsigned(response);
  const { signature } = readFields(response.body, ['signature']);
  return { kind: 'signed', signature: readHex('signature', signature, 65) };
}
