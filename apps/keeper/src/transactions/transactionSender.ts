import { type CoinReading, coinNeedsOf, keeperCallGas } from '@core/runtime';
import type { Lease, NonceOwner } from '@core/store';
import { inPositionSpan, noteOnSpan } from '@core/tracing';
import type { Address, Hex, TransactionReceipt } from 'viem';
import type { SendingState } from '../runner/sendingProblems.ts';
import { chainFault } from './chainFault.ts';
import { Delivery, defaultTiming, type SendTiming } from './delivery.ts';
import { FeeReader } from './feeReader.ts';
import { type CallIntent, endedStates, type Intent, isCall, unfinishedCalls } from './intents.ts';
import type { CallOf, CallOperation } from './intentTable.ts';
import { NonceWatch, type SignerNonces } from './nonceWatch.ts';
import { receiptOf } from './receipts.ts';
import { SignedTransactions, type SigningOptions } from './signedTransactions.ts';

/** One call with exactly one effect. */
export interface SendRequest<Name extends CallOperation> {
  readonly subject: string;
  readonly operation: Name;
  readonly attempt: number;
  readonly plan: CallOf<Name>;
  readonly lease: Lease;
}

export type SendOutcome =
  | { readonly kind: 'included'; readonly intent: CallIntent; readonly receipt: TransactionReceipt | null }
  /** Reverted in a block. */
  | { readonly kind: 'reverted'; readonly intent: CallIntent }
  /** Refused by the simulation, so that nothing was signed; `revert` is the contract's error. */
  | { readonly kind: 'refused'; readonly intent: CallIntent; readonly revert: string };

export interface SenderOptions extends Omit<SigningOptions, 'fees' | 'onRefused'> {
  readonly timing?: Partial<SendTiming>;
}

/** Stored intent of a request, not yet known to be a call. */
interface PreparedIntent {
  readonly intent: Intent;
  readonly isNew: boolean;
}

/** Time for which the nonces of an idle signer are not read on behalf of lost ones. */
const idleTrustMs = 5_000;

/**
 * Transactions of one signer, in the order of their nonces. The intent is stored before anything else, the raw
 * transaction before it is sent; every step can be repeated after a crash without a second effect. The store assigns
 * nonces, so a failed send leaves no gap: the same bytes are sent again or replaced on their nonce.
 */
