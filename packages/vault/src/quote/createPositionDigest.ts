import { type LeverageBps, type RateBps, raw, type UsdcUnits } from '@core/pricing';
import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from '../signing/packedBytes.ts';
import { type Keccak256, plainKeccak256 } from '../signing/plainKeccak256.ts';

/**
 * Thirteen variable values of a signed quote, in the order in which they are packed after the literal tag
 * (specification, "Verifying a quote signature").
 */
export interface CreatePositionFields {
  /** Seed, 16 bytes. */
  readonly positionSeed: Hex;
  readonly user: Address;
  /** Condition id, 32 bytes. */
  readonly venueMarketId: Hex;
  readonly venueTokenId: bigint;
  readonly collateralUsdcUnits: UsdcUnits;
  readonly leverageBps: LeverageBps;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly originationFeeBps: RateBps;
  readonly lifetimeFeeAprBps: RateBps;
  readonly liquidationFeeBps: RateBps;
  /** Expiry in Unix seconds. */
  readonly signatureExpiry: bigint;
  readonly chainId: number;
  readonly vault: Address;
}

/** First of the fourteen packed values. */
export const createPositionTag = 'CREATE_POSITION';

/** 15 + 16 + 20 + 32 + 32 + 32 + 4 + 32 + 2 + 2 + 2 + 32 + 32 + 20. */
export const createPositionByteLength = 273;

/**
 * Pack the 273 bytes of a quote. No two different quotes share them: every value has a fixed width.
 *
 * @throws RangeError when a value does not fit its type.
 */
export function packCreatePosition(fields: CreatePositionFields): Uint8Array {
  return new PackedBytes(createPositionByteLength)
    .text(createPositionTag)
    .hex(fields.positionSeed, 16)
    .hex(fields.user, 20)
    .hex(fields.venueMarketId, 32)
    .uint256(fields.venueTokenId)
    .uint256(raw(fields.collateralUsdcUnits))
    .uint32(raw(fields.leverageBps))
    .uint256(raw(fields.notionalUsdcUnits))
    .uint16(raw(fields.originationFeeBps))
    .uint16(raw(fields.lifetimeFeeAprBps))
    .uint16(raw(fields.liquidationFeeBps))
    .uint256(fields.signatureExpiry)
    .uint256(BigInt(fields.chainId))
    .hex(fields.vault, 20)
    .finish();
}

/**
 * Return keccak-256 of the 14 tightly packed values of a quote: the 32 bytes that the quote signer signs as an EIP-191
 * personal message.
 *
 * @param keccak256 Hash function; replace it with a faster one in programs that hash often.
 * @throws RangeError when a value does not fit its type.
 */
export function createPositionDigest(fields: CreatePositionFields, keccak256: Keccak256 = plainKeccak256): Hex {
  return hexOf(keccak256(packCreatePosition(fields)));
}
