import { chainClientOf } from '@core/runtime';
import { type Address, type Hex, keccak256, type PublicClient } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

const gasLimit = 12_000_000n;
const maxFeePerGas = 50_000_000_000n;
/** Where a block comes at once, the receipt is there a moment later: the first looks follow each other quickly. */
const firstPollMs = 2;
const pollMs = 20;
const requestTimeoutMs = 10_000;
const receiptTimeoutMs = 30_000;

export interface SentTransaction {
  readonly hash: Hex;
  /** False when the chain included it and reverted it. */
  readonly isSuccess: boolean;
}

/** A chain that does not answer, or does not include what it took. */
export class ChainFault extends Error {}

export const localClient = (rpcUrl: string): PublicClient =>
  chainClientOf({ rpcUrl, timeoutMs: requestTimeoutMs, retryCount: 2, pollingIntervalMs: pollMs });

/** One account's transactions on the local chain, sent one after the other and waited for side by side, signed here. */
export class TransactionSender {
  readonly #client: PublicClient;
  readonly #account: PrivateKeyAccount;
  readonly #chainId: number;
  #nonce: number | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: PublicClient, privateKey: Hex, chainId: number) {
    this.#client = client;
    this.#account = privateKeyToAccount(privateKey);
    this.#chainId = chainId;
  }

  get address(): Address {
    return this.#account.address;
  }

  /** Sends a call and waits until it is included. A revert is an answer, not a fault. */
  async send(to: Address, data: Hex): Promise<SentTransaction> {
    return this.included(await this.submit(to, data));
  }

  /** Sends a call: its hash, once the node has taken it. */
  submit(to: Address, data: Hex): Promise<Hex> {
    const sent = this.#last.then(() => this.#submit(to, data));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /** @throws ChainFault when the call reverts. */
  async must(to: Address, data: Hex, what: string): Promise<Hex> {
    const { hash, isSuccess } = await this.send(to, data);
    if (!isSuccess) throw new ChainFault(`${what} was reverted: ${hash}`);
    return hash;
  }

  async #submit(to: Address, data: Hex): Promise<Hex> {
    this.#nonce ??= await this.#client.getTransactionCount({ address: this.address, blockTag: 'pending' });
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: this.#chainId,
      nonce: this.#nonce,
      to,
      data,
      gas: gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas: 1_000_000_000n,
    });
    const hash = keccak256(raw);
    try {
      await this.#client.request({ method: 'eth_sendRawTransaction', params: [raw] });
    } catch (error) {
      // The local chain answers an error for a transaction that it included and reverted: the receipt decides.
      if ((await this.#receiptOf(hash, 200)) === null) {
        this.#nonce = null;
        throw new ChainFault(`transaction ${hash} was not taken`, { cause: error });
      }
    }
    this.#nonce += 1;
    return hash;
  }

  /** Waits until a call that was sent is included. @throws ChainFault when it is not. */
  async included(hash: Hex): Promise<SentTransaction> {
    const receipt = await this.#receiptOf(hash, receiptTimeoutMs);
    if (receipt === null) {
      this.#nonce = null;
      throw new ChainFault(`transaction ${hash} was not included`);
    }
    return { hash, isSuccess: receipt.status === '0x1' };
  }

  async #receiptOf(hash: Hex, timeoutMs: number): Promise<{ readonly status: Hex } | null> {
    const deadlineMs = Date.now() + timeoutMs;
    for (let pauseMs = firstPollMs; ; pauseMs = Math.min(2 * pauseMs, pollMs)) {
      const receipt = await this.#client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
      if (receipt !== null) return receipt;
      if (Date.now() >= deadlineMs) return null;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