export class TransactionSender {
  readonly #options: SenderOptions;
  readonly #signed: SignedTransactions;
  readonly #delivery: Delivery;
  /** Intents in progress in this process, so that none is resumed twice concurrently. */
  readonly #running = new Map<string, Promise<SendOutcome>>();
  readonly #nonces = new NonceWatch();
  readonly #fees: FeeReader;
  #coin: CoinReading | null = null;
  /** Reading of the chain in which every sent transaction was mined; null since another was sent. */
  #idleSince: { readonly nonce: number; readonly atMs: number } | null = null;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#fees = new FeeReader(options);
    const onRefused = (refusal: string): void => this.#nonces.refuse(refusal);
    this.#signed = new SignedTransactions({ ...options, fees: this.#fees, onRefused });
    this.#delivery = new Delivery({
      ...options,
      signed: this.#signed,
      timing: { ...defaultTiming, ...options.timing },
    });
  }

  get address(): Address {
    return this.#options.account.address;
  }

  /**
   * Prepare the intent of a request and complete it. Repeating a request continues it, returns its outcome, or, after a
   * refusal, tries it again in the same row.
   */
  async send<Name extends CallOperation>(request: SendRequest<Name>): Promise<SendOutcome> {
    const { intents, clock, failpoint } = this.#options;
    const prepared: PreparedIntent = await intents.prepare({ ...request, nowMs: clock.nowMs() });
    const { isNew } = prepared;
    const isRefused = prepared.intent.state === 'dropped';
    const again = { ...request, nowMs: clock.nowMs() };
    const intent = isRefused ? await intents.reopen(prepared.intent.id, again) : prepared.intent;
    failpoint(request.operation, 'after_intent');
    if (!isCall(intent)) {
      throw new Error(`${request.operation} ${request.attempt} of ${request.subject} was recorded without a call`);
    }
    return this.#resume(intent, { isNew });
  }

  /** Resume a stored intent from any state. */
  resume(intent: CallIntent): Promise<SendOutcome> {
    return this.#resume(intent, { isNew: false });
  }

  #resume(intent: CallIntent, known: { readonly isNew: boolean }): Promise<SendOutcome> {
    const running = this.#running.get(intent.id);
    if (running !== undefined) {
      return running;
    }
    const ended = this.#complete(intent, known).finally(() => this.#running.delete(intent.id));
    this.#running.set(intent.id, ended);
    return ended;
  }

  async #complete(intent: CallIntent, known: { readonly isNew: boolean }): Promise<SendOutcome> {
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
        const { subject, operation, attempt } = intent;
        const span = { name: `send ${operation}`, facts: { attempt } };
        const deliver = () => this.#deliver(intent, known);
        return inPositionSpan(subject, span, deliver);
      }
    }
  }

  async #deliver(intent: CallIntent, known: { readonly isNew: boolean }): Promise<SendOutcome> {
    const signing = await this.#signed.sign(intent, known);
    if (signing !== 'stored' && 'revert' in signing) return { kind: 'refused', intent, ...signing };
    const sentHash = signing === 'stored' ? null : signing.sentHash;
    const outcome = await this.#delivery.deliver(intent, { sentHash });
    const transactionHash = outcome.kind === 'included' ? outcome.receipt.transactionHash : '';
    noteOnSpan({ outcome: outcome.kind, transactionHash });
    return { intent, ...outcome };
  }

  /** State of this signer's transactions. */
  get state(): Omit<SendingState, 'hasRole'> {
    const nowMs = performance.now();
    const { isAboveCeiling } = this.#fees;
    const [nonceAgeMs, refusal] = [this.#nonces.ageMs(nowMs), this.#nonces.refusal(nowMs)];
    return { nonceAgeMs, refusal, coin: this.#coin, isAboveCeiling };
  }

  /**
   * Read the native coin of the account beside what its next transactions may cost at the current fees.
   * @throws Fault retryable when the node does not answer.
   */
  async readCoin(): Promise<CoinReading> {
    const [balanceWei, feesOf] = await Promise.all([
      this.#options.client.getBalance({ address: this.address }).catch((cause: unknown) => {
        throw chainFault('the balance of the keeper cannot be read', cause);
      }),
      this.#fees.current(),
    ]);
    this.#coin = { balanceWei, ...coinNeedsOf(feesOf(keeperCallGas).maxFeePerGasWei) };
    return this.#coin;
  }

  /**
   * Read the signer's nonces and reclaim lost ones: a reorganisation undid them, a node lost them, or a process died
   * with them. A signed transaction is sent again; the vault refuses an obsolete one, which uses the nonce as well.
   * Without one, a transfer to the signer itself uses the nonce. A lagging node does no harm: a used nonce accepts
   * nothing else. Resolves when everything is in progress, not when it is mined.
   */
  async reclaimNonces(lease: Lease): Promise<void> {
    if (await this.#isIdle()) return;
    const { intents, account, clock } = this.#options;
    const nonces = await this.#readNonces();
    if (nonces.nextNonce <= nonces.chainNonce) return;
    const owners = await intents.nonceOwners(account.address, nonces.chainNonce);
    const byNonce = new Map(owners.map((owner) => [owner.nonce, owner]));
    for (let nonce = nonces.chainNonce; nonce < nonces.nextNonce; nonce += 1) {
      const owner = byNonce.get(nonce);
      if (owner === undefined) await this.#begin(await this.#prepareGap(nonce, lease));
      else if (!(await this.#reclaimOwned(owner))) {
        await intents.releaseNonce({ id: owner.id, nowMs: clock.nowMs() });
        await this.#begin(await this.#prepareGap(nonce, lease));
      }
    }
  }

  /**
   * Continue the intent that has a nonce which the chain awaits. Return false when nothing was signed for it, and
   * nothing will be: it has ended, or its row cannot be read.
   */
  async #reclaimOwned({ id, operation, state }: NonceOwner): Promise<boolean> {
    const { intents, clock } = this.#options;
    if (this.#running.has(id)) return true;
    const isReadable = (await intents.readableById(id)) !== null;
    const hasEnded = endedStates.includes(state);
    // Every unfinished intent that can be read is resumed by `resumeAll`.
    if (isReadable && !hasEnded) return true;
    const hashes = (await intents.transactions(id)).map(({ hash }) => hash);
    if (hashes.length === 0) {
      const outcome = { revert: 'unreadable' };
      return !hasEnded && !(await intents.dropUnsigned({ id, nowMs: clock.nowMs(), outcome }));
    }
    // The bytes suffice. A nonce that was used after all accepts them no second time.
    if (!isReadable) await this.#signed.sendStored({ id, operation });
    else if (await this.#isLost(hashes)) {
      await intents.change({ id, from: endedStates, to: 'reorged', nowMs: clock.nowMs() });
      await this.#begin(id);
    }
    return true;
  }

  /**
   * Take over the signer's nonces: lost ones are reclaimed, and every unfinished transaction is resumed in the order of
   * nonces, including one that was mined without a record.
   */
  async resumeAll(lease: Lease): Promise<void> {
    await this.reclaimNonces(lease);
    const unfinished = await unfinishedCalls(this.#options.intents);
    const own = unfinished.filter((intent) => intent.nonce !== null && !this.#signed.isForeign(intent));
    const inOrder = own.toSorted((left, right) => (left.nonce ?? 0) - (right.nonce ?? 0));
    // Sent in this order, awaited together: a stuck one blocks no other's record.
    const results = await Promise.allSettled(inOrder.map((intent) => this.resume(intent)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} transactions could not be resumed`);
  }

  /** Resume an intent without awaiting its end: `resumeAll` awaits it and reports its failure. */
  async #begin(id: string): Promise<void> {
    const intent = await this.#options.intents.readableById(id);
    if (intent !== null && isCall(intent)) this.resume(intent).catch(() => undefined);
  }

  /** Return true while no transaction was sent since all were mined, for some seconds after the chain said so. */
  async #isIdle(): Promise<boolean> {
    if (this.#idleSince === null || performance.now() - this.#idleSince.atMs > idleTrustMs) return false;
    const { nonce } = this.#idleSince;
    return (await this.#options.intents.raiseNonce(this.address, nonce)) === nonce;
  }

  async #readNonces(): Promise<SignerNonces> {
    const { intents, client, account } = this.#options;
    const chainNonce = await client.getTransactionCount({ address: account.address }).catch((cause: unknown) => {
      throw chainFault('the nonce of the keeper cannot be read', cause);
    });
    const nonces = { chainNonce, nextNonce: await intents.raiseNonce(account.address, chainNonce) };
    const atMs = performance.now();
    this.#nonces.observe(nonces, atMs);
    this.#idleSince = nonces.nextNonce === chainNonce ? { nonce: chainNonce, atMs } : null;
    return nonces;
  }

  /**
   * Return true when every hash is missing from the chain.
   * @throws Fault retryable when the node does not answer, which proves nothing.
   */
  async #isLost(hashes: readonly Hex[]): Promise<boolean> {
    const receipts = await Promise.all(hashes.map((hash) => receiptOf(this.#options.client, hash)));
    return receipts.every((receipt) => receipt === null);
  }

  /** @returns The id of the intent. */
  async #prepareGap(nonce: number, lease: Lease): Promise<string> {
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
    return intent.id;
  }
}
