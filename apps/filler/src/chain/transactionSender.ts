import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import { bumpedFeesOf, FeeBounds, type NonceUse, nonceUseOf, type TransactionFees } from '@core/runtime';
import { errorNameOf } from '@core/vault';
import {
  type Address,
  BaseError,
  type Hex,
  isHex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';
import type { Journal } from '../journal/journal.ts';
import type { CallPurpose, SignedCall } from '../journal/journalLines.ts';
import type { Failpoint } from './failpoint.ts';

export interface SenderOptions {
  readonly client: PublicClient;
  readonly account: LocalAccount;
  readonly chainId: number;
  readonly journal: Journal;
  readonly failpoint: Failpoint;
  /** Upper bound of the fee per gas. */
  readonly maxFeePerGasWei: bigint;
}

/** One call with one effect. The same id is never sent twice. */
export interface CallRequest {
  readonly id: string;
  readonly purpose: CallPurpose;
  readonly to: Address;
  readonly data: Hex;
  /** Gas limit; that of any single call when absent. */
  readonly gas?: bigint;
  /** Errors of the contract with which the last block may refuse a call that its successor takes; none when absent. */
  readonly sentDespite?: ReadonlySet<string>;
}

export type CallOutcome =
  | { readonly kind: 'included'; readonly receipt: TransactionReceipt }
  /** Reverted in a block, or its nonce was used by another transaction. */
  | { readonly kind: 'reverted' }
  /** Refused by the simulation, so that nothing was signed; `revert` is the contract's error. */
  | { readonly kind: 'refused'; readonly revert: string };

type SentCall = Pick<SignedCall, 'id' | 'purpose' | 'to' | 'data' | 'gas'>;
type UnsignedCall = Pick<SignedCall, 'to' | 'data' | 'gas' | 'nonce'> & { readonly fees: TransactionFees };

/** Gas limit of a transfer without data, with room for chains that charge more for one. */
const transferGas = 100_000n;
/** Gas limit of a call: twice the most expensive fill; unused gas is not paid. */
const callGas = 700_000n;
const receiptPollMs = 100;
const sendAgainMs = 3_000;
const replaceMs = 15_000;

/**
 * Transactions of the filler's account. Each is signed and in the journal before it is sent. After a crash the same
 * bytes are sent again, so that every effect happens once. One that waits for long is replaced on its nonce with a
 * higher fee.
 */
export class TransactionSender {
  readonly #options: SenderOptions;
  /** Settles when the last transaction has its nonce. */
  #numbered: Promise<unknown> = Promise.resolve();
  #nextNonce = 0;
  readonly #bounds = new FeeBounds();
  /** Calls whose newest signature was refused for its fees, and may be taken with others. */
  readonly #feeRefused = new Set<string>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  get address(): Address {
    return this.#options.account.address;
  }

  /** Send every transaction whose end is unknown again, in the order of nonces, and wait for all ends. */
  async resume(): Promise<void> {
    const ids = [...this.#options.journal.state.calls.keys()];
    await Promise.all(ids.map((id) => this.#deliver(id, Number.NEGATIVE_INFINITY)));
  }

  /**
   * Simulate, sign, record and send a call, and wait for its end.
   * @throws Fault retryable when the chain does not answer or the journal does not take the call: nothing was sent.
   */
  async send(request: CallRequest): Promise<CallOutcome> {
    const { client, failpoint } = this.#options;
    const { to, data, id, purpose, gas = callGas, sentDespite } = request;
    try {
      await client.call({ account: this.address, to, data, gas });
    } catch (error) {
      const revert = revertNameOf(error);
      if (revert === null) throw chainFault(`${purpose} cannot be simulated`, error);
      if (sentDespite?.has(revert) !== true) return { kind: 'refused', revert };
    }
    const fees = await this.#currentFees(gas);
    const numbering = this.#number({ id, purpose, to, data, gas }, { fees, before: this.#numbered });
    this.#numbered = numbering.catch(() => undefined);
    await numbering;
    failpoint(purpose, 'after_intent');
    await this.#broadcast(id);
    failpoint(purpose, 'after_send');
    return this.#deliver(id, performance.now());
  }

  /** Give a call the next nonce and sign it, once the one before it has its own. */
  async #number(
    call: SentCall,
    { fees, before }: { readonly fees: TransactionFees; readonly before: Promise<unknown> },
  ): Promise<void> {
    await before;
    const nonce = await this.#takeNonce();
    await this.#sign(call, nonce, fees);
    // A call that the journal did not take is not sent, and its nonce is the next one's.
    this.#nextNonce = nonce + 1;
  }

  /** Return the next nonce: that of the chain, or above the last one in the journal. */
  async #takeNonce(): Promise<number> {
    const { client, journal } = this.#options;
    const last = Math.max(-1, ...[...journal.state.calls.values()].flat().map(({ nonce }) => nonce));
    const chainNonce = await client.getTransactionCount({ address: this.address }).catch((cause: unknown) => {
      throw chainFault('the nonce cannot be read', cause);
    });
    return Math.max(this.#nextNonce, last + 1, chainNonce);
  }

  async #sign(
    { id, purpose, to, data, gas }: SentCall,
    nonce: number,
    { maxFeePerGasWei, maxPriorityFeeWei }: TransactionFees,
  ): Promise<void> {
    const { journal } = this.#options;
    const fees = { maxFeePerGasWei, maxPriorityFeeWei };
    const rawTransaction = await this.#rawOf({ to, data, gas, nonce, fees });
    const hash = keccak256(rawTransaction);
    const call = { id, purpose, nonce, to, data, gas, maxFeePerGasWei, maxPriorityFeeWei };
    journal.write({ kind: 'call', ...call, hash, rawTransaction });
  }

  #rawOf({ fees, ...call }: UnsignedCall): Promise<Hex> {
    const { account, chainId } = this.#options;
    const gasFees = { maxFeePerGas: fees.maxFeePerGasWei, maxPriorityFeePerGas: fees.maxPriorityFeeWei };
    return account.signTransaction({ type: 'eip1559', chainId, ...call, ...gasFees });
  }

  /** Send the newest signature of a call. The receipt decides; a refusal may name the fees that the node takes. */
  async #broadcast(id: string): Promise<void> {
    const newest = this.#options.journal.state.calls.get(id)?.at(-1);
    if (newest === undefined) return;
    await this.#options.client
      .sendRawTransaction({ serializedTransaction: newest.rawTransaction })
      .catch((error: unknown) => {
        if (error instanceof BaseError && this.#bounds.record(error.message)) this.#feeRefused.add(id);
      });
  }

  /** Wait for the receipt of any signature of a call, and record its end. */
  async #deliver(id: string, sentAtMs: number): Promise<CallOutcome> {
    const { journal, failpoint } = this.#options;
    let sentMs = sentAtMs;
    let signedMs = performance.now();
    for (;;) {
      const calls = journal.state.calls.get(id) ?? [];
      const [first] = calls;
      if (first === undefined) return { kind: 'reverted' };
      const receipt = await this.#receiptOf(calls);
      if (receipt !== null) {
        failpoint(first.purpose, 'before_end');
        const isSuccess = receipt.status === 'success';
        const gasWei = receipt.gasUsed * receipt.effectiveGasPrice;
        journal.end({ kind: 'call_end', id, outcome: isSuccess ? 'included' : 'reverted', gasWei });
        return isSuccess ? { kind: 'included', receipt } : { kind: 'reverted' };
      }
      const nowMs = performance.now();
      if (nowMs - sentMs > sendAgainMs) {
        await this.#fillGaps(first.nonce);
        const use = await this.#nonceUse(calls);
        if (use === 'other') {
          journal.end({ kind: 'call_end', id, outcome: 'replaced', gasWei: 0n });
          return { kind: 'reverted' };
        }
        if ((nowMs - signedMs > replaceMs || this.#feeRefused.has(id)) && use !== 'own') {
          signedMs = nowMs;
          await this.#replace(calls);
        }
        sentMs = nowMs;
        await this.#broadcast(id);
      }
      await delay(receiptPollMs);
    }
  }

  /**
   * Use the nonces below a waiting one that no unfinished call has: a reorganisation undid a call that had ended, and
   * nothing above it can be mined. A transfer to the account itself uses a nonce; one that was used after all accepts
   * nothing. Only the lowest waiting call does it.
   */
  async #fillGaps(waitingNonce: number): Promise<void> {
    const { client, journal } = this.#options;
    const waitingNonces = [...journal.state.calls.values()].flat().map(({ nonce }) => nonce);
    if (waitingNonces.some((nonce) => nonce < waitingNonce)) return;
    const chainNonce = await client.getTransactionCount({ address: this.address }).catch(() => waitingNonce);
    const fees = chainNonce < waitingNonce ? await this.#currentFees(transferGas).catch(() => null) : null;
    if (fees === null) return;
    for (let nonce = chainNonce; nonce < waitingNonce; nonce += 1) {
      const transfer = { to: this.address, data: '0x', gas: transferGas, nonce, fees } as const;
      const serializedTransaction = await this.#rawOf(transfer);
      await client.sendRawTransaction({ serializedTransaction }).catch(() => undefined);
    }
  }

  /** Return the receipt of any signature; null when there is none or the node does not answer. */
  async #receiptOf(calls: readonly SignedCall[]): Promise<TransactionReceipt | null> {
    for (const { hash } of calls) {
      const receipt = await this.#options.client.getTransactionReceipt({ hash }).catch(() => null);
      if (receipt !== null) return receipt;
    }
    return null;
  }

  /** Return the user of the nonce of a call by the chain; unknown when the node does not answer. */
  async #nonceUse(calls: readonly SignedCall[]): Promise<NonceUse> {
    const [first] = calls;
    if (first === undefined) return 'unknown';
    const target = { address: this.address, nonce: first.nonce, hashes: calls.map(({ hash }) => hash) };
    return nonceUseOf(this.#options.client, target).catch((): NonceUse => 'unknown');
  }

  /**
   * Sign the call again on its nonce with a fee that nodes accept as a replacement: 12.5 % higher, or the present.
   * After a refusal for the fee no node has the call, and the present one is enough.
   */
  async #replace(calls: readonly SignedCall[]): Promise<void> {
    const newest = calls.at(-1);
    const present = newest === undefined ? null : await this.#currentFees(newest.gas).catch(() => null);
    if (newest === undefined || present === null) return;
    const fees = this.#feeRefused.delete(newest.id) ? present : bumpedFeesOf(newest, present);
    if (fees.maxFeePerGasWei > this.#options.maxFeePerGasWei) return;
    // No fees within the bounds are taken: the same bytes are sent again.
    const { maxFeePerGasWei, maxPriorityFeeWei } = newest;
    if (fees.maxFeePerGasWei === maxFeePerGasWei && fees.maxPriorityFeeWei === maxPriorityFeeWei) return;
    try {
      await this.#sign(newest, newest.nonce, fees);
    } catch (error) {
      // The journal did not take it: the signature before stays the newest, and a later one is tried.
      if (!(error instanceof Fault)) throw error;
    }
  }

  async #currentFees(gas: bigint): Promise<TransactionFees> {
    const { client, maxFeePerGasWei: ceilingWei } = this.#options;
    const price = await client.estimateFeesPerGas().catch((cause: unknown) => {
      throw chainFault('fees cannot be read', cause);
    });
    return this.#bounds.feesAt(price, { ceilingWei, gas });
  }
}

/** Return the fault of a chain that does not answer. */
export function chainFault(message: string, cause: unknown): Fault {
  return new Fault({ origin: 'chain', kind: 'retryable', message, cause });
}

/** Return the contract's error of a failed call; `unknown` outside our ABIs, null when it failed for another reason. */
function revertNameOf(error: unknown): string | null {
  if (!(error instanceof BaseError)) return null;
  const carrier = error.walk((cause) => typeof cause === 'object' && cause !== null && 'data' in cause);
  const data = carrier !== null && 'data' in carrier ? carrier.data : null;
  const nested = typeof data === 'object' && data !== null && 'data' in data ? data.data : data;
  return isHex(nested) ? (errorNameOf(nested) ?? 'unknown') : null;
}
