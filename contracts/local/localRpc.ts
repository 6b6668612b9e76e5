import { setTimeout as delay } from 'node:timers/promises';
import {
  type Abi,
  type Address,
  BaseError,
  createPublicClient,
  decodeErrorResult,
  type Hex,
  http,
  isHex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { LocalAccount } from './localAccounts.ts';

/** A transaction that the chain reverted, with the contract's own error when an ABI names it. */
export class LocalRevert extends Error {
  override readonly name = 'LocalRevert';
  readonly errorName: string;
  readonly errorArguments: readonly unknown[];

  constructor(errorName: string, errorArguments: readonly unknown[], cause: unknown) {
    super(`reverted with ${errorName}`, { cause });
    this.errorName = errorName;
    this.errorArguments = errorArguments;
  }
}

const gasLimit = 6_000_000n;
const pollingIntervalMs = 20;
/** Longer than a busy machine takes for an answer: a request that is repeated would be sent twice. */
const timeoutMs = 60_000;
const receiptTimeoutMs = 180_000;

/**
 * Sends transactions of the mnemonic's accounts, which the local node signs itself, and moves the chain's time.
 * For scripts and tests on the local chain only.
 */
export class LocalRpc {
  readonly client: PublicClient;
  readonly #errorAbi: Abi;

  /** @param errorAbi Errors that a revert may carry. */
  constructor(rpcUrl: string, errorAbi: Abi = []) {
    this.client = createPublicClient({
      transport: http(rpcUrl, { timeout: timeoutMs }),
      pollingInterval: pollingIntervalMs,
      cacheTime: 0,
    });
    this.#errorAbi = errorAbi;
  }

  /** Sends a transaction and waits for its receipt. @throws LocalRevert when it reverts. */
  async send(
    from: LocalAccount,
    transaction: { readonly to?: Address; readonly data: Hex; readonly gasLimit?: bigint },
  ): Promise<TransactionReceipt> {
    const gas: Hex = `0x${(transaction.gasLimit ?? gasLimit).toString(16)}`;
    const to = transaction.to === undefined ? {} : { to: transaction.to };
    let hash: Hex;
    try {
      hash = await this.#hexOf('eth_sendTransaction', [{ from: from.address, data: transaction.data, gas, ...to }]);
    } catch (error) {
      throw this.#revertOf(error) ?? error;
    }
    const receipt = await this.#receiptOf(hash);
    if (receipt.status === 'reverted') await this.#refuseReverted(from, transaction, receipt);
    return receipt;
  }

  /**
   * Poll the receipt itself, not the head: a chain that mines with its transactions alone may show the block of this
   * one before the receipt, and no later block ever.
   */
  async #receiptOf(hash: Hex): Promise<TransactionReceipt> {
    const endMs = performance.now() + receiptTimeoutMs;
    while (performance.now() < endMs) {
      const receipt = await this.client.getTransactionReceipt({ hash }).catch((cause: unknown) => {
        if (cause instanceof TransactionReceiptNotFoundError) return null;
        throw cause;
      });
      if (receipt !== null) return receipt;
      await delay(pollingIntervalMs);
    }
    throw new Error(`transaction ${hash} was not mined`);
  }

  /**
   * Throw for a transaction that reverted in its block, which some nodes answer like any other.
   * @throws The contract's error where the same call still fails on that block, else one that names the transaction.
   */
  async #refuseReverted(
    { address }: LocalAccount,
    { to, data }: { readonly to?: Address; readonly data: Hex },
    { transactionHash, blockNumber }: TransactionReceipt,
  ): Promise<never> {
    const call = { account: address, to: to ?? null, data, blockNumber };
    await this.client.call(call).catch((error: unknown) => {
      throw this.#revertOf(error) ?? error;
    });
    throw new Error(`transaction ${transactionHash} reverted in block ${blockNumber}`);
  }

  /** Time of the latest block, Unix seconds. */
  async nowSeconds(): Promise<bigint> {
    return (await this.client.getBlock({ blockTag: 'latest' })).timestamp;
  }

  /** Mines that many blocks, one second after the other. */
  async mine(blocks: number): Promise<void> {
    await this.#control('hardhat_mine', [`0x${blocks.toString(16)}`]);
  }

  /** Moves the chain's clock and mines a block at the new time. */
  async advance(seconds: number): Promise<void> {
    await this.#control('evm_increaseTime', [seconds]);
    await this.#control('evm_mine', []);
  }

  /** The next block has exactly this time. */
  async setNextBlockTime(seconds: bigint): Promise<void> {
    await this.#control('evm_setNextBlockTimestamp', [Number(seconds)]);
  }

  /** Remembers the whole state of the chain. */
  async snapshot(): Promise<Hex> {
    return this.#hexOf('evm_snapshot', []);
  }

  /** Returns to a snapshot, which is used up by it, and mines a block: the snapshot's own may be long ago by now. */
  async revertTo(snapshot: Hex): Promise<void> {
    await this.#control('evm_revert', [snapshot]);
    await this.#control('evm_mine', []);
  }

  #control(method: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.client.request<{ Parameters: readonly unknown[]; ReturnType: unknown }>({ method, params: parameters });
  }

  /** @throws Error for an answer that is not hexadecimal. */
  async #hexOf(method: string, parameters: readonly unknown[]): Promise<Hex> {
    const answer = await this.#control(method, parameters);
    if (!isHex(answer)) throw new Error(`the chain answered ${method} with ${String(answer)}`);
    return answer;
  }

  #revertOf(error: unknown): LocalRevert | null {
    if (!(error instanceof BaseError)) return null;
    const carrier = error.walk((cause) => typeof cause === 'object' && cause !== null && 'data' in cause);
    const data = carrier !== null && 'data' in carrier ? revertDataOf(carrier.data) : null;
    if (data === null) return null;
    if (data === '0x') return new LocalRevert('', [], error);
    try {
      const { errorName, args } = decodeErrorResult({ abi: this.#errorAbi, data });
      return new LocalRevert(errorName, args ?? [], error);
    } catch (unknownError) {
      return new LocalRevert(data.slice(0, 10), [], unknownError);
    }
  }
}

/** The node sends a revert's data either plainly or one level down. */
function revertDataOf(data: unknown): Hex | null {
  if (isHex(data)) return data;
  if (typeof data === 'object' && data !== null && 'data' in data && isHex(data.data)) return data.data;
  return null;
}
