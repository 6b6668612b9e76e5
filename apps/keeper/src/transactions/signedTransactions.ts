import type { Clock } from '@core/runtime';
import type { SignedTransaction } from '@core/store';
import { type Address, type Hex, keccak256, type PublicClient } from 'viem';
import { SerialQueue } from '../runner/serialQueue.ts';
import { chainFault } from './chainFault.ts';
import type { Failpoint } from './failpoint.ts';
import type { CallIntent, Intents } from './intents.ts';
import type { Operation } from './intentTable.ts';
import { revertNameOf } from './revertName.ts';
import { bumpedFeesOf, cappedFeesOf, type TransactionFees } from './transactionFees.ts';
import type { TransactionSigner, UnsignedTransaction } from './transactionSigner.ts';

export interface SigningOptions {
  readonly intents: Intents;
  readonly client: PublicClient;
  readonly account: TransactionSigner;
  readonly chainId: number;
  readonly clock: Clock;
  readonly failpoint: Failpoint;
  readonly feeCeiling: FeeCeiling;
}

/** No transaction offers more; `onReached` is called whenever the chain's price asks for it. */
export interface FeeCeiling {
  readonly maxFeePerGasWei: bigint;
  readonly onReached: () => void;
}

/** Nothing was signed: the contract's error, or why this process may not sign. */
export interface SigningRefusal {
  readonly revert: string;
}

/** A raw transaction that is stored, and by which hash its receipt is found. */
type StoredTransaction = Pick<SignedTransaction, 'hash' | 'rawTransaction'>;

type UnsignedCall = Pick<UnsignedTransaction, 'to' | 'data' | 'gas' | 'nonce'> & { readonly fees: TransactionFees };

/**
 * Calls that repay a debt that is due go before all that wait to be sent: waiting costs the pool money. A sale that is
 * not ordered yet comes first, because its price may fall; one that is made only has to be booked.
 */
const urgentRanks: ReadonlyMap<Operation, number> = new Map([
  ['authorize_liquidate', 0],
  ['authorize_unwind', 0],
  ['finalize_liquidate', 1],
  ['finalize_unwind', 1],
]);
const rankOf = ({ operation }: CallIntent): number => urgentRanks.get(operation) ?? urgentRanks.size;

/** The price of gas as it was asked for at a moment. */
interface FeeReading {
  readonly atMs: number;
  readonly read: Promise<{ readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }>;
}

/** Blocks come no faster on any chain of ours, and a price changes by an eighth in each at most. */
const feeReadingMs = 500;

/**
 * What a call may use: more than twice what the dearest one takes, and what is not used is not paid. A call that is
 * seen to succeed with so much needs no estimate, for which a node runs it many times.
 */
const usualGas = 600_000n;

/**
 * The raw transactions of one signer: each is stored before it is sent. They leave one after the other, because a node
 * that mines at once refuses a nonce that comes early; while one is sent, the next takes its nonce and is stored.
 */
export class SignedTransactions {
  readonly #options: SigningOptions;
  /** Those that want a nonce, and those that have one and leave in its order. */
  readonly #numbering = new SerialQueue();
  readonly #sending = new SerialQueue();
  /** Ends when what was numbered last has left. */
  #lastSent: Promise<unknown> = Promise.resolve();
  #fees: FeeReading | null = null;

  constructor(options: SigningOptions) {
    this.#options = options;
  }

  get address(): Address {
    return this.#options.account.address;
  }

  /** Another keeper's transaction. Its bytes can be sent again, but neither replaced nor renounced here. */
  isForeign({ signerAddress }: CallIntent): boolean {
    return signerAddress !== null && signerAddress !== this.address.toLowerCase();
  }

  /**
   * Simulates, takes a nonce, signs, stores and sends: the hash. `stored`: a signed transaction was there before, for
   * which only an intent that is not new is looked at.
   */
  async sign(
    intent: CallIntent,
    { isNew }: { readonly isNew: boolean },
  ): Promise<SigningRefusal | { readonly sentHash: string } | 'stored'> {
    const { intents, clock, account, failpoint } = this.#options;
    if (!isNew && (await intents.transactions(intent.id)).length > 0) {
      return 'stored';
    }
    if (this.isForeign(intent)) return this.#dropForeign(intent);
    const { to, data } = intent.plan;
    const [gas, fees] = await Promise.all([this.#gasOf(intent), this.#currentFees()]);
    if (typeof gas === 'object') {
      return this.#drop(intent, gas.revert);
    }
    const { sending } = await this.#numbering.run(
      async () => {
        const { id } = intent;
        const nonce = await intents.assignNonce({ id, signerAddress: account.address, nowMs: clock.nowMs() });
        const stored = await this.#store(id, { to, data, gas, nonce, fees });
        failpoint(intent.operation, 'after_sign');
        const before = this.#lastSent;
        const sent = this.#sending.run(() => this.#send(intent, stored));
        this.#lastSent = sent.catch(() => undefined);
        // No more than one is ahead of the wire: an urgent one that comes now waits for no others.
        await before;
        return { sending: sent };
      },
      { rank: rankOf(intent) },
    );
    return { sentHash: await sending };
  }

  /** Sends the newest raw transaction of an intent again. */
  async broadcast(intent: CallIntent): Promise<void> {
    const sentHash = await this.#sending.run(async () => {
      const newest = (await this.#options.intents.transactions(intent.id)).at(-1);
      return newest === undefined ? null : this.#send(intent, newest);
    });
    if (sentHash !== null) await this.noteSent(intent, sentHash);
  }

