import { chainClientOf } from '@core/runtime';
import { type Address, type Hex, keccak256, type PublicClient } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';

const gasLimit = 12_000_000n;
const maxFeePerGas = 50_000_000_000n;
/** First polling interval of a receipt, short for chains with instant blocks. */
const firstPollMs = 2;
const requestTimeoutMs = 10_000;
const receiptTimeoutMs = 30_000;

export interface SentTransaction {
  readonly hash: Hex;
  /** False when the chain included it and reverted it. */
  readonly isSuccess: boolean;
}

/** Fault of a chain that does not respond, or does not include a submitted transaction. */
export class ChainFault extends Error {}

/** Return a client of the local chain, whose polling interval bounds the pause between two reads of a receipt. */
export const localClient = (rpcUrl: string, pollingIntervalMs: number): PublicClient =>
  chainClientOf({ rpcUrl, timeoutMs: requestTimeoutMs, retryCount: 2, pollingIntervalMs });

/** Sender of one account's transactions on the local chain: submitted one after the other, awaited concurrently. */
export class TransactionSender {
  readonly #client: PublicClient;
  readonly #account: PrivateKeyAccount;
  readonly #chainId: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: PublicClient, privateKey: Hex, chainId: number) {
    this.#client = client;
    this.#account = privateKeyToAccount(privateKey);
    this.#chainId = chainId;
  }

  get address(): Address {
    return this.#account.address;
  }

  /** Send a call and wait until it is included. A revert is a result, not a fault. */
  async send(to: Address, data: Hex): Promise<SentTransaction> {
    return this.included(await this.submit(to, data));
  }

  /** Submit a call and return its hash once the node accepts it. */
  submit(to: Address, data: Hex): Promise<Hex> {
    const submission = this.#last.then(() => this.#submit(to, data));
    this.#last = submission.catch(() => undefined);
    return submission;
  }

  /** @throws ChainFault when the call reverts. */
  async must(to: Address, data: Hex, what: string): Promise<Hex> {
    const { hash, isSuccess } = await this.send(to, data);
    if (!isSuccess) throw new ChainFault(`${what} was reverted: ${hash}`);
    return hash;
  }

  async #submit(to: Address, data: Hex): Promise<Hex> {
    // Read each time: a reorganisation or a dropped transaction frees nonces.
    const nonce = await this.#client.getTransactionCount({ address: this.address, blockTag: 'pending' });
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: this.#chainId,
      nonce,
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
        throw new ChainFault(`transaction ${hash} was not taken`, { cause: error });
      }
    }
    return hash;
  }

  /** Wait until a submitted call is included. @throws ChainFault when it is not. */
  async included(hash: Hex): Promise<SentTransaction> {
    const receipt = await this.#receiptOf(hash, receiptTimeoutMs);
    if (receipt === null) {
      throw new ChainFault(`transaction ${hash} was not included`);
    }
    return { hash, isSuccess: receipt.status === '0x1' };
  }

  async #receiptOf(hash: Hex, timeoutMs: number): Promise<{ readonly status: Hex } | null> {
    const deadlineMs = Date.now() + timeoutMs;
    for (let pauseMs = firstPollMs; ; pauseMs = Math.min(2 * pauseMs, this.#client.pollingInterval)) {
      const receipt = await this.#client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
      if (receipt !== null) return receipt;
      if (Date.now() >= deadlineMs) return null;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
