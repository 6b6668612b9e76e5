import { Fault } from '@core/errors';
import type { Signer } from '@core/vault';
import { type Address, bytesToHex, type Hex, isAddressEqual, keccak256 } from 'viem';
import { recoveredSignature, type SignatureNumbers } from './recoveredSignature.ts';

/** Holder of one private key, reached over the network. */
export interface KeyHolder {
  /** Name in messages, such as `AWS KMS`. */
  readonly name: string;
  /** Kind for a metric. */
  readonly implementation: string;
  /** Return the address of the key. @throws an Error when the holder does not answer. */
  observeAddress(expected: Address): Promise<Address | null>;
  /**
   * Sign a message, whose keccak-256 is the hash. Null for an answer that is no signature.
   * @throws an Error when the holder does not answer or refuses.
   */
  sign(signed: { readonly message: Uint8Array; readonly hash: Hex }): Promise<SignatureNumbers | null>;
}

/** Time for one signature, further attempts included: a quote waits for two of them. */
export const signingTimeoutMs = 3_000;

/**
 * Build the signer of a key at a holder.
 * @throws Fault of the signer, retryable when the holder does not answer, terminal when its key has another address.
 */
export async function remoteSigner(holder: KeyHolder, address: Address): Promise<Signer> {
  const observed = await holder.observeAddress(address).catch((cause: unknown) => {
    throw faultOf(`${holder.name} gives no public key`, cause);
  });
  if (observed === null || !isAddressEqual(observed, address)) {
    const message = `the key at ${holder.name} has the address ${observed ?? 'of no listed key'}, not ${address}`;
    throw new Fault({ origin: 'signer', kind: 'terminal', message });
  }
  return {
    address,
    implementation: holder.implementation,
    async signMessage(message) {
      const hash = keccak256(message);
      const numbers = await holder.sign({ message, hash }).catch((cause: unknown) => {
        throw faultOf(`${holder.name} does not sign`, cause);
      });
      const signature = numbers === null ? null : recoveredSignature(numbers, { hash, address });
      if (signature !== null) return signature;
      throw faultOf(
        `${holder.name} answers with a signature that is not of ${address}`,
        bytesToHex(message.slice(0, 4)),
      );
    },
  };
}

/** Every failure may pass: a right that is missing now can be given while the program runs. */
const faultOf = (message: string, cause: unknown): Fault => {
  const detail = cause instanceof Error ? `: ${cause.name}: ${cause.message}` : '';
  return new Fault({ origin: 'signer', kind: 'retryable', message: message + detail, cause });
};
