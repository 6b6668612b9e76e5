import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import type { Clock } from '@core/runtime';
import { vaultConstants } from '@core/vault';
import type { Address, PublicClient, TransactionReceipt } from 'viem';
import { chainFault } from './chainFault.ts';
import type { Failpoint } from './failpoint.ts';
import { type CallIntent, type Intents, unfinishedStates } from './intents.ts';
import { receiptOf } from './receipts.ts';
import type { SignedTransactions } from './signedTransactions.ts';

export interface SendTiming {
  /** Longest pause between two looks for a receipt. */
  readonly receiptPollMs: number;
  /** Unanswered for so long, the same raw transaction is sent again. */
  readonly rebroadcastMs: number;
  /** Unanswered for so long, it is replaced on its nonce with higher fees. */
  readonly bumpMs: number;
  /** Unanswered for so long, the caller gets a retryable Fault; the intent lives on. */
  readonly giveUpMs: number;
}

export const usualTiming: SendTiming = { receiptPollMs: 50, rebroadcastMs: 3_000, bumpMs: 15_000, giveUpMs: 30_000 };

export type Delivered =
  | { readonly kind: 'included'; readonly receipt: TransactionReceipt }
  /** In a block and reverted there, or its nonce went to another transaction. */
  | { readonly kind: 'reverted' };

/** Where a block comes at once, the receipt is there a moment after the first look for it. */
const firstReceiptPollMs = 10;
/** A foreign transaction gets this long per look: others are waiting behind it. */
const foreignPatienceMs = 1_000;
/** Twice the age at which the vault refuses an attestation. */
const foreignHarmMs = 2 * vaultConstants.attestationAgeSeconds * 1_000;

/** Brings signed transactions into a block: sends again, replaces, and records what became of them. */
export class Delivery {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Waits for a receipt of any transaction of the intent; without the hash of one that was sent a moment ago they are
   * sent first. @throws Fault retryable when none came in time.
   */
  async deliver(intent: CallIntent, { sentHash }: { readonly sentHash: string | null }): Promise<Delivered> {
    const { intents, failpoint, timing, signed } = this.#options;
    const isForeign = signed.isForeign(intent);
    const startMs = performance.now();
    let sentMs = sentHash === null ? Number.NEGATIVE_INFINITY : startMs;
    let bumpedMs = startMs;
    let pauseMs = Math.min(firstReceiptPollMs, timing.receiptPollMs);
    let hashes: readonly string[] | null = sentHash === null ? null : [sentHash];
    let unnotedHash = sentHash;
    for (;;) {
      hashes ??= (await intents.transactions(intent.id)).map(({ hash }) => hash);
      const receipt = await this.#lookForReceipt(hashes);
      if (typeof receipt === 'object') {
        failpoint(intent.operation, 'after_receipt');
        return this.#record(intent, receipt);
      }
      // Where a block comes at once there is nothing to wait for, and nothing to note.
      if (unnotedHash !== null) await signed.noteSent(intent, unnotedHash);
      unnotedHash = null;
      const nowMs = performance.now();
      if (isForeign && receipt === 'none' && nowMs - startMs > foreignPatienceMs) {
        return this.#abandonForeign(intent);
      }
      if (nowMs - startMs > timing.giveUpMs) {
        throw chainFault(`no receipt of ${intent.operation} for ${intent.subject}`, null);
      }
      if (nowMs - bumpedMs > timing.bumpMs && !isForeign) {
        bumpedMs = nowMs;
        await signed.replace(intent);
        hashes = null;
      }
      if (nowMs - sentMs > timing.rebroadcastMs) {
        // Before it is sent for the first time and again, not at every look: the receipt comes sooner as a rule.
        if (await this.#isNonceUsedByOther(intent)) return this.#replaced(intent);
        sentMs = nowMs;
        await signed.broadcast(intent);
      }
      await delay(pauseMs);
      pauseMs = Math.min(2 * pauseMs, timing.receiptPollMs);
    }
  }

  /**
   * `none` when the node denies every one of them, `unknown` when it did not answer: only the first proves anything.
   */
  async #lookForReceipt(hashes: readonly string[]): Promise<TransactionReceipt | 'none' | 'unknown'> {
    let found: 'none' | 'unknown' = 'none';
    for (const hash of hashes) {
      const receipt = await receiptOf(this.#options.client, hash).catch(unknownOf);
      if (receipt === 'unknown') {
        found = 'unknown';
      } else if (receipt !== null) {
        return receipt;
      }
    }
    return found;
  }

  /** The chain has gone past the intent's nonce with a transaction that is none of ours. */
  async #isNonceUsedByOther(intent: CallIntent): Promise<boolean> {
    const { client, signed, intents } = this.#options;
    const stored = await intents.byId(intent.id);
    const nonce = stored?.nonce ?? null;
    const address = (stored?.signerAddress as Address | null) ?? signed.address;
    const chainNonce = await client.getTransactionCount({ address }).catch(() => 0);
    if (nonce === null || chainNonce <= nonce) return false;
    // The receipt is asked for once more, because it may have come between the two questions.
    const hashes = (await intents.transactions(intent.id)).map(({ hash }) => hash);
    return (await this.#lookForReceipt(hashes)) === 'none';
  }

  async #replaced(intent: CallIntent): Promise<Delivered> {
    const { intents, clock } = this.#options;
    await intents.change({ id: intent.id, from: unfinishedStates, to: 'replaced', nowMs: clock.nowMs() });
    return { kind: 'reverted' };
  }

  /**
   * Gives a dead keeper's transaction up once it can do no harm any more: its attestation is too old by then, and the
   * other calls do nothing a second time.
   */
  async #abandonForeign(intent: CallIntent): Promise<Delivered> {
    if (this.#options.clock.nowMs() - intent.createdAtMs < foreignHarmMs) {
      throw chainFault(`${intent.operation} of another keeper is not mined`, null);
    }
    return this.#replaced(intent);
  }

  async #record(intent: CallIntent, receipt: TransactionReceipt): Promise<Delivered> {
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
