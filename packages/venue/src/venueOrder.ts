/** 0x-prefixed hexadecimal, as viem writes it. */
export type Hex = `0x${string}`;

/** Side of an order on chain: 0 pays USDC for tokens, 1 pays tokens for USDC. */
export type VenueOrderSide = 0 | 1;

/** Signature types of the venue's exchange: 0 plain key, 1 and 2 its own wallets, 3 ERC-1271 (a contract account). */
export type VenueSignatureType = 0 | 1 | 2 | 3;

/**
 * The order struct the exchange contract hashes. `makerAmount` and `takerAmount` are raw units of the asset each side
 * pays (USDC units or token units, both 1e6), `timestamp` is the maker's instant in milliseconds.
 */
export interface VenueOrder {
  readonly salt: bigint;
  readonly maker: Hex;
  readonly signer: Hex;
  readonly tokenId: bigint;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  readonly side: VenueOrderSide;
  readonly signatureType: VenueSignatureType;
  readonly timestamp: bigint;
  readonly metadata: Hex;
  readonly builder: Hex;
}

export interface SignedVenueOrder extends VenueOrder {
  readonly signature: Hex;
}

/** GTC and GTD rest, FOK fills whole or dies, FAK fills what it can and dies. */
export type VenueOrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK';
