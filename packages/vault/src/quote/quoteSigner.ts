import type { Address, Hex } from 'viem';
import { hexOf, PackedBytes } from '../signing/packedBytes.ts';
import { type Keccak256, plainKeccak256 } from '../signing/plainKeccak256.ts';
import type { Signer } from '../signing/signer.ts';
import { type CreatePositionFields, packCreatePosition } from './createPositionDigest.ts';

const personalMessagePrefix = '\x19Ethereum Signed Message:\n32';
const prefixBytes = new PackedBytes(personalMessagePrefix.length).text(personalMessagePrefix).finish();

/** Build the EIP-191 message of 32 raw bytes, whose hash is signed. */
function personalMessageOf(digest: Uint8Array): Uint8Array {
  const message = new Uint8Array(personalMessagePrefix.length + 32);
  message.set(prefixBytes);
  message.set(digest, personalMessagePrefix.length);
  return message;
}

/** Quote signer: signs create-position digests as EIP-191 personal messages over the raw 32 bytes. */
export class QuoteSigner {
  readonly #key: Signer;
  /** Hash function of the digests that it signs. */
  readonly keccak256: Keccak256;

  /** Create a signer from the key of quotes. */
  constructor(key: Signer, keccak256: Keccak256 = plainKeccak256) {
    this.#key = key;
    this.keccak256 = keccak256;
  }

  get address(): Address {
    return this.#key.address;
  }

  /** Kind of the holder of the key, for a metric. */
  get implementation(): string {
    return this.#key.implementation;
  }

  /**
   * Return digest and signature of a quote in one pass over the bytes.
   *
   * @throws RangeError for values out of their type, and Fault when the holder of the key does not sign.
   */
  async sign(fields: CreatePositionFields): Promise<{ readonly digest: Hex; readonly signature: Hex }> {
    const digest = this.keccak256(packCreatePosition(fields));
    return { digest: hexOf(digest), signature: await this.#key.signMessage(personalMessageOf(digest)) };
  }

  /**
   * Sign an existing digest (32 bytes): EIP-191 over the raw bytes, low s, v 27 or 28.
   *
   * @throws RangeError for another length, and Fault when the holder of the key does not sign.
   */
  async signDigest(digest: Hex): Promise<Hex> {
    return this.#key.signMessage(personalMessageOf(new PackedBytes(32).hex(digest, 32).finish()));
  }
}
