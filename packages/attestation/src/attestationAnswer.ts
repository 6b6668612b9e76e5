import type { PriceAttestation } from '@core/vault';
import type { Hex } from 'viem';
import { decodeAttestation, encodeAttestation } from './attestationFields.ts';
import {
  type AttestationFailure,
  type AttestationRefusal,
  decodeUnsigned,
  encodeUnsigned,
  type ReceivedAnswer,
  type WireAnswer,
} from './unsignedAnswer.ts';
import { readFields, readHex } from './wireFields.ts';

/** Signed attestation with its audit data. */
export interface SignedAttestation {
  readonly attestation: PriceAttestation;
  readonly hash: Hex;
  readonly signature: Hex;
}

/** Decision of the price signer. */
export type AttestationAnswer = ({ readonly kind: 'signed' } & SignedAttestation) | AttestationRefusal;

/** Encode an answer as HTTP status and body. */
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
 * Decode an answer from HTTP status and body.
 *
 * @throws AttestationFormatError for a body that is no answer, and for an unknown code or a code with the wrong status.
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
