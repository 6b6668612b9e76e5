import type { Address } from 'viem';
import { nativeSecp256k1 } from './nativeSecp256k1.ts';
import { addressOf } from './signingKey.ts';

/**
 * Return the address of the key that made a signature, or null when no key did. On the native library, because the
 * portable one takes milliseconds for each.
 *
 * @param hash 32 bytes.
 * @param compact 64 bytes `r ‖ s`, both in the group.
 * @param recovery v without 27: 0 or 1.
 */
export function nativeSignerOf(hash: Uint8Array, compact: Uint8Array, recovery: 0 | 1): Address | null {
  try {
    return addressOf(nativeSecp256k1().ecdsaRecover(compact, recovery, hash, false));
  } catch (cause) {
    // Thrown for an r that is the x coordinate of no point.
    if (cause instanceof Error && /could not be recover/i.test(cause.message)) return null;
    throw cause;
  }
}
