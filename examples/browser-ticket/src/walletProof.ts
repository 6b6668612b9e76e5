import { randomBytes } from 'node:crypto';
import { isAddress, isHex, verifyMessage } from 'viem';

/** Proof that a caller holds a wallet: the wallet signs a challenge that is valid once. */
export class WalletProof {
  /** Open challenge of each address; addresses in lower case. */
  readonly #messages = new Map<string, string>();

  challenge(address: string): string {
    const message = `Sign in to the ticket as ${address}: ${randomBytes(16).toString('hex')}`;
    this.#messages.set(address.toLowerCase(), message);
    return message;
  }

  /** Return true when the holder of the address signed its open challenge. */
  async proves(address: string, signature: string): Promise<boolean> {
    const message = this.#messages.get(address.toLowerCase());
    this.#messages.delete(address.toLowerCase());
    if (message === undefined || !isAddress(address) || !isHex(signature)) return false;
    return verifyMessage({ address, message, signature });
  }
}
