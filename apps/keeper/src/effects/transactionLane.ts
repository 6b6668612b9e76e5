import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import type { IntentRecord, IntentStore, Lease } from '@core/store';
import type { Clock } from '@core/venue';
import { type Address, type Hex, keccak256, type LocalAccount, type PublicClient, type TransactionReceipt } from 'viem';
import type { Reach } from './crashPoint.ts';
import { revertNameOf } from './revertName.ts';
import { bumpedFeesOf, type TransactionFees } from './transactionFees.ts';

/** One call to make, once. */
export interface LaneRequest {
  readonly subject: string;
  readonly operation: string;
  readonly attempt: number;
  readonly to: Address;
  readonly data: Hex;
  /** Whatever else has to be known to go on after a crash; domain values. */
  readonly details?: object;
  readonly lease: Lease;
}

export type LaneOutcome =
  | { readonly kind: 'included'; readonly intent: IntentRecord; readonly receipt: TransactionReceipt | null }
  /** In a block, and reverted there. */
  | { readonly kind: 'reverted'; readonly intent: IntentRecord }
  /** The call would have reverted, so nothing was signed; `revert` is the contract's error. */
  | { readonly kind: 'refused'; readonly intent: IntentRecord; readonly revert: string };

export interface TransactionPlan {
  readonly kind: 'transaction';
  readonly to: Address;
  readonly data: Hex;
  readonly details: object;
}

export interface LaneOptions {
  readonly intents: IntentStore;
  readonly client: PublicClient;
  readonly account: LocalAccount;
  readonly chainId: number;
  readonly clock: Clock;
  readonly lockName: string;
  readonly reach: Reach;
  readonly timing?: Partial<LaneTiming>;
}

export interface LaneTiming {
  readonly receiptPollMs: number;
  /** Unanswered for so long, the same raw transaction is sent again. */
  readonly rebroadcastMs: number;
  /** Unanswered for so long, it is replaced on its nonce with higher fees. */
  readonly bumpMs: number;
  /** Unanswered for so long, the caller gets a retryable Fault; the intent lives on. */
  readonly giveUpMs: number;
}

const usualTiming: LaneTiming = { receiptPollMs: 50, rebroadcastMs: 3_000, bumpMs: 15_000, giveUpMs: 30_000 };

/**
 * One signer's transactions, in the order of their nonces. The intent is stored before anything else, the raw
 * transaction before it is sent; every step can be repeated after a crash without a second effect. Nonces are handed
 * out by the store, so a failed send leaves no gap: the same bytes are sent again or replaced on their nonce.
 */
