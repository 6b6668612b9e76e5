import { hashVenueOrder, OrderSide, SignatureType, SigningKey, type VenueDomain, type VenueOrder } from '@core/vault';
import { type Address, type Hex, hexToBytes, zeroHash } from 'viem';

/** Outside trader that signs orders for its own account. */
export class Trader {
  readonly address: Address;
  readonly #key: SigningKey;
  readonly #domain: VenueDomain;
  #salt = 0n;

  constructor(privateKey: Hex, domain: VenueDomain) {
    this.#key = new SigningKey(privateKey);
    this.#domain = domain;
    this.address = this.#key.address;
  }

  /** Sign an order of a size at a price of its token. */
  sign(intent: {
    readonly tokenId: bigint;
    readonly side: 'BUY' | 'SELL';
    readonly pricePips: bigint;
    readonly tokenUnits: bigint;
  }): VenueOrder & { readonly signature: Hex } {
    this.#salt += 1n;
    const usdcUnits = (intent.tokenUnits * intent.pricePips) / 10_000n;
    const order: VenueOrder = {
      salt: (1n << 52n) + this.#salt,
      maker: this.address,
      signer: this.address,
      tokenId: intent.tokenId,
      makerAmount: intent.side === 'BUY' ? usdcUnits : intent.tokenUnits,
      takerAmount: intent.side === 'BUY' ? intent.tokenUnits : usdcUnits,
      side: intent.side === 'BUY' ? OrderSide.Buy : OrderSide.Sell,
      signatureType: SignatureType.Eoa,
      timestamp: 1_700_000_000_000n,
      metadata: zeroHash,
      builder: zeroHash,
    };
    return { ...order, signature: this.#key.signHash(hexToBytes(hashVenueOrder(order, this.#domain))) };
  }
}

/** Return the body of `POST /order`. */
export const orderBody = (
  order: VenueOrder & { readonly signature: Hex },
  orderType: 'GTC' | 'GTD' | 'FOK' | 'FAK',
  owner = 'trader',
) => ({
  order: {
    ...order,
    salt: Number(order.salt),
    tokenId: order.tokenId.toString(),
    makerAmount: order.makerAmount.toString(),
    takerAmount: order.takerAmount.toString(),
    timestamp: order.timestamp.toString(),
    side: order.side === OrderSide.Buy ? 'BUY' : 'SELL',
    expiration: '0',
  },
  orderType,
  owner,
  deferExec: false,
});
