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

/** A reader of the local chain. */
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

/** One user of the local chain, who signs with a key of the stack file. */
export class Wallet {
  readonly name: string;
  readonly address: Address;
  readonly #stack: StackFile;
  readonly #printer: StepPrinter;
  readonly #key: Hex;

  constructor(stack: StackFile, name: string, printer: StepPrinter) {
    const found = stack.accounts.find((account) => account.name === name);
    if (found === undefined) throw new Error(`the stack has no account ${name}`);
    this.name = name;
    this.#stack = stack;
    this.#printer = printer;
    this.#key = found.privateKey;
    this.address = privateKeyToAccount(this.#key).address;
  }

  /** Gives the allowances a quote's transaction names, then sends it. @throws when the vault would refuse it. */
  async open({ to, data, approvals }: OpeningTransactionWire): Promise<void> {
    for (const { token, spender, units } of approvals) {
      const args = [spender, BigInt(units)];
      await this.#call({ address: token as Address, abi: erc20Abi, functionName: 'approve', args });
    }
    await this.#send('the opening', { to: to as Address, data: data as Hex });
  }

  /** @throws when the call would revert, with the vault's own error. */
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
    // Called first: a revert is reported with its error instead of a failed receipt.
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

/** The contract's own error behind a call that would revert, where it is one of the vault's or the pool's. */
function revertNameOf(cause: unknown): string {
  const found = cause instanceof BaseError ? cause.walk((error) => 'data' in Object(error)) : null;
  const data: unknown = found === null ? undefined : Reflect.get(found, 'data');
  return (isHex(data) ? errorNameOf(data) : null) ?? 'an unknown error';
}
