import type { Hex } from 'viem';
import type { Signer } from '../signing/signer.ts';
import { hashTypedWords, signTypedWords } from '../signing/typedWords.ts';
import {
  attestationFields,
  type PriceAttestation,
  toAttestationStruct,
  type VaultDomain,
  vaultTypedDomain,
} from './priceAttestation.ts';

/** Consent of the price signer to a grant, which anyone may fill at a price that moves from the mark to the limit. */
export interface GrantAttestation extends PriceAttestation {
  /** The one position it serves. */
  readonly positionKey: Hex;
  /** Size the limit was computed for: USDC units of an opening, token units of a sale. */
  readonly mostUnits: bigint;
  /** Time in which the price moves from the mark to the limit, in seconds. */
  readonly validFor: number;
  /** Last second of a fill, in Unix seconds. */
  readonly notAfter: bigint;
}

const grantFields = [
  { name: 'positionKey', type: 'bytes32' },
  ...attestationFields,
  { name: 'mostUnits', type: 'uint64' },
  { name: 'validFor', type: 'uint16' },
  { name: 'notAfter', type: 'uint64' },
] as const;

/** Build the EIP-712 typed data of a grant's attestation, for a wallet or `hashTypedData`. */
export function grantAttestationTypedData(attestation: GrantAttestation, domain: VaultDomain) {
  return {
    domain: vaultTypedDomain(domain),
    types: { GrantAttestation: grantFields },
    primaryType: 'GrantAttestation',
    message: toGrantAttestationStruct(attestation),
  } as const;
}

/** Convert an attestation to the contract's struct: numbers for types of at most 32 bits, bigints above. */
export function toGrantAttestationStruct(attestation: GrantAttestation) {
  return {
    positionKey: attestation.positionKey,
    ...toAttestationStruct(attestation),
    mostUnits: attestation.mostUnits,
    validFor: attestation.validFor,
    notAfter: attestation.notAfter,
  } as const;
}

/** Return the EIP-712 hash of a grant's attestation. It differs from that of a price attestation with equal fields. */
export function hashGrantAttestation(attestation: GrantAttestation, domain: VaultDomain): Hex {
  return hashTypedWords(grantAttestationTypedData(attestation, domain));
}

/** Sign a grant's attestation with the price signer's key: 65 bytes, low s, v 27 or 28. */
export async function signGrantAttestation(
  key: Signer,
  attestation: GrantAttestation,
  domain: VaultDomain,
): Promise<{ readonly hash: Hex; readonly signature: Hex }> {
  return signTypedWords(key, grantAttestationTypedData(attestation, domain));
}
