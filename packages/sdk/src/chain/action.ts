import { InputError } from '../errors/inputError.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { ActionPlan, Step } from './actionPlan.ts';
import { SharedRun } from './sharedRun.ts';
import type { Transaction, Wallet } from './wallet.ts';

/**
 * Action on chain. `await` it for the result, iterate over it for the steps, or take the plain `transactions()` and
 * send them by other means. Nothing happens before one of these.
 *
 * An action runs once: all readers share its run, its result and its error. It pauses while no reader requests a step,
 * and continues from there. Create another action to do the same again.
 */
export class ChainAction<Result> implements PromiseLike<Result>, AsyncIterable<Step<Result>> {
  readonly #plan: ActionPlan<Result>;
  readonly #wallet: Wallet | null;
  readonly #surroundings: Surroundings;
  readonly #run: SharedRun<Step<Result>>;

  constructor(plan: ActionPlan<Result>, wallet: Wallet | null, surroundings: Surroundings) {
    this.#plan = plan;
    this.#wallet = wallet;
    this.#surroundings = surroundings;
    this.#run = new SharedRun(this.#steps());
  }

  /** Return the transactions in order, allowances first, including those whose effect already exists. */
  async transactions(): Promise<readonly Transaction[]> {
    this.#plan.check();
    const planned = await this.#plan.transactions(null, null);
    return planned.map(({ to, data, value }) => ({ to, data, value }));
  }

  // An action is a thenable that starts when it is first awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Result, B = never>(
    fulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result().then(fulfilled, rejected);
  }

  /**
   * Yield the steps from the first on.
   *
   * @throws WrongChainError before anything is signed; TransactionNotSentError; TransactionRevertedError before or
   * after sending; TransactionReplacedError; OutcomeUnknownError, with the hash where there is one.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Step<Result>, void, undefined> {
    return this.#run[Symbol.asyncIterator]();
  }

  async *#steps(): AsyncGenerator<Step<Result>, void, undefined> {
    this.#plan.check();
    const wallet = this.#wallet;
    if (wallet === null) throw noWallet();
    const { carryOut } = await import('./carryOut.ts');
    yield* carryOut(this.#plan, wallet, this.#surroundings);
  }

  /**
   * Continue with a call that was sent before: wait for its transaction and for its effect.
   *
   * @param hash Hash of the transaction; null or empty when it was lost, to wait for the effect alone.
   * @throws the errors of the steps; OutcomeUnknownError without the hash of a call that only its hash shows.
   */
  async resume(hash: string | null): Promise<Result> {
    const wallet = this.#wallet;
    if (wallet === null) throw noWallet();
    const { settle } = await import('./carryOut.ts');
    return settle(this.#plan, { wallet, hash }, this.#surroundings);
  }

  async #result(): Promise<Result> {
    for await (const step of this) if (step.step === 'done') return step.result;
    throw new Error('the action gave no result');
  }
}

const noWallet = (): InputError =>
  new InputError('wallet', undefined, 'Give a `wallet`, or send the `transactions()` by other means.');
