import { setTimeout as delay } from 'node:timers/promises';
import { bumpedFeesOf, type Clock, keeperCallGas, type TransactionFees } from '@core/runtime';
import type { NonceOwner, SignedTransaction } from '@core/store';
import { type Address, type Hex, keccak256, type PublicClient } from 'viem';
import { SerialQueue } from '../runner/serialQueue.ts';
import { chainFault } from './chainFault.ts';
import type { Failpoint } from './failpoint.ts';
import type { FeeCeiling, FeeReader } from './feeReader.ts';
import type { CallIntent, Intents } from './intents.ts';
import type { Operation } from './intentTable.ts';
import { nodeRefusalOf } from './nodeRefusal.ts';
import { revertNameOf } from './revertName.ts';
import type { TransactionSigner, UnsignedTransaction } from './transactionSigner.ts';

export interface SigningOptions {
  readonly intents: Intents;
  readonly client: PublicClient;
  readonly account: TransactionSigner;
  readonly chainId: number;
  readonly clock: Clock;
  readonly failpoint: Failpoint;
  readonly feeCeiling: FeeCeiling;
  readonly fees: Pick<FeeReader, 'current' | 'recordRefusal'>;
  /** Called with the answer of a node that refused a transaction. */
  readonly onRefused: (refusal: string) => void;
}

/** Reason for which nothing was signed: the contract's error, or why this process may not sign. */
export interface SigningRefusal {
  readonly revert: string;
}

/** A stored raw transaction and the hash of its receipt. */
type StoredTransaction = Pick<SignedTransaction, 'hash' | 'rawTransaction'>;

type UnsignedCall = Pick<UnsignedTransaction, 'to' | 'data' | 'gas' | 'nonce'> & { readonly fees: TransactionFees };

/**
 * Ranks of calls that repay a due debt, before all other waiting calls: a delay costs the pool money. An unordered sale
 * comes first, because its price may fall; a completed one only has to be booked.
 */
const urgentRanks: ReadonlyMap<Operation, number> = new Map([
  ['authorize_batch', 0],
  ['authorize_liquidate', 0],
  ['authorize_unwind', 0],
  ['finalize_liquidate', 1],
  ['finalize_unwind', 1],
]);
const rankOf = ({ operation }: CallIntent): number => urgentRanks.get(operation) ?? urgentRanks.size;

/** Longest wait for a node's answer: it blocks no other transaction, and a lost one is sent again. */
const sendTimeoutMs = 1_000;

/**
 * Raw transactions of one signer, each stored before it is sent. They are sent one after the other, because a node that
 * mines at once refuses a nonce that arrives early; while one is sent, the next is numbered and stored.
 */
export class SignedTransactions {
  readonly #options: SigningOptions;
  /** Transactions that wait for a nonce, and numbered ones that leave in order. */
  readonly #numbering = new SerialQueue();
  readonly #sending = new SerialQueue();
  /** Intents whose newest transaction was refused for its fees, and may be taken with others. */
  readonly #feeRefused = new Set<string>();
  /** Settles when the last numbered transaction has left. */
  #lastSent: Promise<unknown> = Promise.resolve();

  constructor(options: SigningOptions) {
    this.#options = options;
  }

  get address(): Address {
    return this.#options.account.address;
  }

  /**
   * Return true for another keeper's transaction. Its bytes can be sent again, but neither replaced nor dropped here.
   */
  isForeign({ signerAddress }: CallIntent): boolean {
    return signerAddress !== null && signerAddress !== this.address.toLowerCase();
  }

  /**
   * Simulate, assign a nonce, sign, store and send. Return the hash, or `stored` when a signed transaction already
   * exists, which is checked only for an intent that is not new.
   */
  async sign(
    intent: CallIntent,
    { isNew }: { readonly isNew: boolean },
  ): Promise<SigningRefusal | { readonly sentHash: Hex } | 'stored'> {
    const { intents, clock, account, failpoint } = this.#options;
    if (!isNew && (await intents.transactions(intent.id)).length > 0) {
      return 'stored';
    }
    if (this.isForeign(intent)) return this.#dropForeign(intent);
    const { to, data } = intent.plan;
    const [gas, feesOf] = await Promise.all([this.#gasOf(intent), this.#options.fees.current()]);
    if (typeof gas === 'object') {
      return this.#drop(intent, gas.revert);
    }
    const fees = feesOf(gas);
    const { sending } = await this.#numbering.run(
      async () => {
        const { id } = intent;
        const nonce = await intents.assignNonce({ id, signerAddress: account.address, nowMs: clock.nowMs() });
        const transaction = await this.#store(id, { to, data, gas, nonce, fees });
        failpoint(intent.operation, 'after_sign');
        const before = this.#lastSent;
        const sending = this.#sending.run(() => this.#send(intent, transaction));
        this.#lastSent = sending.catch(() => undefined);
        // At most one numbered transaction waits to be sent: a new urgent one waits for no other.
        await before;
        return { sending: sending };
      },
      { rank: rankOf(intent) },
    );
    return { sentHash: await sending };
  }

  /** Send the newest raw transaction of an intent again. A refusal of another key's says nothing about this one. */
  async broadcast(intent: CallIntent): Promise<void> {
    const sentHash = await this.sendStored(intent, this.isForeign(intent) ? () => undefined : this.#options.onRefused);
    if (sentHash !== null) await this.recordSent(intent, sentHash);
  }

  /**
   * Send the newest raw transaction of an intent by its bytes alone, which need nothing of its row. Return the hash;
   * null when nothing was signed for it.
   */
  sendStored(intent: Pick<NonceOwner, 'id' | 'operation'>, onRefused = this.#options.onRefused): Promise<Hex | null> {
    return this.#sending.run(async () => {
      const newest = (await this.#options.intents.transactions(intent.id)).at(-1);
      return newest === undefined ? null : this.#send(intent, newest, onRefused);
    });
  }

  /** Return true for an intent whose newest transaction was refused for its fees: no node holds it. */
  isFeeRefused({ id }: CallIntent): boolean {
    return this.#feeRefused.has(id);
  }

  /**
   * Sign the same call on the same nonce with higher fees, or after a refusal with those that the node takes, and send
   * it.
   */
  async replace(intent: CallIntent): Promise<void> {
    const { intents, feeCeiling } = this.#options;
    const newest = (await intents.transactions(intent.id)).at(-1);
    const nonce = (await intents.byId(intent.id))?.nonce ?? null;
    if (newest === undefined || nonce === null) {
      return;
    }
    const { to, data } = intent.plan;
    const usualGas = intent.plan.gas ?? keeperCallGas;
    const estimate = await this.#gasOf(intent).catch(() => usualGas);
    const gas = typeof estimate === 'object' ? usualGas : estimate;
    const offered = (await this.#options.fees.current())(gas);
    const fees = this.#feeRefused.delete(intent.id) ? offered : bumpedFeesOf(newest, offered);
    // A node refuses a smaller increase, so at the ceiling the transaction is not replaced.
    if (fees.maxFeePerGasWei > feeCeiling.maxFeePerGasWei) return feeCeiling.onReached();
    const hash = await this.#sending.run(async () => {
      return this.#send(intent, await this.#store(intent.id, { to, data, gas, nonce, fees }));
    });
    await this.recordSent(intent, hash);
  }

