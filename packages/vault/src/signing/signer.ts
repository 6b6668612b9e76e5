import type { Address, Hex } from 'viem';

/** secp256k1 key of the service. The private part is in this process, in a key management service or at a signer. */
export interface Signer {
  readonly address: Address;
  /** Kind of the holder of the private part, for a metric: `native` is this process. */
  readonly implementation: string;
  /**
   * Sign keccak-256 of a message: 65 bytes `r ‖ s ‖ v`, low s, v 27 or 28. It takes the message and not its hash,
   * because remote signers hash for themselves. Two signatures of one message may differ.
   *
   * @throws Fault of the signer, retryable, when the holder of the key does not answer.
   */
  signMessage(message: Uint8Array): Promise<Hex>;
}
