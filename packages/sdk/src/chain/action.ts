import { NetworkError, OutcomeUnknownError } from '../errors/levError.ts';
import type { Surroundings } from '../http/surroundings.ts';
import { TransactionRevertedError } from './chainErrors.ts';
import { RpcError, type RpcRequest, rpcOf } from './rpc.ts';
import { accountOf, sendWith, type Transaction, type Wallet } from './wallet.ts';

/** One transaction of an action: allowances come first. */
export interface PlannedTransaction extends Transaction {
  readonly purpose: 'approve' | 'call';
}

/** Where an action is; a page, a terminal and a hardware wallet show the same. */
export type Step<Result> =
  /** The wallet is asked to sign an allowance. */
  | { readonly step: 'approve'; readonly transaction: Transaction }
  /** The wallet is asked to sign the call itself. */
  | { readonly step: 'sign'; readonly transaction: Transaction }
  /** A transaction was handed over. */
  | { readonly step: 'send'; readonly hash: string }
  /** The call is in a block; now the service has to see it and act on it. */
  | { readonly step: 'wait'; readonly hash: string }
  | { readonly step: 'done'; readonly result: Result };

/** What an action does; `request` reads the chain, or is null where only the plain transactions are wanted. */
export interface ActionPlan<Result> {
  readonly transactions: (request: RpcRequest | null, account: string | null) => Promise<readonly PlannedTransaction[]>;
  /** Resolves when the service shows what the call has led to. */
  readonly result: (hash: string) => Promise<Result>;
}

const receiptPollMs = 1_000;
const receiptTimeoutMs = 180_000;

/**
 * Something done on chain. `await` it for the result, iterate over it for the steps, or take the plain
 * `transactions()` and send them by other means. Nothing happens before one of the three is done.
 */
export class ChainAction<Result> implements PromiseLike<Result>, AsyncIterable<Step<Result>> {
  readonly #plan: ActionPlan<Result>;
  readonly #wallet: Wallet | null;
  readonly #surroundings: Surroundings;

  constructor(plan: ActionPlan<Result>, wallet: Wallet | null, surroundings: Surroundings) {
    this.#plan = plan;
    this.#wallet = wallet;
    this.#surroundings = surroundings;
  }

  /** The transactions in their order, allowances first, whether or not they stand already. */
  async transactions(): Promise<readonly Transaction[]> {
    const planned = await this.#plan.transactions(null, null);
    return planned.map(({ to, data, value }) => ({ to, data, value }));
  }

  // An action is awaited like the promise it stands for, and begins only then.
  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Result, B = never>(
    fulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run().then(fulfilled, rejected);
  }

  /** @throws TransactionRevertedError before or after sending; OutcomeUnknownError with the hash. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Step<Result>, void, undefined> {
    const wallet = this.#wallet;
    if (wallet === null) throw new TypeError('give a wallet, or send `transactions()` yourself');
    const request = rpcOf(wallet, this.#surroundings);
    const account = accountOf(wallet);
    let hash = '';
    for (const { purpose, ...transaction } of await this.#plan.transactions(request, account)) {
      const gas = await simulate(request, account, transaction);
      yield { step: purpose === 'approve' ? 'approve' : 'sign', transaction };
      hash = await sendWith(wallet, transaction, gas);
      yield { step: 'send', hash };
      await this.#mined(request, hash);
    }
    yield { step: 'wait', hash };
    yield { step: 'done', result: await this.#plan.result(hash) };
  }

  /**
   * Goes on with a call that was handed over before: waits for its transaction and for what it leads to. Null where
   * the hash was lost: then for what it leads to alone. @throws what the steps throw.
   */
  async resume(hash: string | null): Promise<Result> {
    const wallet = this.#wallet;
    if (wallet === null) throw new TypeError('the chain is read through the wallet: give one');
    if (hash !== null) await this.#mined(rpcOf(wallet, this.#surroundings), hash);
    return this.#plan.result(hash ?? '');
  }

  async #run(): Promise<Result> {
    for await (const step of this) if (step.step === 'done') return step.result;
    throw new Error('the action gave no result');
  }

  /** Waits until a transaction is in a block. */
  async #mined(request: RpcRequest, hash: string): Promise<void> {
    const { nowMs, sleep } = this.#surroundings;
    const endMs = nowMs() + receiptTimeoutMs;
    for (;;) {
      const receipt = await request('eth_getTransactionReceipt', [hash]).catch((cause: unknown) => {
        if (cause instanceof NetworkError && nowMs() < endMs) return null;
        throw new OutcomeUnknownError(hash, `the end of ${hash} is unknown`, { cause });
      });
      const status: unknown = typeof receipt === 'object' && receipt !== null ? Reflect.get(receipt, 'status') : null;
      // Viem's clients answer in words, nodes in numbers.
      if (status === '0x1' || status === 'success') return;
      if (status !== null) throw new TransactionRevertedError(null, `${hash} reverted`, hash);
      if (nowMs() > endMs) throw new OutcomeUnknownError(hash, `${hash} is in no block yet`);
      await sleep(receiptPollMs);
    }
  }
}

/**
 * Simulates first: a revert is reported with its error, and nothing is spent on it. The gas to send with: a third more
 * than what was estimated, for by the next block interest may be due that was not yet at the last.
 */
async function simulate(request: RpcRequest, from: string, { to, data }: Transaction): Promise<bigint> {
  try {
    const estimated = (await request('eth_estimateGas', [{ from, to, data }])) as string;
    return (BigInt(estimated) * 4n) / 3n;
  } catch (cause) {
    if (!(cause instanceof RpcError)) throw cause;
    const { revertOf } = await import('./vaultCalls.ts');
    const { name, sentence } = revertOf(cause.data);
    throw new TransactionRevertedError(name, sentence, null);
  }
}
