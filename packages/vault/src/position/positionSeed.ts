import type { Hex } from 'viem';
import { hexOf } from '../signing/packedBytes.ts';

/** Draw twelve random bytes: the part of a seed that belongs to a draft and determines the position key. */
export function randomDraftSeed(): Hex {
  return hexOf(globalThis.crypto.getRandomValues(new Uint8Array(12)));
}

/**
 * Return the 16-byte seed of one promotion: the draft's twelve bytes, then a 4-byte counter.
 *
 * @throws RangeError when the draft's part has not twelve bytes or the counter does not fit four.
 */
export function positionSeedOf(draftSeed: Hex, promotionCount: number): Hex {
  if (!/^0x[0-9a-fA-F]{24}$/.test(draftSeed)) throw new RangeError('a draft seed has 12 bytes');
  if (!Number.isInteger(promotionCount) || promotionCount < 0 || promotionCount > 0xffffffff) {
    throw new RangeError('a promotion counter has 4 bytes');
  }
  return `${draftSeed}${promotionCount.toString(16).padStart(8, '0')}`;
}

/** Convert a seed to `position_seed` of the wire: its 16 bytes as an unsigned decimal. */
export function positionSeedToDecimal(positionSeed: Hex): string {
  return BigInt(positionSeed).toString();
}

/**
 * Convert `position_seed` of the wire to 16 bytes.
 *
 * @throws RangeError when it does not fit them.
 */
export function positionSeedFromDecimal(decimal: string): Hex {
  const seed = BigInt(decimal);
  if (seed < 0n || seed >> 128n !== 0n) throw new RangeError('a position seed has 16 bytes');
  return `0x${seed.toString(16).padStart(32, '0')}`;
}
