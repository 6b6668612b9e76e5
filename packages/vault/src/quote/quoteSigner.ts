import { type Address, type Hex, keccak256 } from 'viem';
import { hexOf, PackedBytes } from '../signing/packedBytes.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { type CreatePositionFields, packCreatePosition } from './createPositionDigest.ts';

const personalMessagePrefix = '\x19Ethereum Signed Message:\n32';
const prefixBytes = new PackedBytes(personalMessagePrefix.length).text(personalMessagePrefix).finish();

/** EIP-191 hash of 32 raw bytes: what is really signed for a quote digest. */
function personalMessageHash(digest: Uint8Array): Uint8Array {
  const message = new Uint8Array(personalMessagePrefix.length + 32);
  message.set(prefixBytes);
  message.set(digest, personalMessagePrefix.length);
  return keccak256(message, 'bytes');
}

/**
 * The quote signer: signs create-position digests as EIP-191 personal messages over the raw 32 bytes. Signing is
 * deterministic, so a stored quote can be signed again after a crash and yields the same 65 bytes.
 */
export class QuoteSigner {
  readonly #key: SigningKey;

  /** @throws Error when the native library is missing, RangeError when the key is invalid. */
  constructor(privateKey: Hex) {
    this.#key = new SigningKey(privateKey);
  }

  get address(): Address {
    return this.#key.address;
  }

  /** Which library signs: always `native`, or the constructor has thrown. */
  get implementation(): 'native' {
    return this.#key.implementation;
  }

  /** Digest and signature of a quote in one pass over the bytes. @throws RangeError for values out of their type. */
  sign(fields: CreatePositionFields): { readonly digest: Hex; readonly signature: Hex } {
    const digest = keccak256(packCreatePosition(fields), 'bytes');
    return { digest: hexOf(digest), signature: this.#key.signHash(personalMessageHash(digest)) };
  }

  /** Signature of a digest computed before (32 bytes): EIP-191 over the raw bytes, low s, v 27 or 28. */
  signDigest(digest: Hex): Hex {
    return this.#key.signHash(personalMessageHash(new PackedBytes(32).hex(digest, 32).finish()));
  }
}
