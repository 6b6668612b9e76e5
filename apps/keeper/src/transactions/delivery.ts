import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import { type Clock, type NonceUse, nonceUseOf } from '@core/runtime';
import { vaultConstants } from '@core/vault';
import type { Hex, PublicClient, TransactionReceipt } from 'viem';
import { chainFault } from './chainFault.ts';
import type { Failpoint } from './failpoint.ts';
import { type CallIntent, type Intents, unfinishedStates } from './intents.ts';
import { receiptOf } from './receipts.ts';
import type { SignedTransactions } from './signedTransactions.ts';

export interface SendTiming {
  /** Longest pause between two polls for a receipt. */
  readonly receiptPollMs: number;
  /** Time without an answer after which the same raw transaction is sent again. */
  readonly rebroadcastMs: number;
  /** Time without an answer after which it is replaced on its nonce with higher fees. */
  readonly bumpMs: number;
  /** Time without an answer after which the caller gets a retryable Fault; the intent remains. */
  readonly giveUpMs: number;
}

export const defaultTiming: SendTiming = { receiptPollMs: 50, rebroadcastMs: 3_000, bumpMs: 15_000, giveUpMs: 30_000 };

export type DeliveryOutcome =
  | { readonly kind: 'included'; readonly receipt: TransactionReceipt }
  /** Reverted in a block, or a block holds another transaction of its nonce. */
  | { readonly kind: 'reverted' };

/** Pause before the first receipt poll: a chain that mines at once has the receipt a moment later. */
const firstReceiptPollMs = 10;
/** Longest wait for a foreign transaction per step: others are waiting behind it. */
const foreignPatienceMs = 1_000;
/** Twice the age at which the vault refuses an attestation. */
const foreignHarmlessAfterMs = 2 * vaultConstants.attestationAgeSeconds * 1_000;

/** Delivery of signed transactions into a block: sends again, replaces, and records the outcome. */
export class Delivery {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Wait for a receipt of any transaction of the intent. Without the hash of a transaction just sent, they are sent
   * first.
   * @throws Fault retryable when no receipt arrives in time.
   */
  async deliver(intent: CallIntent, { sentHash }: { readonly sentHash: Hex | null }): Promise<DeliveryOutcome> {
    const { intents, failpoint, timing, signed } = this.#options;
    const isForeign = signed.isForeign(intent);
    const startMs = performance.now();
    let sentMs = sentHash === null ? Number.NEGATIVE_INFINITY : startMs;
    let bumpedMs = startMs;
    let pauseMs = Math.min(firstReceiptPollMs, timing.receiptPollMs);
    let hashes: readonly Hex[] | null = sentHash === null ? null : [sentHash];
    let unrecordedHash = sentHash;
    for (;;) {
      hashes ??= (await intents.transactions(intent.id)).map(({ hash }) => hash);
      const receipt = await this.#findReceipt(hashes);
      if (typeof receipt === 'object') {
        failpoint(intent.operation, 'after_receipt');
        return this.#record(intent, receipt);
      }
      // A chain that mines at once needs neither the wait nor the record.
      if (unrecordedHash !== null) await signed.recordSent(intent, unrecordedHash);
      unrecordedHash = null;
      const nowMs = performance.now();
      if (isForeign && receipt === 'none' && nowMs - startMs > foreignPatienceMs) {
        return this.#abandonForeign(intent);
      }
      if (nowMs - startMs > timing.giveUpMs) {
        throw chainFault(`no receipt of ${intent.operation} for ${intent.subject}`, null);
      }
      if (nowMs - sentMs > timing.rebroadcastMs) {
        // Read before each send, not at each poll: the receipt usually arrives sooner.
        const use = await this.#nonceUse(intent);
        if (use === 'other') return this.#replaced(intent);
        sentMs = nowMs;
        if (use !== 'own') {
          const isBumpDue = (nowMs - bumpedMs > timing.bumpMs || signed.isFeeRefused(intent)) && !isForeign;
          if (isBumpDue) bumpedMs = nowMs;
          await (isBumpDue ? signed.replace(intent) : signed.broadcast(intent));
          hashes = null;
        }
      }
      await delay(pauseMs);
      pauseMs = Math.min(2 * pauseMs, timing.receiptPollMs);
    }
  }

  /**
   * Return a receipt, `none` when the node denies every hash, or `unknown` when it did not answer: only `none` proves
   * anything.
   */
  async #findReceipt(hashes: readonly Hex[]): Promise<TransactionReceipt | 'none' | 'unknown'> {
    let result: 'none' | 'unknown' = 'none';
    for (const hash of hashes) {
      const receipt = await receiptOf(this.#options.client, hash).catch(unknownOf);
      if (receipt === 'unknown') {
        result = 'unknown';
      } else if (receipt !== null) {
        return receipt;
      }
    }
    return result;
  }

  /**
   * Return the user of the intent's nonce. Only a block that holds another transaction of it proves that none of ours
   * will be mined; a receipt may come later than its block.
   */
  async #nonceUse(intent: CallIntent): Promise<NonceUse> {
    const { client, signed, intents } = this.#options;
    const current = await intents.byId(intent.id);
    const nonce = current?.nonce ?? null;
    if (nonce === null) return 'unknown';
    const address = current?.signerAddress ?? signed.address;
    const hashes = (await intents.transactions(intent.id)).map(({ hash }) => hash);
    return nonceUseOf(client, { address, nonce, hashes }).catch((): NonceUse => 'unknown');
  }

  async #replaced(intent: CallIntent): Promise<DeliveryOutcome> {
    const { intents, clock } = this.#options;
    await intents.change({ id: intent.id, from: unfinishedStates, to: 'replaced', nowMs: clock.nowMs() });
    return { kind: 'reverted' };
  }

  /**
   * Abandon a dead keeper's transaction once it is harmless: its attestation is too old by then, and the other calls
   * have no effect a second time.
   */
  async #abandonForeign(intent: CallIntent): Promise<DeliveryOutcome> {
    const isHarmless = this.#options.clock.nowMs() - intent.createdAtMs >= foreignHarmlessAfterMs;
    if (!isHarmless || (await this.#nonceUse(intent)) === 'own') {
      throw chainFault(`${intent.operation} of another keeper is not mined`, null);
    }
    return this.#replaced(intent);
  }

  async #record(intent: CallIntent, receipt: TransactionReceipt): Promise<DeliveryOutcome> {
    const { intents, clock, failpoint } = this.#options;
    const isSuccess = receipt.status === 'success';
    failpoint(intent.operation, 'before_record');
    await intents.change({
      id: intent.id,
      from: unfinishedStates,
      to: isSuccess ? 'included' : 'reverted',
      nowMs: clock.nowMs(),
      transactionHash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
    });
    return isSuccess ? { kind: 'included', receipt } : { kind: 'reverted' };
  }
}

export interface DeliveryOptions {
  readonly intents: Intents;
  readonly client: PublicClient;
  readonly signed: SignedTransactions;
  readonly clock: Clock;
  readonly failpoint: Failpoint;
  readonly timing: SendTiming;
}

function unknownOf(error: unknown): 'unknown' {
  if (error instanceof Fault) return 'unknown';
  throw error;
}
