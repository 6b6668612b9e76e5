import type { Clock } from '@core/runtime';
import type { Lease } from '@core/store';
import { accountSignature, SignatureType, type VenueOrder } from '@core/vault';
import { isVenueFault, type TradeState, type VenueClient, type VenueFault } from '@core/venue';
import type { Hex } from 'viem';
import type { Failpoint } from './failpoint.ts';
import type { Intent, Intents } from './intents.ts';
import type { OrderedPurpose, OrderOutcome } from './intentTable.ts';
import type { VenueBreaker } from './venueBreaker.ts';

export type PostOperation = `post_${OrderedPurpose}`;
export type PostIntent = Intent<PostOperation>;

/** An order that the vault allows and the venue is to get. */
export interface OrderPost {
  readonly subject: string;
  readonly operation: PostOperation;
  readonly attempt: number;
  readonly order: VenueOrder;
  readonly orderHash: Hex;
  readonly orderType: 'FOK' | 'FAK';
  readonly lease: Lease;
}

export interface VenueOrdersOptions {
  readonly intents: Intents;
  readonly venue: VenueClient;
  readonly clock: Clock;
  /** The keeper's account name at the venue. */
  readonly owner: string;
  readonly failpoint: Failpoint;
  readonly breaker: Pick<VenueBreaker, 'pass' | 'isOpen' | 'remainingMs'>;
}

/** An order that the venue may have, although its answer was lost, is asked for again after this. */
const unansweredPauseMs = 1_000;

/** The intent that sent an order to the venue. */
export function postOf(intents: readonly Intent[], orderHash: string): PostIntent | null {
  return intents.filter(isPost).find((intent) => intent.orderHash === orderHash) ?? null;
}

export function isPost(intent: Intent): intent is PostIntent {
  return intent.plan.kind === 'order';
}

/**
 * Sends orders to the venue, each once: the intent with its salt stands before the POST, and after a crash or a lost
 * answer the venue is asked for the order's hash, or refuses the repetition as a duplicate.
 */
export class VenueOrders {
  readonly #options: VenueOrdersOptions;
  /** Position of each order this process follows; one that starts with none learns them as it follows. */
  readonly #followed = new Map<string, string>();
  /** Orders that certainly never reached the venue; about any other that is not posted nothing is known. */
  readonly #unsent = new Set<string>();

  constructor(options: VenueOrdersOptions) {
    this.#options = options;
  }

  /** The position an order belongs to; none for an order that is not followed here. */
  positionsOf(orderHash: string): readonly string[] {
    const positionKey = this.#followed.get(orderHash);
    return positionKey === undefined ? [] : [positionKey];
  }

  /**
   * How long an order that could not be posted waits: while the venue refuses us until it is tried again, and not at
   * all longer than a moment where it may have the order: that may have been matched.
   */
  pauseMsOf(orderHash: string): number {
    const { breaker } = this.#options;
    return this.#unsent.has(orderHash) && breaker.isOpen ? breaker.remainingMs : unansweredPauseMs;
  }

  /**
   * Posts, or continues an earlier post; the intent stays prepared while the breaker is open and the venue does not
   * have the order. A terminal refusal is recorded. @throws VenueFault when the venue may take it later: it is
   * throttled or refuses us.
   */
  async post(post: OrderPost): Promise<PostIntent> {
    const { intents, clock, failpoint } = this.#options;
    const { subject, operation, attempt, order, orderHash, orderType, lease } = post;
    this.#followed.set(orderHash, subject);
    const plan = { kind: 'order', order, orderType } as const;
    const nowMs = clock.nowMs();
    const { intent } = await intents.prepare({ subject, operation, attempt, plan, orderHash, lease, nowMs });
    failpoint(operation, 'after_intent');
    if (intent.state !== 'prepared') return intent;
    return this.#options.breaker.isOpen ? this.#askFor(intent, post) : this.#place(intent, post);
  }

