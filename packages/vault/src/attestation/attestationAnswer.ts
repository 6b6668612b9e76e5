import type { Hex } from 'viem';
import { decodeAttestation, encodeAttestation } from './attestationFields.ts';
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

/** A signed attestation with what an auditor wants to know of it. */
export interface SignedAttestation {
  readonly attestation: PriceAttestation;
  readonly hash: Hex;
  readonly signature: Hex;
}

/** What the price signer decided. */
export type AttestationAnswer = ({ readonly kind: 'signed' } & SignedAttestation) | AttestationRefusal;

/** Status and body of an answer. */
export function encodeAttestationAnswer(answer: AttestationAnswer | AttestationFailure): WireAnswer {
  if (answer.kind !== 'signed') return encodeUnsigned(answer);
  const { attestation, hash, signature } = answer;
  return {
    status: 200,
    body: {
      attestation: encodeAttestation(attestation),
      hash,
      signature,
    },
  };
}

/**
 * The answer in a status and a body.
 *
 * @throws AttestationFormatError for a body that is no answer, and for a code that the table does not have or has with
 * another status.
 */
export function decodeAttestationAnswer({ status, body }: ReceivedAnswer): AttestationAnswer | AttestationFailure {
  return status === 200 ? { kind: 'signed', ...decodeSigned(body) } : decodeUnsigned({ status, body });
}

function decodeSigned(body: unknown): SignedAttestation {
  const { attestation, hash, signature } = readFields(body, ['attestation', 'hash', 'signature']);
  return {
    attestation: decodeAttestation(attestation),
    hash: readHex('hash', hash, 32),
    signature: readHex('signature', signature, 65),
  };
}
