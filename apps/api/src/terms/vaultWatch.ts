import { Fault } from '@core/errors';
import { type Clock, HeadWatch } from '@core/runtime';
import { vaultAbi } from '@core/vault';
import { type Address, isAddressEqual, type PublicClient } from 'viem';

/** A reason of the chain's for which no quote may be signed. */
export type VaultProblem = 'quote_signer' | 'chain_head';

/** True while the vault would accept a quote signed now. */
export interface VaultView {
  /** Empty while quotes may be signed. */
  problems(): readonly VaultProblem[];
  /** Age of the last block on the service clock; null before one was read. */
  headAgeMs(): number | null;
}

interface WatchOptions {
  readonly client: PublicClient;
  readonly vault: Address;
  /** Address of the key that signs quotes here. */
  readonly signer: Address;
  readonly clock: Clock;
  /** Oldest last block of a chain that moves. */
  readonly maxHeadAgeMs: number;
  /** Called with each reading of the vault's quote signer that is another address. */
  readonly onWrongSigner: (accepted: Address) => void;
}

/**
 * Compares the quote key with the one the vault accepts, and the chain's last block with the service clock. A quote
 * signed with another key, or while the chain stands still, could be verified by a client and never be opened.
 */
export class VaultWatch implements VaultView {
  readonly #options: WatchOptions;
  readonly #head: HeadWatch;
  /** Null until it was read. A failed reading changes nothing: a chain that is away is noticed by its head. */
  #isSignerAccepted: boolean | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#head = new HeadWatch(options.maxHeadAgeMs);
  }

  /** Read the vault's quote signer. @throws Fault when the chain does not answer. */
  async refreshSigner(): Promise<void> {
    const { client, vault, signer, onWrongSigner } = this.#options;
    try {
      const accepted = await client.readContract({ address: vault, abi: vaultAbi, functionName: 'quoteSigner' });
      this.#isSignerAccepted = isAddressEqual(accepted, signer);
      if (!this.#isSignerAccepted) onWrongSigner(accepted);
    } catch (cause) {
      throw new Fault({
        origin: 'chain',
        kind: 'retryable',
        message: "the vault's quote signer cannot be read",
        cause,
      });
    }
  }

  /** Read the chain's last block. @throws Fault when the chain does not answer. */
  async refreshHead(): Promise<void> {
    try {
      const { timestamp } = await this.#options.client.getBlock({ blockTag: 'latest', includeTransactions: false });
      this.#head.observe(Number(timestamp) * 1_000, this.#now());
    } catch (cause) {
      throw new Fault({ origin: 'chain', kind: 'retryable', message: 'the last block cannot be read', cause });
    }
  }

  problems(): readonly VaultProblem[] {
    return [
      ...(this.#isSignerAccepted === true ? [] : (['quote_signer'] as const)),
      ...(this.#head.state(this.#now()).isCurrent ? [] : (['chain_head'] as const)),
    ];
  }

  headAgeMs(): number | null {
    return this.#head.state(this.#now()).headAgeMs;
  }

  #now() {
    return { nowMs: this.#options.clock.nowMs(), atMs: performance.now() };
  }
}