  /** Nothing is posted to a venue that refuses us, but it may have an order whose answer was lost, and say so. */
  async #askFor(intent: PostIntent, post: OrderPost): Promise<PostIntent> {
    if (this.#unsent.has(post.orderHash)) return intent;
    const state = await this.#options.venue.order(post.orderHash).catch((error: unknown) => {
      if (isVenueFault(error)) return null;
      throw error;
    });
    return state === null ? intent : this.#taken(intent, post);
  }

  async #place(intent: PostIntent, post: OrderPost): Promise<PostIntent> {
    const { venue, owner, failpoint, breaker } = this.#options;
    failpoint(post.operation, 'after_sign');
    try {
      const order = { ...post.order, signature: accountSignature, signatureType: SignatureType.Erc1271 } as const;
      await breaker.pass(() => venue.placeOrder({ order, orderType: post.orderType, owner }));
      failpoint(post.operation, 'after_broadcast');
      return await this.#taken(intent, post);
    } catch (error) {
      if (!isVenueFault(error)) {
        throw error;
      }
      return this.#refused(intent, post, error);
    }
  }

  async #taken(intent: PostIntent, post: OrderPost): Promise<PostIntent> {
    const { intents, clock, failpoint } = this.#options;
    failpoint(post.operation, 'after_receipt');
    failpoint(post.operation, 'before_record');
    this.#unsent.delete(post.orderHash);
    const change = { id: intent.id, from: ['prepared'], to: 'broadcast', nowMs: clock.nowMs() } as const;
    await intents.change({ ...change, venueOrderId: post.orderHash });
    return { ...intent, state: 'broadcast', venueOrderId: post.orderHash };
  }

  /** The fault says whether the venue may have acted: only a certain and final refusal ends the order. */
  async #refused(intent: PostIntent, post: OrderPost, fault: VenueFault): Promise<PostIntent> {
    const { intents, venue, clock } = this.#options;
    if (fault.effect === 'yes' || (fault.effect === 'maybe' && (await venue.order(post.orderHash)) !== null)) {
      return this.#taken(intent, post);
    }
    if (fault.kind === 'terminal' && fault.effect === 'no') {
      this.#forget(post.orderHash);
      const outcome: OrderOutcome = { refusal: fault.code, trades: [] };
      await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs(), outcome });
      return { ...intent, state: 'dropped', outcome };
    }
    if (fault.effect === 'no') this.#unsent.add(post.orderHash);
    else this.#unsent.delete(post.orderHash);
    throw fault;
  }

  #forget(orderHash: string): void {
    this.#followed.delete(orderHash);
    this.#unsent.delete(orderHash);
  }

  /** Follows a taken order; the intent becomes final when the venue will fill it no further. */
  async follow(intent: PostIntent): Promise<PostIntent> {
    const { intents, venue, clock } = this.#options;
    if (intent.state !== 'broadcast' || intent.orderHash === null) {
      return intent;
    }
    this.#followed.set(intent.orderHash, intent.subject);
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
    this.#forget(intent.orderHash);
    await intents.change({ id: intent.id, from: ['broadcast'], to: 'final', nowMs: clock.nowMs(), outcome });
    return { ...intent, state: 'final', outcome };
  }

  /** A post whose record was cut short may have come to the venue all the same, and have been filled there. */
  async #found(intent: PostIntent): Promise<PostIntent> {
    const { intents, venue, clock } = this.#options;
    const { id, state, orderHash } = intent;
    if (state !== 'prepared' || orderHash === null || (await venue.order(orderHash)) === null) return intent;
    const change = { id, from: [state], to: 'broadcast', nowMs: clock.nowMs() } as const;
    await intents.change({ ...change, venueOrderId: orderHash });
    return { ...intent, state: 'broadcast', venueOrderId: orderHash };
  }

  /**
   * Ends the intent of an order that the vault allows no more: what the venue says of it is the end, and where it says
   * nothing the order was not filled.
   */
  async retire(intent: PostIntent): Promise<void> {
    const { intents, clock } = this.#options;
    const { id, state, orderHash } = await this.follow(await this.#found(intent));
    if (orderHash !== null) this.#forget(orderHash);
    if (state !== 'prepared' && state !== 'broadcast') return;
    const outcome: OrderOutcome = { refusal: 'order_not_filled', trades: [] };
    await intents.change({ id, from: [state], to: 'dropped', nowMs: clock.nowMs(), outcome });
  }
}

function isUnsettled({ status }: TradeState): boolean {
  return status !== 'CONFIRMED' && status !== 'FAILED';
}
