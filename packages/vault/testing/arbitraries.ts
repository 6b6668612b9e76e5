import { leverageBps, rateBps, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { type Address, type Hex, toHex } from 'viem';
import type { CreatePositionFields } from '../src/quote/createPositionDigest.ts';

/** Draw exactly `byteLength` random bytes as `0x…`. */
export function hexBytes(byteLength: number): fc.Arbitrary<Hex> {
  return fc.uint8Array({ minLength: byteLength, maxLength: byteLength }).map((bytes) => toHex(bytes));
}

export const anyAddress: fc.Arbitrary<Address> = hexBytes(20);
export const anyUint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
export const anyUint16 = fc.bigInt({ min: 0n, max: 0xffffn });
export const anyUint32 = fc.bigInt({ min: 0n, max: 0xffffffffn });
export const anyChainId = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
export const anyPrivateKey = fc.bigInt({ min: 1n, max: 2n ** 255n }).map((key) => toHex(key, { size: 32 }));

/** Quotes with every value over the whole width of its type. */
export const anyCreatePositionFields: fc.Arbitrary<CreatePositionFields> = fc.record({
  positionSeed: hexBytes(16),
  user: anyAddress,
  venueMarketId: hexBytes(32),
  venueTokenId: anyUint256,
  collateralUsdcUnits: anyUint256.map(usdcUnits),
  leverageBps: anyUint32.map(leverageBps),
  notionalUsdcUnits: anyUint256.map(usdcUnits),
  originationFeeBps: anyUint16.map(rateBps),
  lifetimeFeeAprBps: anyUint16.map(rateBps),
  liquidationFeeBps: anyUint16.map(rateBps),
  signatureExpiry: anyUint256,
  chainId: anyChainId,
  vault: anyAddress,
});