export class TransactionLane {
  readonly #options: LaneOptions;
  readonly #timing: LaneTiming;
  /** Sends take turns: a node that mines at once refuses a nonce that comes early. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Intents being driven in this process, so that the tending task does not drive them twice. */
  readonly #driving = new Map<string, Promise<LaneOutcome>>();

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#timing = { ...usualTiming, ...options.timing };
  }

  get address(): Address {
    return this.#options.account.address;
  }

  /** Prepares the intent of a request and carries it through. Repeating a request continues or repeats its outcome. */
  async send(request: LaneRequest): Promise<LaneOutcome> {
    const { intents, clock, lockName, reach } = this.#options;
    const plan: TransactionPlan = {
      kind: 'transaction',
      to: request.to,
      data: request.data,
      details: request.details ?? {},
    };
    const { intent } = await intents.prepare({
      subject: request.subject,
      operation: request.operation,
      attempt: request.attempt,
      plan,
      lockName,
      fenceToken: request.lease.fenceToken,
      nowMs: clock.nowMs(),
    });
    reach(request.operation, 'after_intent');
    return this.drive(intent);
  }

  /** Carries a stored intent to its end from wherever it stands. */
  drive(intent: IntentRecord): Promise<LaneOutcome> {
    const running = this.#driving.get(intent.id);
    if (running !== undefined) {
      return running;
    }
    const driven = this.#drive(intent).finally(() => this.#driving.delete(intent.id));
    this.#driving.set(intent.id, driven);
    return driven;
  }

  async #drive(intent: IntentRecord): Promise<LaneOutcome> {
    switch (intent.state) {
      case 'included':
      case 'final':
        return { kind: 'included', intent, receipt: null };
      case 'reverted':
      case 'replaced':
        return { kind: 'reverted', intent };
      case 'dropped':
        return { kind: 'refused', intent, revert: revertOf(intent) };
      case 'prepared':
      case 'signed':
      case 'broadcast':
      case 'reorged': {
        const refusal = await this.#sign(intent);
        return refusal ?? this.#deliver(intent);
      }
    }
  }

  /** Simulates, takes a nonce, signs and stores; null when a signed transaction is stored. */
  async #sign(intent: IntentRecord): Promise<LaneOutcome | null> {
    const { intents, clock, account, reach } = this.#options;
    if ((await intents.transactions(intent.id)).length > 0) {
      return null;
    }
    if (this.#isForeign(intent)) {
      // Another keeper took the nonce and died before it signed: only its own key can use or fill that nonce.
      const outcome = { revert: 'signer_gone' };
      await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs(), outcome });
      return { kind: 'refused', intent, revert: outcome.revert };
    }
    const { to, data } = planOf(intent);
    const gas = await this.#estimate(intent, { to, data });
    if (typeof gas === 'object') {
      return gas;
    }
    const fees = await this.#currentFees();
    await this.#inTurn(async () => {
      const { nonce } = await intents.assignNonce({
        id: intent.id,
        signerAddress: account.address,
        nowMs: clock.nowMs(),
      });
      await this.#store(intent.id, { to, data, gas, nonce: nonce ?? 0, fees });
      reach(intent.operation, 'after_sign');
      await this.#broadcast(intent);
    });
    return null;
  }

  /** Gas with a margin; or the refusal, recorded, when the call reverts and no nonce was taken for it yet. */
  async #estimate(intent: IntentRecord, call: { to: Address; data: Hex }): Promise<bigint | LaneOutcome> {
    const { client, account, intents, clock } = this.#options;
    try {
      const gas = await client.estimateGas({ account: account.address, ...call });
      return (gas * 13n) / 10n;
    } catch (error) {
      const revert = revertNameOf(error);
      if (revert === null) {
        throw chainFault('gas could not be estimated', error);
      }
      if (intent.nonce !== null) {
        // Its nonce is taken: let it revert on chain, which costs little and leaves no gap.
        return fallbackGas;
      }
      await intents.change({
        id: intent.id,
        from: ['prepared'],
        to: 'dropped',
        nowMs: clock.nowMs(),
        outcome: { revert },
      });
      return { kind: 'refused', intent, revert };
    }
  }

  async #currentFees(): Promise<TransactionFees> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.#options.client
      .estimateFeesPerGas()
      .catch((error: unknown) => {
        throw chainFault('fees could not be read', error);
      });
    // Twice the present price survives several full blocks; what is not needed is not paid.
    return { maxFeePerGasWei: maxFeePerGas * 2n, maxPriorityFeeWei: maxPriorityFeePerGas };
  }

  async #store(intentId: string, transaction: UnsignedTransaction): Promise<Hex> {
    const { account, chainId, intents, clock } = this.#options;
    const { to, data, gas, nonce, fees } = transaction;
    const rawTransaction = await account.signTransaction({
      type: 'eip1559',
      chainId,
      to,
      data,
      gas,
      nonce,
      maxFeePerGas: fees.maxFeePerGasWei,
      maxPriorityFeePerGas: fees.maxPriorityFeeWei,
    });
    const hash = keccak256(rawTransaction);
    await intents.addTransaction({ intentId, hash, rawTransaction, ...fees, createdAtMs: clock.nowMs() });
    return hash;
  }

  /** Sends the newest raw transaction of an intent. What the node says is not believed: the receipt decides. */
  async #broadcast(intent: IntentRecord): Promise<void> {
    const { client, intents, clock, reach } = this.#options;
    const newest = (await intents.transactions(intent.id)).at(-1);
    if (newest === undefined) {
      return;
    }
    await client.sendRawTransaction({ serializedTransaction: newest.rawTransaction as Hex }).catch(() => null);
    reach(intent.operation, 'after_broadcast');
    await intents.markBroadcast(newest.hash, clock.nowMs());
    await intents.change({
      id: intent.id,
      from: ['prepared', 'signed', 'reorged'],
      to: 'broadcast',
      nowMs: clock.nowMs(),
      transactionHash: newest.hash,
    });
  }

  /** Waits for a receipt of any transaction of the intent, sending again and replacing as time goes on. */
  async #deliver(intent: IntentRecord): Promise<LaneOutcome> {
    const { reach } = this.#options;
    const startMs = performance.now();
    let sentMs = Number.NEGATIVE_INFINITY;
    let bumpedMs = startMs;
    for (;;) {
      const receipt = await this.#findReceipt(intent);
      if (receipt !== null) {
        reach(intent.operation, 'after_receipt');
        return this.#record(intent, receipt);
      }
      const nowMs = performance.now();
      if (this.#isForeign(intent) && nowMs - startMs > foreignPatienceMs) {
        return this.#abandonForeign(intent);
      }
      if (nowMs - startMs > this.#timing.giveUpMs) {
        throw chainFault(`no receipt of ${intent.operation} for ${intent.subject}`, null);
      }
      if (await this.#isNonceUsedByOther(intent)) {
        return this.#replaced(intent);
      }
      if (nowMs - bumpedMs > this.#timing.bumpMs && !this.#isForeign(intent)) {
        bumpedMs = nowMs;
        await this.#bump(intent);
      }
      if (nowMs - sentMs > this.#timing.rebroadcastMs) {
        sentMs = nowMs;
        await this.#inTurn(() => this.#broadcast(intent));
      }
      await delay(this.#timing.receiptPollMs);
    }
  }

  async #findReceipt(intent: IntentRecord): Promise<TransactionReceipt | null> {
    for (const { hash } of await this.#options.intents.transactions(intent.id)) {
      const receipt = await this.#options.client.getTransactionReceipt({ hash: hash as Hex }).catch(() => null);
      if (receipt !== null) {
        return receipt;
      }
    }
    return null;
  }

  /** The chain has gone past the intent's nonce with a transaction that is none of ours. */
  async #isNonceUsedByOther(intent: IntentRecord): Promise<boolean> {
    const { client, account, intents } = this.#options;
    const stored = await intents.byId(intent.id);
    const nonce = stored?.nonce ?? null;
    const address = (stored?.signerAddress as Address | null) ?? account.address;
    const chainNonce = await client.getTransactionCount({ address }).catch(() => 0);
    // The receipt is asked for once more, because it may have come between the two questions.
    return nonce !== null && chainNonce > nonce && (await this.#findReceipt(intent)) === null;
  }

  async #replaced(intent: IntentRecord): Promise<LaneOutcome> {
    const { intents, clock } = this.#options;
    await intents.change({
      id: intent.id,
      from: ['prepared', 'signed', 'broadcast', 'reorged'],
      to: 'replaced',
      nowMs: clock.nowMs(),
    });
    return { kind: 'reverted', intent };
  }

  /** Another keeper's transaction. We can send its bytes again, but neither replace nor renounce it. */
  #isForeign({ signerAddress }: IntentRecord): boolean {
    return signerAddress !== null && signerAddress !== this.#options.account.address.toLowerCase();
  }

  /**
   * Gives a dead keeper's transaction up once it can do no harm any more: its attestation is too old by then, and the other
   * calls do nothing a second time.
   */
  async #abandonForeign(intent: IntentRecord): Promise<LaneOutcome> {
    if (this.#options.clock.nowMs() - intent.createdAtMs < foreignHarmMs) {
      throw chainFault(`${intent.operation} of another keeper is not mined`, null);
    }
    return this.#replaced(intent);
  }

  async #bump(intent: IntentRecord): Promise<void> {
    const { intents, client, account } = this.#options;
    const newest = (await intents.transactions(intent.id)).at(-1);
    const nonce = (await intents.byId(intent.id))?.nonce ?? null;
    if (newest === undefined || nonce === null) {
      return;
    }
    const { to, data } = planOf(intent);
    const gas = await client.estimateGas({ account: account.address, to, data }).catch(() => fallbackGas);
    const fees = bumpedFeesOf(newest, await this.#currentFees());
    await this.#inTurn(async () => {
      await this.#store(intent.id, { to, data, gas: (gas * 13n) / 10n, nonce, fees });
      await this.#broadcast(intent);
    });
  }

  async #record(intent: IntentRecord, receipt: TransactionReceipt): Promise<LaneOutcome> {
    const { intents, clock, reach } = this.#options;
    const isSuccess = receipt.status === 'success';
    reach(intent.operation, 'before_record');
    await intents.change({
      id: intent.id,
      from: ['prepared', 'signed', 'broadcast', 'reorged'],
      to: isSuccess ? 'included' : 'reverted',
      nowMs: clock.nowMs(),
      transactionHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
    });
    return isSuccess ? { kind: 'included', intent, receipt } : { kind: 'reverted', intent };
  }

  /**
   * Takes the lane over: every unfinished transaction of this signer is driven on, oldest nonce first, also one that was
   * mined without being recorded; and a nonce that the store gave out and nobody owns is filled with a transfer to ourselves.
   */
  async resume(lease: Lease): Promise<void> {
    const { intents, client, account } = this.#options;
    const chainNonce = await client.getTransactionCount({ address: account.address });
    const nextNonce = await intents.raiseNonce(account.address, chainNonce);
    const unfinished = await intents.inStates(['prepared', 'signed', 'broadcast', 'reorged']);
    const byNonce = new Map(unfinished.filter((intent) => this.#isOwn(intent)).map((intent) => [intent.nonce, intent]));
    for (let nonce = chainNonce; nonce < nextNonce; nonce += 1) {
      if (!byNonce.has(nonce) && (await intents.byNonce(account.address, nonce)) === null) {
        byNonce.set(nonce, await this.#prepareGap(nonce, lease));
      }
    }
    for (const intent of [...byNonce.values()].toSorted((left, right) => (left.nonce ?? 0) - (right.nonce ?? 0))) {
      await this.drive(intent);
    }
  }

  #isOwn({ nonce, signerAddress }: IntentRecord): boolean {
    return nonce !== null && signerAddress === this.#options.account.address.toLowerCase();
  }

  async #prepareGap(nonce: number, lease: Lease): Promise<IntentRecord> {
    const { intents, clock, lockName, account } = this.#options;
    const plan: TransactionPlan = { kind: 'transaction', to: account.address, data: '0x', details: {} };
    const { intent } = await intents.prepare({
      subject: `lane:${account.address.toLowerCase()}`,
      operation: 'fill_gap',
      attempt: nonce,
      plan,
      lockName,
      fenceToken: lease.fenceToken,
      nowMs: clock.nowMs(),
    });
    await intents.pinNonce({ id: intent.id, signerAddress: account.address, nonce, nowMs: clock.nowMs() });
    return { ...intent, nonce };
  }

  /** Runs pieces of work one after the other; a failed one does not stop the next. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work, work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

interface UnsignedTransaction {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly nonce: number;
  readonly fees: TransactionFees;
}

/** A foreign transaction gets this long per look: others are waiting behind it. */
const foreignPatienceMs = 1_000;
/** Twice the age at which the vault refuses an attestation. */
const foreignHarmMs = 60_000;

/** Used where an estimate is impossible because the call reverts. */
const fallbackGas = 600_000n;

/** The plan of a transaction intent, as this class wrote it. */
export function planOf(intent: IntentRecord): TransactionPlan {
  return intent.plan as TransactionPlan;
}

function revertOf(intent: IntentRecord): string {
  const { outcome } = intent;
  return typeof outcome === 'object' && outcome !== null && 'revert' in outcome ? String(outcome.revert) : 'refused';
}

function chainFault(message: string, cause: unknown): Fault {
  return new Fault({ origin: 'chain', kind: 'retryable', message, cause });
}
