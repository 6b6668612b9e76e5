import { randomBytes } from 'node:crypto';
import { type GridOrder, raw } from '@core/pricing';
import { OrderSide, SignatureType, type VenueOrder } from '@core/vault';
import { type Address, zeroHash } from 'viem';

/** What makes an order on the grid an order of one account. */
export interface OrderIdentity {
  readonly account: Address;
  readonly tokenId: bigint;
  readonly side: 'buy' | 'sell';
  readonly nowMs: number;
}

/**
 * The venue's order of a position account. The salt is drawn once and stored with the intent before the order goes
 * anywhere: from then on the order's hash is what makes a repetition harmless.
 */
export function venueOrderOf(grid: GridOrder, { account, tokenId, side, nowMs }: OrderIdentity): VenueOrder {
  const isBuy = side === 'buy';
  return {
    // 53 bits: some venues read the salt as a JavaScript number.
    salt: BigInt(`0x${randomBytes(7).toString('hex')}`) >> 3n,
    maker: account,
    signer: account,
    tokenId,
    makerAmount: isBuy ? raw(grid.usdcUnits) : raw(grid.tokenUnits),
    takerAmount: isBuy ? raw(grid.tokenUnits) : raw(grid.usdcUnits),
    side: isBuy ? OrderSide.Buy : OrderSide.Sell,
    signatureType: SignatureType.Erc1271,
    timestamp: BigInt(nowMs),
    metadata: zeroHash,
    builder: zeroHash,
  };
}