  /** Signs the same call on the same nonce with higher fees, and sends it. */
  async replace(intent: CallIntent): Promise<void> {
    const { intents, feeCeiling } = this.#options;
    const newest = (await intents.transactions(intent.id)).at(-1);
    const nonce = (await intents.byId(intent.id))?.nonce ?? null;
    if (newest === undefined || nonce === null) {
      return;
    }
    const { to, data } = intent.plan;
    const asked = await this.#gasOf(intent).catch(() => usualGas);
    const gas = typeof asked === 'object' ? usualGas : asked;
    const fees = bumpedFeesOf(newest, await this.#currentFees());
    // A node refuses a replacement by less, so at the ceiling the transaction stays as it is.
    if (fees.maxFeePerGasWei > feeCeiling.maxFeePerGasWei) return feeCeiling.onReached();
    const sent = await this.#sending.run(async () => {
      return this.#send(intent, await this.#store(intent.id, { to, data, gas, nonce, fees }));
    });
    await this.noteSent(intent, sent);
  }

  /**
   * Another keeper took the nonce and died before it signed: only its own key can use that nonce, and fills it when it
   * is back.
   */
  async #dropForeign({ id }: CallIntent): Promise<SigningRefusal | 'stored'> {
    const { intents, clock } = this.#options;
    const outcome: SigningRefusal = { revert: 'signer_gone' };
    const isDropped = await intents.dropUnsigned({ id, nowMs: clock.nowMs(), outcome });
    return isDropped || (await intents.transactions(id)).length === 0 ? outcome : 'stored';
  }

  async #drop(intent: CallIntent, revert: string): Promise<SigningRefusal> {
    const { intents, clock } = this.#options;
    const outcome: SigningRefusal = { revert };
    await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs(), outcome });
    return outcome;
  }

  /** What a call may use; or the refusal, when it reverts and no nonce was taken for it yet. */
  async #gasOf({ nonce, plan: { to, data } }: CallIntent): Promise<bigint | SigningRefusal> {
    const { client, account } = this.#options;
    const call = { account: account.address, to, data };
    try {
      await client.call({ ...call, gas: usualGas });
      return usualGas;
    } catch (error) {
      const revert = revertNameOf(error);
      if (revert === null) return this.#estimate(call);
      // With its nonce taken it may as well revert on chain, which costs little and leaves no gap.
      return nonce === null ? { revert } : usualGas;
    }
  }

  /** For chains on which the usual gas is not enough, because they count a call's bytes in gas as well. */
  async #estimate(call: { readonly account: Address; readonly to: Address; readonly data: Hex }): Promise<bigint> {
    try {
      const gas = await this.#options.client.estimateGas(call);
      return (gas * 13n) / 10n;
    } catch (error) {
      throw chainFault('gas could not be estimated', error);
    }
  }

  async #currentFees(): Promise<TransactionFees> {
    const { client, feeCeiling } = this.#options;
    const nowMs = performance.now();
    if (this.#fees === null || nowMs - this.#fees.atMs > feeReadingMs) {
      this.#fees = { atMs: nowMs, read: client.estimateFeesPerGas() };
    }
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.#fees.read.catch((error: unknown) => {
      this.#fees = null;
      throw chainFault('fees could not be read', error);
    });
    // Twice the present price survives several full blocks; what is not needed is not paid.
    const fees = { maxFeePerGasWei: maxFeePerGas * 2n, maxPriorityFeeWei: maxPriorityFeePerGas };
    if (maxFeePerGas > feeCeiling.maxFeePerGasWei) feeCeiling.onReached();
    return cappedFeesOf(fees, feeCeiling.maxFeePerGasWei);
  }

  async #store(intentId: string, { fees, ...call }: UnsignedCall): Promise<StoredTransaction> {
    const { account, chainId, intents, clock } = this.#options;
    const rawTransaction = account.sign({ chainId, ...call, ...fees });
    const hash = keccak256(rawTransaction);
    await intents.addTransaction({ intentId, hash, rawTransaction, ...fees, createdAtMs: clock.nowMs() });
    return { hash, rawTransaction };
  }

  /** What the node answers is not believed: the receipt decides. */
  async #send({ operation }: CallIntent, { hash, rawTransaction }: StoredTransaction): Promise<string> {
    const { client, failpoint } = this.#options;
    await client.sendRawTransaction({ serializedTransaction: rawTransaction as Hex }).catch(() => null);
    failpoint(operation, 'after_broadcast');
    return hash;
  }

  /** Notes that a transaction was sent and is waited for. */
  noteSent({ id }: CallIntent, hash: string): Promise<void> {
    const { intents, clock } = this.#options;
    return intents.markBroadcast({ id, hash, nowMs: clock.nowMs() });
  }
}
