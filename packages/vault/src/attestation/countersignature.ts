import type { Hex } from 'viem';
import { decodeAttestation, encodeAttestation } from './attestationFields.ts';
import { type AttestationRequest, decodeAttestationRequest, encodeAttestationRequest } from './attestationRequest.ts';
import type { PriceAttestation } from './priceAttestation.ts';
import {
  type AttestationFailure,
  type AttestationRefusal,
  decodeUnsigned,
  encodeUnsigned,
  type ReceivedAnswer,
  type WireAnswer,
} from './unsignedAnswer.ts';
import { readFields, readHex } from './wireFields.ts';

/** What a co-signer is asked: to sign these terms for a request that it would have to consent to itself. */
export interface CountersignatureRequest {
  readonly request: AttestationRequest;
  readonly attestation: PriceAttestation;
}

/** What a co-signer decided. */
export type CountersignatureAnswer = { readonly kind: 'signed'; readonly signature: Hex } | AttestationRefusal;

/** Body of `POST /countersignatures`. */
export function encodeCountersignatureRequest({ request, attestation }: CountersignatureRequest) {
  return { request: encodeAttestationRequest(request), attestation: encodeAttestation(attestation) };
}

/** @throws AttestationFormatError for a body that is no request. Unknown fields are refused. */
export function decodeCountersignatureRequest(body: unknown): CountersignatureRequest {
  const { request, attestation } = readFields(body, ['request', 'attestation']);
  return { request: decodeAttestationRequest(request), attestation: decodeAttestation(attestation) };
}

/** Status and body of an answer. */
export function encodeCountersignatureAnswer(answer: CountersignatureAnswer | AttestationFailure): WireAnswer {
  return answer.kind === 'signed' ? { status: 200, body: { signature: answer.signature } } : encodeUnsigned(answer);
}

/** @throws AttestationFormatError for a body that is no answer, and for a code with another status than its own. */
export function decodeCountersignatureAnswer(response: ReceivedAnswer): CountersignatureAnswer | AttestationFailure {
  if (response.status !== 200) return decodeUnsigned(response);
  const { signature } = readFields(response.body, ['signature']);
  return { kind: 'signed', signature: readHex('signature', signature, 65) };
}
