import { type PricePips, type RateBps, raw } from '@core/pricing';
import type { Hex } from 'viem';
import type { Purpose } from '../generated/enums.ts';
import type { Signer } from '../signing/signer.ts';
import { hashTypedWords, signTypedWords } from '../signing/typedWords.ts';
import { type VaultDomain, vaultTypedDomain } from './priceAttestation.ts';

/** One sale of a batch. */
export interface GrantMember {
  /** The one position it serves. */
  readonly positionKey: Hex;
  /** Size that is granted and that the limit was computed for, in token units. */
  readonly mostUnits: bigint;
  readonly limitPips: PricePips;
  /** Debt per token that an unwind must exceed; 0 for other purposes. */
  readonly triggerPips: PricePips;
  /** Fee part at the end of the price path, as a share of the USDC traded. */
  readonly venueFeeBps: RateBps;
}

/** Consent of the price signer to the grants of several sales of one token at one moment. */
export interface GrantBatch {
  /** Condition id, 32 bytes. */
  readonly marketId: Hex;
  readonly tokenId: bigint;
  /** Close, unwind or liquidation. */
  readonly purpose: Purpose;
  readonly markPips: PricePips;
  /** Time of observation in Unix seconds, at most the latest block's time. */
  readonly observedAt: bigint;
  /** Time in which each price moves from the mark to the limit, in seconds. */
  readonly validFor: number;
  /** Last second of a fill, in Unix seconds. */
  readonly notAfter: bigint;
  readonly members: readonly GrantMember[];
}

const types = {
  GrantBatch: [
    { name: 'marketId', type: 'bytes32' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'purpose', type: 'uint8' },
    { name: 'markPips', type: 'uint32' },
    { name: 'observedAt', type: 'uint64' },
    { name: 'validFor', type: 'uint16' },
    { name: 'notAfter', type: 'uint64' },
    { name: 'members', type: 'GrantMember[]' },
  ],
  GrantMember: [
    { name: 'positionKey', type: 'bytes32' },
    { name: 'mostUnits', type: 'uint64' },
    { name: 'limitPips', type: 'uint32' },
    { name: 'triggerPips', type: 'uint32' },
    { name: 'venueFeeBps', type: 'uint16' },
  ],
} as const;

/** Build the EIP-712 typed data of a batch, for a wallet or `hashTypedData`. */
export function grantBatchTypedData(batch: GrantBatch, domain: VaultDomain) {
  return {
    domain: vaultTypedDomain(domain),
    types,
    primaryType: 'GrantBatch',
    message: toGrantBatchStruct(batch),
  } as const;
}

/** Convert a batch to the contract's struct: numbers for types of at most 32 bits, bigints above. */
export function toGrantBatchStruct(batch: GrantBatch) {
  return {
    marketId: batch.marketId,
    tokenId: batch.tokenId,
    purpose: batch.purpose,
    markPips: Number(raw(batch.markPips)),
    observedAt: batch.observedAt,
    validFor: batch.validFor,
    notAfter: batch.notAfter,
    members: batch.members.map((member) => ({
      positionKey: member.positionKey,
      mostUnits: member.mostUnits,
      limitPips: Number(raw(member.limitPips)),
      triggerPips: Number(raw(member.triggerPips)),
      venueFeeBps: Number(raw(member.venueFeeBps)),
    })),
  } as const;
}

/** Return the EIP-712 hash of a batch. */
export function hashGrantBatch(batch: GrantBatch, domain: VaultDomain): Hex {
  return hashTypedWords(grantBatchTypedData(batch, domain));
}

/** Sign a batch with the price signer's key: 65 bytes, low s, v 27 or 28. */
export async function signGrantBatch(
  key: Signer,
  batch: GrantBatch,
  domain: VaultDomain,
): Promise<{ readonly hash: Hex; readonly signature: Hex }> {
  return signTypedWords(key, grantBatchTypedData(batch, domain));
}
