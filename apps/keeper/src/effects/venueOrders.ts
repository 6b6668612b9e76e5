import type { IntentRecord, IntentStore, Lease } from '@core/store';
import type { VenueOrder } from '@core/vault';
import { type Clock, isVenueFault, type TradeState, type VenueClient, type VenueFault } from '@core/venue';
import type { Hex } from 'viem';
import type { OrderedPurpose } from '../orders/venueOrder.ts';
import type { Reach } from './crashPoint.ts';

/** An order that the vault allows and the venue is to get. */
export interface OrderPost {
  readonly subject: string;
  readonly operation: `post_${OrderedPurpose}`;
  readonly attempt: number;
  readonly order: VenueOrder;
  readonly orderHash: Hex;
  readonly orderType: 'FOK' | 'FAK';
  readonly lease: Lease;
}

export interface OrderPlan {
  readonly kind: 'order';
  readonly order: VenueOrder;
  readonly orderType: 'FOK' | 'FAK';
}

/** What became of an order at the venue, as its intent keeps it. */
export interface OrderOutcome {
  /** The venue's refusal in the service's words; null when it took the order. */
  readonly refusal: string | null;
  readonly trades: readonly {
    readonly tradeId: string;
    readonly status: string;
    readonly transactionHash: string | null;
  }[];
}

export interface VenueOrdersOptions {
  readonly intents: IntentStore;
  readonly venue: VenueClient;
  readonly clock: Clock;
  readonly lockName: string;
  readonly owner: string;
  readonly reach: Reach;
}

/**
 * Sends orders to the venue, each once: the intent with its salt stands before the POST, and after a crash or a lost
 * answer the venue is asked for the order's hash, or refuses the repetition as a duplicate.
 */
export class VenueOrders {
  readonly #options: VenueOrdersOptions;

  constructor(options: VenueOrdersOptions) {
    this.#options = options;
  }

  /** Posts, or continues an earlier post. Throws a frozen or retryable `VenueFault`; a terminal refusal is recorded. */
  async post(post: OrderPost): Promise<IntentRecord> {
    const { intents, clock, lockName, reach } = this.#options;
    const plan: OrderPlan = { kind: 'order', order: post.order, orderType: post.orderType };
    const { intent } = await intents.prepare({
      subject: post.subject,
      operation: post.operation,
      attempt: post.attempt,
      plan,
      orderHash: post.orderHash,
      lockName,
      fenceToken: post.lease.fenceToken,
      nowMs: clock.nowMs(),
    });
    reach(post.operation, 'after_intent');
    if (intent.state === 'prepared') {
      await this.#place(intent, post);
    }
    return (await intents.byId(intent.id)) ?? intent;
  }

  async #place(intent: IntentRecord, post: OrderPost): Promise<void> {
    const { venue, owner, reach } = this.#options;
    reach(post.operation, 'after_sign');
    try {
      const order = { ...post.order, side: post.order.side, signature: '0x' as const };
      await venue.placeOrder({ order: { ...order, signatureType: 3 }, orderType: post.orderType, owner });
      reach(post.operation, 'after_broadcast');
      await this.#taken(intent, post);
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      await this.#refused(intent, post, error);
    }
  }

  async #taken(intent: IntentRecord, post: OrderPost): Promise<void> {
    const { intents, clock, reach } = this.#options;
    reach(post.operation, 'after_receipt');
    reach(post.operation, 'before_record');
    const change = { id: intent.id, from: ['prepared'], to: 'broadcast', nowMs: clock.nowMs() } as const;
    await intents.change({ ...change, venueOrderId: post.orderHash });
  }

  /** The fault says whether the venue may have acted: only a certain and final refusal ends the order. */
  async #refused(intent: IntentRecord, post: OrderPost, fault: VenueFault): Promise<void> {
    const { intents, venue, clock } = this.#options;
    if (fault.effect === 'yes' || (fault.effect === 'maybe' && (await venue.order(post.orderHash)) !== null)) {
      await this.#taken(intent, post);
      return;
    }
    if (fault.kind === 'terminal' && fault.effect === 'no') {
      const outcome: OrderOutcome = { refusal: fault.code, trades: [] };
      await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs(), outcome });
      return;
    }
    throw fault;
  }

  /** Follows a taken order; the intent becomes final when the venue will fill it no further. */
  async follow(intent: IntentRecord): Promise<IntentRecord> {
    const { intents, venue, clock } = this.#options;
    if (intent.state !== 'broadcast' || intent.orderHash === null) {
      return intent;
    }
    const state = await venue.order(intent.orderHash);
    const trades = state === null ? [] : await venue.trades({ orderId: intent.orderHash });
    const isResting = state?.status === 'live' || state?.status === 'delayed';
    // Matched is not money: a match may still fail or be sent again under another hash.
    if (state === null || isResting || trades.length === 0 || trades.some(isUnsettled)) {
      return intent;
    }
    const outcome: OrderOutcome = {
      refusal: null,
      trades: trades.map(({ tradeId, status, transactionHash }) => ({ tradeId, status, transactionHash })),
    };
    await intents.change({ id: intent.id, from: ['broadcast'], to: 'final', nowMs: clock.nowMs(), outcome });
    return { ...intent, state: 'final', outcome };
  }
}

function isUnsettled({ status }: TradeState): boolean {
  return status !== 'CONFIRMED' && status !== 'FAILED';
}

/** The recorded outcome of a posted order, null while there is none. */
export function orderOutcomeOf(intent: IntentRecord): OrderOutcome | null {
  return (intent.outcome as OrderOutcome | null) ?? null;
}
