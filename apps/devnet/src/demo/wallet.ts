import { vaultAbi } from '@core/vault';
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  type Hex,
  http,
  type PublicClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { StackFile } from '../stack/stackFile.ts';
import type { Story } from './story.ts';

export type ChainClient = PublicClient;

/** A reader of the local chain. */
export function chainClientOf(stack: StackFile): ChainClient {
  return createPublicClient({ chain: chainOf(stack), transport: http(stack.rpcUrl), pollingInterval: 200 });
}

function chainOf(stack: StackFile) {
  return defineChain({
    id: stack.chainId,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [stack.rpcUrl] } },
  });
}

/** One user of the local chain with a key of his own. */
export class Wallet {
  readonly name: string;
  readonly address: Address;
  readonly #stack: StackFile;
  readonly #story: Story;
  readonly #key: Hex;

  constructor(stack: StackFile, name: string, story: Story) {
    const found = stack.accounts.find((account) => account.name === name);
    if (found === undefined) throw new Error(`the stack has no account ${name}`);
    this.name = name;
    this.#stack = stack;
    this.#story = story;
    this.#key = found.privateKey as Hex;
    this.address = privateKeyToAccount(this.#key).address;
  }

  approve(usdcUnits: bigint): Promise<Hex> {
    const { usdc, vault } = this.#stack.contracts;
    return this.#send({ address: usdc, abi: erc20Abi, functionName: 'approve', args: [vault, usdcUnits] });
  }

  /** Calls the vault. @throws when the call would revert, with the vault's own error. */
  callVault(functionName: 'createPosition' | 'requestClose', args: readonly unknown[]): Promise<Hex> {
    return this.#send({ address: this.#stack.contracts.vault, abi: vaultAbi, functionName, args });
  }

  async #send(call: {
    readonly address: string;
    readonly abi: Abi;
    readonly functionName: string;
    readonly args: readonly unknown[];
  }): Promise<Hex> {
    const reader = chainClientOf(this.#stack);
    const account = privateKeyToAccount(this.#key);
    const address = call.address as Address;
    const { request } = await reader.simulateContract({ ...call, address, account });
    const writer = createWalletClient({ account, chain: chainOf(this.#stack), transport: http(this.#stack.rpcUrl) });
    const hash = await writer.writeContract(request);
    const receipt = await reader.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${call.functionName} reverted in ${hash}`);
    this.#story.line(`${this.name} → ${call.functionName}   transaction ${hash}`);
    return hash;
  }
}
