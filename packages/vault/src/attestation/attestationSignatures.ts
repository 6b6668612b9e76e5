import { type Address, concat, type Hex } from 'viem';
import { isCanonicalSignature } from '../signing/canonicalSignature.ts';
import { nativeSecp256k1 } from '../signing/nativeSecp256k1.ts';
import { PackedBytes } from '../signing/packedBytes.ts';
import { addressOf } from '../signing/signingKey.ts';

/** Signature over the digest of an attestation, with its signer. */
export interface SignerSignature {
  readonly signer: Address;
  readonly signature: Hex;
}

/**
 * Recover the signer of a hash on the native library. Several signatures are recovered before every order.
 *
 * @returns Address, or null when the signature is not canonical or belongs to no key.
 */
export async function recoverPriceSigner(hash: Hex, signature: Hex): Promise<Address | null> {
  if (!isCanonicalSignature(signature)) return null;
  const bytes = new PackedBytes(65).hex(signature, 65).finish();
  const recoveryId = (bytes[64] ?? 27) - 27;
  const digest = new PackedBytes(32).hex(hash, 32).finish();
  try {
    return addressOf(nativeSecp256k1().ecdsaRecover(bytes.subarray(0, 64), recoveryId, digest, false));
  } catch (cause) {
    // r is the x coordinate of no point: a well-formed signature of no key. Any other failure is a bug.
    if (cause instanceof Error) return null;
    throw cause;
  }
}

/**
 * Join signatures of different keys over one digest in the format of the vault: 65 bytes each, ascending by signer. A
 * repeated signer counts once.
 */
export function attestationSignaturesOf(signed: readonly SignerSignature[]): Hex {
  const bySigner = new Map(signed.map(({ signer, signature }) => [BigInt(signer), signature]));
  const sorted = [...bySigner].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return concat(sorted.map(([, signature]) => signature));
}
