import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from '../signing/packedBytes.ts';
import { type Keccak256, plainKeccak256 } from '../signing/plainKeccak256.ts';

/**
 * Return the key of a position: keccak-256 of `abi.encode(chainId, vault, user, bytes12(positionSeed))`. Only the first
 * twelve bytes of the 16-byte seed count, so all promotions of one draft share one key and only one of them can be
 * used.
 *
 * @throws RangeError when a value does not fit its type.
 */
export function positionKeyOf(
  parameters: {
    readonly chainId: number;
    readonly vault: Address;
    readonly user: Address;
    /** Seed, 16 bytes. */
    readonly positionSeed: Hex;
  },
  keccak256: Keccak256 = plainKeccak256,
): Hex {
  const { chainId, vault, user, positionSeed } = parameters;
  if (positionSeed.length !== 34) throw new RangeError('a position seed has 16 bytes');
  const encoded = new PackedBytes(128)
    .uint256(BigInt(chainId))
    .zeros(12)
    .hex(vault, 20)
    .zeros(12)
    .hex(user, 20)
    .hex(`0x${positionSeed.slice(2, 26)}`, 12)
    .zeros(20);
  return hexOf(keccak256(encoded.finish()));
}
