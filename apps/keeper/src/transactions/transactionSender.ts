import type { Lease } from '@core/store';
import type { Address, TransactionReceipt } from 'viem';
import { chainFault } from './chainFault.ts';
import { Delivery, type SendTiming, usualTiming } from './delivery.ts';
import { type CallIntent, isCall, unfinishedStates } from './intents.ts';
import type { CallOf, CallOperation } from './intentTable.ts';
import { SignedTransactions, type SigningOptions } from './signedTransactions.ts';

/** One call to make, once. */
export interface SendRequest<Name extends CallOperation> {
  readonly subject: string;
  readonly operation: Name;
  readonly attempt: number;
  readonly plan: CallOf<Name>;
  readonly lease: Lease;
}

export type SendOutcome =
  | { readonly kind: 'included'; readonly intent: CallIntent; readonly receipt: TransactionReceipt | null }
  /** In a block, and reverted there. */
  | { readonly kind: 'reverted'; readonly intent: CallIntent }
  /** The call would have reverted, so nothing was signed; `revert` is the contract's error. */
  | { readonly kind: 'refused'; readonly intent: CallIntent; readonly revert: string };

export interface SenderOptions extends SigningOptions {
  readonly timing?: Partial<SendTiming>;
}

/**
 * One signer's transactions, in the order of their nonces. The intent is stored before anything else, the raw
 * transaction before it is sent; every step can be repeated after a crash without a second effect. Nonces are handed
 * out by the store, so a failed send leaves no gap: the same bytes are sent again or replaced on their nonce.
 */
export class TransactionSender {
  readonly #options: SenderOptions;
  readonly #signed: SignedTransactions;
  readonly #delivery: Delivery;
  /** Intents under way in this process, so that nothing carries one on twice at a time. */
  readonly #running = new Map<string, Promise<SendOutcome>>();

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#signed = new SignedTransactions(options);
    this.#delivery = new Delivery({
      ...options,
      signed: this.#signed,
      timing: { ...usualTiming, ...options.timing },
    });
  }

  get address(): Address {
    return this.#options.account.address;
  }

  /** Prepares the intent of a request and carries it through. Repeating a request continues or repeats its outcome. */
  async send<Name extends CallOperation>(request: SendRequest<Name>): Promise<SendOutcome> {
    const { intents, clock, failpoint } = this.#options;
    const { intent, isNew } = await intents.prepare({ ...request, nowMs: clock.nowMs() });
    failpoint(request.operation, 'after_intent');
    if (!isCall(intent)) {
      throw new Error(`${request.operation} ${request.attempt} of ${request.subject} was noted without a call`);
    }
    return this.#carryOn(intent, { isNew });
  }

  /** Carries a stored intent to its end from wherever it stands. */
  resume(intent: CallIntent): Promise<SendOutcome> {
    return this.#carryOn(intent, { isNew: false });
  }

  #carryOn(intent: CallIntent, known: { readonly isNew: boolean }): Promise<SendOutcome> {
    const running = this.#running.get(intent.id);
    if (running !== undefined) {
      return running;
    }
    const ended = this.#toEnd(intent, known).finally(() => this.#running.delete(intent.id));
    this.#running.set(intent.id, ended);
    return ended;
  }

  async #toEnd(intent: CallIntent, known: { readonly isNew: boolean }): Promise<SendOutcome> {
    switch (intent.state) {
      case 'included':
      case 'final':
        return { kind: 'included', intent, receipt: null };
      case 'reverted':
      case 'replaced':
        return { kind: 'reverted', intent };
      case 'dropped':
        return { kind: 'refused', intent, revert: intent.outcome?.revert ?? 'refused' };
      case 'prepared':
      case 'signed':
      case 'broadcast':
      case 'reorged': {
        const signed = await this.#signed.sign(intent, known);
        if (signed !== 'stored' && 'revert' in signed) return { kind: 'refused', intent, ...signed };
        const sentHash = signed === 'stored' ? null : signed.sentHash;
        return { intent, ...(await this.#delivery.deliver(intent, { sentHash })) };
      }
    }
  }

  /**
   * Takes the signer's nonces over: every unfinished transaction is carried on, oldest nonce first, also one that was
   * mined without being recorded; and a nonce that the store gave out and no intent owns is filled with a transfer to
   * ourselves.
   */
  async resumeAll(lease: Lease): Promise<void> {
    const { intents, client, account } = this.#options;
    const chainNonce = await client.getTransactionCount({ address: account.address }).catch((cause: unknown) => {
      throw chainFault('the nonce of the keeper cannot be read', cause);
    });
    const nextNonce = await intents.raiseNonce(account.address, chainNonce);
    const unfinished = (await intents.inStates(unfinishedStates)).filter(isCall);
    const byNonce = new Map(unfinished.filter((intent) => this.#isOwn(intent)).map((intent) => [intent.nonce, intent]));
    for (let nonce = chainNonce; nonce < nextNonce; nonce += 1) {
      if (!byNonce.has(nonce) && !(await intents.isNonceOwned(account.address, nonce))) {
        byNonce.set(nonce, await this.#prepareGap(nonce, lease));
      }
    }
    const inOrder = [...byNonce.values()].toSorted((left, right) => (left.nonce ?? 0) - (right.nonce ?? 0));
    // Sent in this order, waited for together: one that is stuck holds up no other's record.
    const results = await Promise.allSettled(inOrder.map((intent) => this.resume(intent)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} transactions could not be resumed`);
  }

  #isOwn(intent: CallIntent): boolean {
    return intent.nonce !== null && !this.#signed.isForeign(intent);
  }

  async #prepareGap(nonce: number, lease: Lease): Promise<CallIntent> {
    const { intents, clock, account } = this.#options;
    const { intent } = await intents.prepare({
      subject: `signer:${account.address.toLowerCase()}`,
      operation: 'fill_gap',
      attempt: nonce,
      plan: { kind: 'transaction', to: account.address, data: '0x', details: {} },
      lease,
      nowMs: clock.nowMs(),
    });
    await intents.pinNonce({ id: intent.id, signerAddress: account.address, nonce, nowMs: clock.nowMs() });
    return { ...intent, nonce };
  }
}
