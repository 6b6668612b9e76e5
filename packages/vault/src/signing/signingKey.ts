import { type Address, getAddress, type Hex, keccak256 } from 'viem';
import { nativeSecp256k1 } from './nativeSecp256k1.ts';
import { hexOf, PackedBytes } from './packedBytes.ts';
import { type Keccak256, plainKeccak256 } from './plainKeccak256.ts';
import type { Signer } from './signer.ts';

/**
 * secp256k1 private key that signs 32-byte hashes on the native library: deterministic (RFC 6979), low s, 65 bytes `r ‖
 * s ‖ v` with v 27 or 28. The key never leaves the object and appears in no log.
 */
export class SigningKey implements Signer {
  readonly address: Address;
  /** Library that signs, for a metric: a slower one would otherwise go unnoticed. */
  readonly implementation = 'native';
  readonly #native = nativeSecp256k1();
  readonly #privateKey: Uint8Array;
  readonly #keccak256: Keccak256;

  /**
   * Create a key from 32 bytes.
   *
   * @param keccak256 Hash function of messages; replace it with a faster one in programs that sign often.
   * @throws Error when the native library is missing.
   * @throws RangeError when the key is not 32 bytes or not in the group's range.
   */
  constructor(privateKey: Hex, keccak256: Keccak256 = plainKeccak256) {
    this.#keccak256 = keccak256;
    this.#privateKey = new PackedBytes(32).hex(privateKey, 32).finish();
    if (!this.#native.privateKeyVerify(this.#privateKey)) throw new RangeError('private key is out of range');
    this.address = addressOf(this.#native.publicKeyCreate(this.#privateKey, false));
  }

  /** Sign keccak-256 of a message. The same message always has the same signature. */
  async signMessage(message: Uint8Array): Promise<Hex> {
    return this.signHash(this.#keccak256(message));
  }

  /** Sign 32 bytes as they are, without any prefix. */
  signHash(hash: Uint8Array): Hex {
    const { signature, recid } = this.#native.ecdsaSign(hash, this.#privateKey);
    const bytes = new Uint8Array(65);
    bytes.set(signature);
    bytes[64] = 27 + recid;
    return hexOf(bytes);
  }
}

/** Return the checksummed address of a public key of 65 bytes. */
export function addressOf(publicKey: Uint8Array): Address {
  return getAddress(`0x${keccak256(publicKey.subarray(1)).slice(26)}`);
}
