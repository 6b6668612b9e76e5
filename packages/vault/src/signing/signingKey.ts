import { type Address, getAddress, type Hex, keccak256 } from 'viem';
import { nativeSecp256k1 } from './nativeSecp256k1.ts';
import { hexOf, PackedBytes } from './packedBytes.ts';

/**
 * A secp256k1 private key that signs 32-byte hashes on the native library: deterministic (RFC 6979), low s,
 * 65 bytes `r ‖ s ‖ v` with v 27 or 28. The key itself never leaves the object and shows in no log.
 */
export class SigningKey {
  readonly address: Address;
  /** Which library signs; shown as a metric, because a slower one would otherwise go unnoticed. */
  readonly implementation = 'native';
  readonly #native = nativeSecp256k1();
  readonly #privateKey: Uint8Array;

  /** @throws RangeError when the key is not 32 bytes or not in the group's range. */
  constructor(privateKey: Hex) {
    this.#privateKey = new PackedBytes(32).hex(privateKey, 32).finish();
    if (!this.#native.privateKeyVerify(this.#privateKey)) throw new RangeError('private key is out of range');
    this.address = addressOf(this.#native.publicKeyCreate(this.#privateKey, false));
  }

  /** Signs 32 bytes as they are, without any prefix. */
  signHash(hash: Uint8Array): Hex {
    const { signature, recid } = this.#native.ecdsaSign(hash, this.#privateKey);
    const bytes = new Uint8Array(65);
    bytes.set(signature);
    bytes[64] = 27 + recid;
    return hexOf(bytes);
  }
}

/** The address of a public key of 65 bytes, checksummed. */
export function addressOf(publicKey: Uint8Array): Address {
  return getAddress(`0x${keccak256(publicKey.subarray(1)).slice(26)}`);
}
