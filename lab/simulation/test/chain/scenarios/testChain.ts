import { setTimeout as delay } from 'node:timers/promises';
import { type LocalProvider, localRoles } from '@core/contracts/local';
import { type Address, createPublicClient, type Hash, type Hex, http, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Chain } from '../../../src/outside/chain/chain.ts';
import type { ChainNode } from '../../../src/outside/chain/chainNode.ts';
import type { ChainSettings } from '../../../src/outside/chain/settings.ts';
import type { Edge } from '../../../src/runtime/installEdge.ts';

/** Pause between two blocks of the scenarios. */
export const paceMs = 2_000;

const users = localRoles();
/** A user whose key signs transactions outside the node. */
export type User = 'alice' | 'bob' | 'carol' | 'dave';

/** Code that emits a log without topics, and its creation. */
const loggingCode = '0x6006600c60003960066000f360006000a000';

/** Chain and helpers of a scenario. */
export interface Setting {
  readonly edge: Edge;
  readonly provider: LocalProvider;
}

export const addressOf = (user: User): Address => users[user].address;

/** A chain, and clients that read it and send to it. */
export class TestChain {
  readonly edge: Edge;
  readonly chain: Chain;

  private constructor(edge: Edge, chain: Chain) {
    this.edge = edge;
    this.chain = chain;
  }

  static async open({ edge, provider }: Setting, settings: Partial<ChainSettings> = {}): Promise<TestChain> {
    return new TestChain(edge, await Chain.open(edge, { pace: paceMs, provider, ...settings }));
  }

  /** Deploy code while each transaction is mined at once. */
  async deploy(data: Hex): Promise<Address> {
    const hash = await this.call<Hash>('eth_sendTransaction', [{ from: users.owner.address, data, gas: '0x100000' }]);
    const { contractAddress } = await this.reader().getTransactionReceipt({ hash });
    if (contractAddress === null || contractAddress === undefined) throw new Error('a deployment without a contract');
    return contractAddress;
  }

  deployLogging(): Promise<Address> {
    return this.deploy(loggingCode);
  }

  reader(node: ChainNode = this.chain.node) {
    return createPublicClient({ transport: http(node.rpcUrl, { retryCount: 0 }), cacheTime: 0 });
  }

  call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    return this.reader().request<{ Parameters: readonly unknown[]; ReturnType: Result }>({ method, params });
  }

  /** Sign a transfer, or a call of a contract. */
  sign(
    user: User,
    { nonce, tip, max = 100, to = addressOf(user) }: { nonce: number; tip: number; max?: number; to?: Address },
  ): Promise<Hex> {
    return privateKeyToAccount(users[user].privateKey).signTransaction({
      chainId: 31_337,
      to,
      nonce,
      gas: 50_000n,
      maxPriorityFeePerGas: parseGwei(String(tip)),
      maxFeePerGas: parseGwei(String(max)),
    });
  }

  async send(user: User, transaction: Parameters<TestChain['sign']>[1]): Promise<Hash> {
    const serializedTransaction = await this.sign(user, transaction);
    return this.reader().sendRawTransaction({ serializedTransaction });
  }

  /** Wait for the next blocks, and a moment more. */
  async nextBlock(count = 1): Promise<void> {
    const reader = this.reader();
    const end = (await reader.getBlockNumber()) + BigInt(count);
    while ((await reader.getBlockNumber()) < end) await delay(100);
  }

  /** Return number, hash and index of a mined transaction; null when it has no receipt. */
  async minedAt(hash: Hash, node?: ChainNode): Promise<{ block: number; hash: Hash; index: number } | null> {
    const receipt = await orNull(this.reader(node).getTransactionReceipt({ hash }));
    if (receipt === null) return null;
    return { block: Number(receipt.blockNumber), hash: receipt.blockHash, index: receipt.transactionIndex };
  }

  /** Return a transaction as `pending`, `mined` or `unknown`. */
  async stateOf(hash: Hash, node?: ChainNode): Promise<'pending' | 'mined' | 'unknown'> {
    const transaction = await orNull(this.reader(node).getTransaction({ hash }));
    if (transaction === null) return 'unknown';
    return transaction.blockNumber === null ? 'pending' : 'mined';
  }

  async noncesOf(user: User, node?: ChainNode): Promise<{ latest: number; pending: number }> {
    const reader = this.reader(node);
    const address = addressOf(user);
    const latest = await reader.getTransactionCount({ address, blockTag: 'latest' });
    return { latest, pending: await reader.getTransactionCount({ address, blockTag: 'pending' }) };
  }

  /** Return the blocks of a range with seconds since the world's start. */
  async blocks(from: number, to: number): Promise<{ number: number; hash: Hash; seconds: number; hashes: Hash[] }[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const read = numbers.map((number) => this.reader().getBlock({ blockNumber: BigInt(number) }));
    return (await Promise.all(read)).map(({ number, hash, timestamp, transactions }) => ({
      number: Number(number),
      hash,
      seconds: Number(timestamp) - Math.floor(this.edge.scheduler.startMs / 1_000),
      hashes: transactions,
    }));
  }

  async height(): Promise<number> {
    return Number(await this.reader().getBlockNumber());
  }

  /** Post a body as it is, and return status and text of the answer. */
  async post(body: string, node: ChainNode = this.chain.node): Promise<{ status: number; body: string }> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(node.rpcUrl, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.text() };
  }
}

/** Return null where the node does not know what is asked for. */
export const orNull = <Value>(answer: Promise<Value>): Promise<Value | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof Error && /NotFound/.test(error.name)) return null;
    throw error;
  });

/** Return the message of a refusal; null for an answer. */
export const refusalOf = (answer: Promise<unknown>): Promise<string | null> =>
  answer.then(
    () => null,
    (error: unknown) => (error instanceof Error && 'details' in error ? String(error.details) : String(error)),
  );