  /**
   * Drop an intent whose nonce another keeper was assigned before it died unsigned: only its own key can use that
   * nonce, and fills it after a restart.
   */
  async #dropForeign({ id }: CallIntent): Promise<SigningRefusal | 'stored'> {
    const { intents, clock } = this.#options;
    const outcome: SigningRefusal = { revert: 'signer_gone' };
    const isDropped = await intents.dropUnsigned({ id, nowMs: clock.nowMs(), outcome });
    return isDropped || (await intents.transactions(id)).length === 0 ? outcome : 'stored';
  }

  async #drop(intent: CallIntent, revert: string): Promise<SigningRefusal> {
    const { intents, clock } = this.#options;
    const outcome: SigningRefusal & { readonly count: number } = { revert, count: (intent.outcome?.count ?? 0) + 1 };
    await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs(), outcome });
    return { revert };
  }

  /**
   * Return the gas limit of a call, or the refusal when it reverts and has no nonce yet. A call that succeeds with its
   * planned limit in a simulation needs no estimate, for which a node executes it many times.
   */
  async #gasOf({ nonce, plan: { to, data, gas = keeperCallGas } }: CallIntent): Promise<bigint | SigningRefusal> {
    const { client, account } = this.#options;
    const call = { account: account.address, to, data };
    try {
      await client.call({ ...call, gas });
      return gas;
    } catch (error) {
      const revert = revertNameOf(error);
      // With a nonce assigned it may revert on chain, which costs little and leaves no gap.
      if (revert !== null) return nonce === null ? { revert } : gas;
      return nonce === null ? this.#estimate(call) : this.#estimate(call).catch(() => gas);
    }
  }

  /** Estimate the gas on chains where the default limit is too low, because they charge gas for the bytes of a call. */
  async #estimate(call: { readonly account: Address; readonly to: Address; readonly data: Hex }): Promise<bigint> {
    try {
      const gas = await this.#options.client.estimateGas(call);
      return (gas * 13n) / 10n;
    } catch (error) {
      throw chainFault('gas estimate failed', error);
    }
  }

  async #store(intentId: string, { fees, ...call }: UnsignedCall): Promise<StoredTransaction> {
    const { account, chainId, intents, clock } = this.#options;
    const rawTransaction = await account.sign({ chainId, ...call, ...fees });
    const hash = keccak256(rawTransaction);
    await intents.addTransaction({ intentId, hash, rawTransaction, ...fees, createdAtMs: clock.nowMs() });
    return { hash, rawTransaction };
  }

  /** Send a raw transaction. The node's answer decides nothing, the receipt does; a refusal is reported. */
  async #send(
    { id, operation }: Pick<NonceOwner, 'id' | 'operation'>,
    { hash, rawTransaction }: StoredTransaction,
    onRefused = this.#options.onRefused,
  ): Promise<Hex> {
    const { client, failpoint, fees } = this.#options;
    const answer = client.sendRawTransaction({ serializedTransaction: rawTransaction }).catch((error: unknown) => {
      const refusal = nodeRefusalOf(error);
      if (refusal === null) return;
      if (fees.recordRefusal(refusal)) this.#feeRefused.add(id);
      onRefused(refusal);
    });
    const patience = new AbortController();
    await Promise.race([answer, delay(sendTimeoutMs, null, { signal: patience.signal }).catch(() => null)]);
    patience.abort();
    failpoint(operation, 'after_broadcast');
    return hash;
  }

  /** Record that a transaction was sent and is awaited. */
  recordSent({ id }: CallIntent, hash: string): Promise<void> {
    const { intents, clock } = this.#options;
    return intents.markBroadcast({ id, hash, nowMs: clock.nowMs() });
  }
}
