import { type Address, type Hex, recoverMessageAddress } from 'viem';
import { isCanonicalSignature } from '../signing/canonicalSignature.ts';

/**
 * Recover the address that signed a create-position digest.
 *
 * @returns Address, or null when the signature is not canonical or belongs to no key.
 */
export async function recoverQuoteSigner(parameters: {
  readonly digest: Hex;
  readonly signature: Hex;
}): Promise<Address | null> {
  if (!isCanonicalSignature(parameters.signature)) return null;
  try {
    return await recoverMessageAddress({ message: { raw: parameters.digest }, signature: parameters.signature });
  } catch (cause) {
    // r is the x coordinate of no point: a well-formed signature of no key. Any other failure is a bug.
    if (cause instanceof Error) return null;
    throw cause;
  }
}
