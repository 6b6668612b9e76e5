import type { Address, Hex } from 'viem';
import type { OrderSide } from '../generated/enums.ts';
import { hashTypedWords } from '../signing/typedWords.ts';

/** Order of the venue in its version-2 shape. Amounts are USDC units and token units. */
export interface VenueOrder {
  readonly salt: bigint;
  readonly maker: Address;
  readonly signer: Address;
  readonly tokenId: bigint;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  /** Side of the order: the maker gives USDC for a purchase, outcome tokens for a sale. */
  readonly side: OrderSide;
  /** Verification of the maker's signature: a `SignatureType`, or one of the venue's others. */
  readonly signatureType: number;
  readonly timestamp: bigint;
  readonly metadata: Hex;
  readonly builder: Hex;
}

/** EIP-712 domain of the venue's exchange; name and version are configuration. */
export interface VenueDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly exchange: Address;
}

const types = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'metadata', type: 'bytes32' },
    { name: 'builder', type: 'bytes32' },
  ],
} as const;

/** Build the EIP-712 typed data of an order, for a maker's wallet or `hashTypedData`. */
export function venueOrderTypedData(order: VenueOrder, domain: VenueDomain) {
  return {
    domain: {
      name: domain.name,
      version: domain.version,
      chainId: domain.chainId,
      verifyingContract: domain.exchange,
    },
    types,
    primaryType: 'Order',
    message: order,
  } as const;
}

/** Return the EIP-712 hash of an order: the exchange's key for it, and the idempotency key of a submission. */
export function hashVenueOrder(order: VenueOrder, domain: VenueDomain): Hex {
  return hashTypedWords(venueOrderTypedData(order, domain));
}

/**
 * Signature of an account's order at the venue. The account ignores its bytes (ERC-1271); the exchange accepts an empty
 * one only for an order that an operator has approved in advance.
 */
export const accountSignature: Hex = '0x01';

/** Convert an order to the contract's struct. The vault ignores the signature; the exchange requires one. */
export function toVenueOrderStruct(order: VenueOrder, signature: Hex = '0x') {
  return { ...order, signature };
}
