import { depositWalletOf, type VenueContracts, type WalletBatch } from '@core/venue';
import type { Address, Hex } from 'viem';

/** Contracts that the address of a wallet derives from. */
export type WalletContracts = Pick<VenueContracts, 'walletFactory' | 'walletBeacon'>;

/** Wallets of the chain of settlement, deployed and moved by the venue's operator. */
export interface WalletChain {
  isDeployed(wallet: Address): Promise<boolean>;
  /** Return the nonce of a wallet's next batch; 0 for a wallet without code. */
  nonceOf(wallet: Address): Promise<bigint>;
  /** Submit the deployment of an owner's wallet, and return the transaction's hash. */
  deploy(owner: Address): Promise<Hex>;
  /** Submit a batch, and return the transaction's hash. */
  execute(batch: WalletBatch, signature: Hex): Promise<Hex>;
  /** Wait until a transaction is included. Return false when it was reverted. */
  isSuccess(transactionHash: Hex): Promise<boolean>;
}

/** Relayer request with its status. */
export interface RelayedRequest {
  readonly id: string;
  readonly type: 'WALLET' | 'WALLET-CREATE';
  readonly wallet: Address;
  readonly state: 'STATE_NEW' | 'STATE_EXECUTED' | 'STATE_CONFIRMED' | 'STATE_FAILED';
  /** Null until a transaction was sent, and where there is no chain. */
  readonly transactionHash: Hex | null;
  readonly errorText: string;
}

export interface WalletRegistryOptions {
  /** Null when the venue has no wallets. */
  readonly contracts: WalletContracts | null;
  /** Null when wallets exist in this registry alone. */
  readonly chain: WalletChain | null;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Deposit wallets, one per owner, and the requests of the relayer that creates and moves them. */
export class WalletRegistry {
  readonly #options: WalletRegistryOptions;
  readonly #wallets = new Set<string>();
  readonly #requests = new Map<string, RelayedRequest>();

  constructor(options: WalletRegistryOptions) {
    this.#options = options;
  }

  /** Wallets on the chain; null where there are none. */
  get chain(): WalletChain | null {
    return this.#options.chain;
  }

  /** Return the address of an owner's wallet, created or not; null when the venue has no wallets. */
  walletOf(owner: Address): Address | null {
    const { contracts } = this.#options;
    return contracts === null ? null : depositWalletOf(owner, contracts);
  }

  /** Factory and beacon; null when the venue has no wallets. */
  get contracts(): WalletContracts | null {
    return this.#options.contracts;
  }

  async isMade(wallet: Address): Promise<boolean> {
    const key = wallet.toLowerCase();
    if (this.#wallets.has(key) || this.chain === null) return this.#wallets.has(key);
    const isDeployed = await this.chain.isDeployed(wallet);
    if (isDeployed) this.#wallets.add(key);
    return isDeployed;
  }

  /** Return true while a request of a wallet is unfinished. */
  isBusy(wallet: Address): boolean {
    return [...this.#requests.values()].some(
      (request) => request.wallet === wallet && ['STATE_NEW', 'STATE_EXECUTED'].includes(request.state),
    );
  }

  /** Create the wallet of an owner; null when the venue has no wallets. */
  make(owner: Address): RelayedRequest | null {
    const wallet = this.walletOf(owner);
    if (wallet === null) return null;
    if (this.chain !== null) return this.#send('WALLET-CREATE', wallet, this.chain.deploy(owner));
    this.#wallets.add(wallet.toLowerCase());
    return this.#record({ ...this.#requestOf('WALLET-CREATE', wallet), state: 'STATE_CONFIRMED' });
  }

  /** Execute a batch on the chain; null without one. */
  execute(batch: WalletBatch, signature: Hex): RelayedRequest | null {
    if (this.chain === null) return null;
    return this.#send('WALLET', batch.wallet, this.chain.execute(batch, signature));
  }

  request(id: string): RelayedRequest | undefined {
    return this.#requests.get(id);
  }

  #requestOf(type: RelayedRequest['type'], wallet: Address): RelayedRequest {
    const id = `wallet-${this.#requests.size + 1}`;
    return { id, type, wallet, state: 'STATE_NEW', transactionHash: null, errorText: '' };
  }

  #record(request: RelayedRequest): RelayedRequest {
    this.#requests.set(request.id, request);
    return request;
  }

  #send(type: RelayedRequest['type'], wallet: Address, submission: Promise<Hex>): RelayedRequest {
    const request = this.#record(this.#requestOf(type, wallet));
    void this.#follow(request, submission);
    return request;
  }

  /** Record the states of a request until its transaction is included. */
  async #follow(request: RelayedRequest, submission: Promise<Hex>): Promise<void> {
    try {
      const transactionHash = await submission;
      this.#record({ ...request, state: 'STATE_EXECUTED', transactionHash });
      const isSuccess = (await this.chain?.isSuccess(transactionHash)) ?? false;
      const end = isSuccess
        ? { state: 'STATE_CONFIRMED' as const, errorText: '' }
        : { state: 'STATE_FAILED' as const, errorText: 'execution reverted' };
      this.#record({ ...request, ...end, transactionHash });
    } catch (error) {
      this.#record({ ...request, state: 'STATE_FAILED', errorText: 'the transaction was not sent' });
      this.#options.onFault(`relaying ${request.id}`, error);
    }
  }
}
