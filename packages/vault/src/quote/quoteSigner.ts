import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from '../signing/packedBytes.ts';
import { type Keccak256, plainKeccak256 } from '../signing/plainKeccak256.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { type CreatePositionFields, packCreatePosition } from './createPositionDigest.ts';

const personalMessagePrefix = '\x19Ethereum Signed Message:\n32';
const prefixBytes = new PackedBytes(personalMessagePrefix.length).text(personalMessagePrefix).finish();

/** What is really signed for a quote digest: the EIP-191 message of 32 raw bytes, which is then hashed. */
function personalMessageOf(digest: Uint8Array): Uint8Array {
  const message = new Uint8Array(personalMessagePrefix.length + 32);
  message.set(prefixBytes);
  message.set(digest, personalMessagePrefix.length);
  return message;
}

/**
 * The quote signer: signs create-position digests as EIP-191 personal messages over the raw 32 bytes. Signing is
 * deterministic, so a stored quote can be signed again after a crash and yields the same 65 bytes.
 */
export class QuoteSigner {
  readonly #key: SigningKey;
  /** What it hashes with, and what the digests that it signs may be made with. */
  readonly keccak256: Keccak256;

  /** @throws Error when the native library is missing, RangeError when the key is invalid. */
  constructor(privateKey: Hex, keccak256: Keccak256 = plainKeccak256) {
    this.#key = new SigningKey(privateKey);
    this.keccak256 = keccak256;
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
    const digest = this.keccak256(packCreatePosition(fields));
    return { digest: hexOf(digest), signature: this.#signBytes(digest) };
  }

  /** Signature of a digest computed before (32 bytes): EIP-191 over the raw bytes, low s, v 27 or 28. */
  signDigest(digest: Hex): Hex {
    return this.#signBytes(new PackedBytes(32).hex(digest, 32).finish());
  }

  #signBytes(digest: Uint8Array): Hex {
    return this.#key.signHash(this.keccak256(personalMessageOf(digest)));
  }
}
