import { type PricePips, type RateBps, raw } from '@core/pricing';
import type { Address, Hex } from 'viem';
import type { Purpose } from '../generated/enums.ts';
import { PackedBytes } from '../signing/packedBytes.ts';
import type { SigningKey } from '../signing/signingKey.ts';
import { hashTypedWords } from '../signing/typedWords.ts';

/** The price signer's consent to one purpose on one token, with the worst price at which it may be traded. */
export interface PriceAttestation {
  /** Condition id, 32 bytes. */
  readonly marketId: Hex;
  readonly tokenId: bigint;
  readonly purpose: Purpose;
  readonly markPips: PricePips;
  readonly limitPips: PricePips;
  /** Unwind only: debt per token must exceed it; 0 elsewhere. */
  readonly triggerPips: PricePips;
  /** The venue fee's share of the USDC traded, rounded up. */
  readonly venueFeeBps: RateBps;
  readonly exitBufferBps: RateBps;
  /** Unix seconds, at most the latest block's time. */
  readonly observedAt: bigint;
}

/** EIP-712 domain of the vault: name "Vault", version "1". */
export interface VaultDomain {
  readonly chainId: number;
  readonly vault: Address;
}

const types = {
  PriceAttestation: [
    { name: 'marketId', type: 'bytes32' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'purpose', type: 'uint8' },
    { name: 'markPips', type: 'uint32' },
    { name: 'limitPips', type: 'uint32' },
    { name: 'triggerPips', type: 'uint32' },
    { name: 'venueFeeBps', type: 'uint16' },
    { name: 'exitBufferBps', type: 'uint16' },
    { name: 'observedAt', type: 'uint64' },
  ],
} as const;

/** EIP-712 typed data of an attestation, as a wallet or `hashTypedData` takes it. */
export function priceAttestationTypedData(attestation: PriceAttestation, domain: VaultDomain) {
  return {
    domain: { name: 'Vault', version: '1', chainId: domain.chainId, verifyingContract: domain.vault },
    types,
    primaryType: 'PriceAttestation',
    message: toAttestationStruct(attestation),
  } as const;
}

/** The attestation as the contract's struct: numbers for types of at most 32 bits, bigints above. */
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

/** EIP-712 hash of an attestation. */
export function hashPriceAttestation(attestation: PriceAttestation, domain: VaultDomain): Hex {
  return hashTypedWords(priceAttestationTypedData(attestation, domain));
}

/** Signs an attestation with the price signer's key: 65 bytes, low s, v 27 or 28. */
export function signPriceAttestation(
  key: SigningKey,
  attestation: PriceAttestation,
  domain: VaultDomain,
): { readonly hash: Hex; readonly signature: Hex } {
  const hash = hashPriceAttestation(attestation, domain);
  return { hash, signature: key.signHash(new PackedBytes(32).hex(hash, 32).finish()) };
}
