import { chainClientOf } from '@core/runtime';
import { errorNameOf, vaultAbi } from '@core/vault';
import type { OpeningTransactionWire } from '@core/wire';
import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  isHex,
  type PublicClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { StackFile } from '../../stack/state/stackFile.ts';
import type { StepPrinter } from '../stepPrinter.ts';

export type ChainClient = PublicClient;

/** Return a reader of the local chain. */
export function stackClientOf(stack: StackFile): ChainClient {
  return chainClientOf({ rpcUrl: stack.rpcUrl, timeoutMs: 10_000, pollingIntervalMs: 200 });
}

function chainOf(stack: StackFile) {
  return defineChain({
    id: stack.chainId,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [stack.rpcUrl] } },
  });
}

type CloseArguments = ContractFunctionArgs<typeof vaultAbi, 'nonpayable', 'requestClose'>;

/** A user of the local chain, who signs with a key of the stack file. */
export class Wallet {
  readonly name: string;
  readonly address: Address;
  readonly #stack: StackFile;
  readonly #printer: StepPrinter;
  readonly #key: Hex;

  constructor(stack: StackFile, name: string, printer: StepPrinter) {
    const account = stack.accounts.find((account) => account.name === name);
    if (account === undefined) throw new Error(`the stack has no account ${name}`);
    this.name = name;
    this.#stack = stack;
    this.#printer = printer;
    this.#key = account.privateKey;
    this.address = privateKeyToAccount(this.#key).address;
  }

  /**
   * Approve the allowances that the transaction of a quote lists, then send it.
   *
   * @throws Error when the vault would refuse it.
   */
  async open({ to, data, approvals }: OpeningTransactionWire): Promise<void> {
    for (const { token, spender, units } of approvals) {
      const args = [spender, BigInt(units)];
      await this.#call({ address: token, abi: erc20Abi, functionName: 'approve', args });
    }
    await this.#send('the opening', { to: to, data: data });
  }

  /** Request a close. @throws Error with the vault's own error when the call would revert. */
  requestClose(...args: CloseArguments): Promise<Hex> {
    return this.#callVault('requestClose', args);
  }

  #callVault(functionName: string, args: readonly unknown[]): Promise<Hex> {
    return this.#call({ address: this.#stack.contracts.vault, abi: vaultAbi, functionName, args });
  }

  #call(call: {
    readonly address: Address;
    readonly abi: Abi;
    readonly functionName: string;
    readonly args: readonly unknown[];
  }): Promise<Hex> {
    return this.#send(call.functionName, { to: call.address, data: encodeFunctionData(call) });
  }

  async #send(what: string, transaction: { readonly to: Address; readonly data: Hex }): Promise<Hex> {
    const reader = stackClientOf(this.#stack);
    const account = privateKeyToAccount(this.#key);
    // The simulation reports a revert by its error; a failed receipt would not.
    await reader.call({ ...transaction, account }).catch((cause: unknown) => {
      throw new Error(`${what} would revert with ${revertNameOf(cause)}`, { cause });
    });
    const writer = createWalletClient({ account, chain: chainOf(this.#stack), transport: http(this.#stack.rpcUrl) });
    const hash = await writer.sendTransaction(transaction);
    const receipt = await reader.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${what} reverted in ${hash}`);
    this.#printer.line(`${this.name} → ${what}   transaction ${hash}`);
    return hash;
  }
}

/** Return the error of vault or pool behind a call that would revert. */
function revertNameOf(cause: unknown): string {
  const source = cause instanceof BaseError ? cause.walk((error) => 'data' in Object(error)) : null;
  const data: unknown = source === null ? undefined : Reflect.get(source, 'data');
  return (isHex(data) ? errorNameOf(data) : null) ?? 'an unknown error';
}
