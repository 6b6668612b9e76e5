import { randomBytes } from 'node:crypto';
import { type Hex, verifyMessage } from 'viem';

/** Who wants a token signs a text that is good once. */
export class WalletProof {
  /** The open challenge of each address, in lower case. */
  readonly #messages = new Map<string, string>();

  challenge(address: string): string {
    const message = `Sign in to the ticket as ${address}: ${randomBytes(16).toString('hex')}`;
    this.#messages.set(address.toLowerCase(), message);
    return message;
  }

  /** True when the holder of the address signed its open challenge. */
  async proves(address: string, signature: string): Promise<boolean> {
    const message = this.#messages.get(address.toLowerCase());
    this.#messages.delete(address.toLowerCase());
    if (message === undefined) return false;
    return verifyMessage({ address: address as Hex, message, signature: signature as Hex });
  }
}
