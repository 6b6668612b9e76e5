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

/**
 * Sends transactions of the mnemonic's accounts, which the local node signs itself, and moves the chain's time.
 * For scripts and tests on the local chain only.
 */
export class LocalRpc {
  readonly client: PublicClient;
  readonly #errorAbi: Abi;

  /** @param errorAbi Errors that a revert may carry. */
  constructor(rpcUrl: string, errorAbi: Abi = []) {
    this.client = createPublicClient({ transport: http(rpcUrl), pollingInterval: pollingIntervalMs, cacheTime: 0 });
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
      hash = await this.client.request({
        method: 'eth_sendTransaction' as never,
        params: [{ from: from.address, data: transaction.data, gas, ...to }] as never,
      });
    } catch (error) {
      throw this.#revertOf(error) ?? error;
    }
    return this.client.waitForTransactionReceipt({ hash });
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
    return (await this.#control('evm_snapshot', [])) as Hex;
  }

  /** Returns to a snapshot, which is used up by it, and mines a block: the snapshot's own may be long ago by now. */
  async revertTo(snapshot: Hex): Promise<void> {
    await this.#control('evm_revert', [snapshot]);
    await this.#control('evm_mine', []);
  }

  #control(method: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.client.request({ method: method as never, params: parameters as never });
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
