import { type PricePips, type RateBps, raw } from '@core/pricing';
import type { Address, Hex } from 'viem';
import type { Purpose } from '../generated/enums.ts';
import type { Signer } from '../signing/signer.ts';
import { hashTypedWords, signTypedWords } from '../signing/typedWords.ts';

/** Consent of the price signer to one purpose on one token, with the worst price at which it may be traded. */
export interface PriceAttestation {
  /** Condition id, 32 bytes. */
  readonly marketId: Hex;
  readonly tokenId: bigint;
  readonly purpose: Purpose;
  readonly markPips: PricePips;
  readonly limitPips: PricePips;
  /** Debt per token that an unwind must exceed; 0 for other purposes. */
  readonly triggerPips: PricePips;
  /** Venue fee as a share of the USDC traded, rounded up. */
  readonly venueFeeBps: RateBps;
  readonly exitBufferBps: RateBps;
  /** Time of observation in Unix seconds, at most the latest block's time. */
  readonly observedAt: bigint;
}

/** EIP-712 domain of the vault: name "Vault", version "1". */
export interface VaultDomain {
  readonly chainId: number;
  readonly vault: Address;
}

/** Fields of the contract's struct, in its order. */
export const attestationFields = [
  { name: 'marketId', type: 'bytes32' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'purpose', type: 'uint8' },
  { name: 'markPips', type: 'uint32' },
  { name: 'limitPips', type: 'uint32' },
  { name: 'triggerPips', type: 'uint32' },
  { name: 'venueFeeBps', type: 'uint16' },
  { name: 'exitBufferBps', type: 'uint16' },
  { name: 'observedAt', type: 'uint64' },
] as const;

/** Return the EIP-712 domain that signers of the vault's attestations use. */
export function vaultTypedDomain({ chainId, vault }: VaultDomain) {
  return { name: 'Vault', version: '1', chainId, verifyingContract: vault } as const;
}

/** Build the EIP-712 typed data of an attestation, for a wallet or `hashTypedData`. */
export function priceAttestationTypedData(attestation: PriceAttestation, domain: VaultDomain) {
  return {
    domain: vaultTypedDomain(domain),
    types: { PriceAttestation: attestationFields },
    primaryType: 'PriceAttestation',
    message: toAttestationStruct(attestation),
  } as const;
}

/** Convert an attestation to the contract's struct: numbers for types of at most 32 bits, bigints above. */
export function toAttestationStruct(attestation: PriceAttestation) {
  return {
    marketId: attestation.marketId,
    tokenId: attestation.tokenId,
    purpose: attestation.purpose,
    markPips: Number(raw(attestation.markPips)),
    limitPips: Number(raw(attestation.limitPips)),
    triggerPips: Number(raw(attestation.triggerPips)),
    venueFeeBps: Number(raw(attestation.venueFeeBps)),
    exitBufferBps: Number(raw(attestation.exitBufferBps)),
    observedAt: attestation.observedAt,
  } as const;
}

/** Return the EIP-712 hash of an attestation. */
export function hashPriceAttestation(attestation: PriceAttestation, domain: VaultDomain): Hex {
  return hashTypedWords(priceAttestationTypedData(attestation, domain));
}

/** Sign an attestation with the price signer's key: 65 bytes, low s, v 27 or 28. */
export async function signPriceAttestation(
  key: Signer,
  attestation: PriceAttestation,
  domain: VaultDomain,
): Promise<{ readonly hash: Hex; readonly signature: Hex }> {
  return signTypedWords(key, priceAttestationTypedData(attestation, domain));
}
