import type { Clock } from '@core/runtime';
import type { Lease } from '@core/store';
import { inPositionSpan } from '@core/tracing';
import { accountSignature, SignatureType, type VenueOrder } from '@core/vault';
import { isVenueFault, type TradeState, type VenueClient, type VenueFault } from '@core/venue';
import type { Logger } from 'pino';
import type { Hex } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import type { Failpoint } from './failpoint.ts';
import type { Intent, Intents } from './intents.ts';
import type { OrderedPurpose, OrderOutcome } from './intentTable.ts';
import { isOverUnfilled, isUnsettled, OrderTrades } from './orderTrades.ts';
import { refusalScopeOf } from './refusalScope.ts';
import type { VenueBreaker } from './venueBreaker.ts';

export type PostOperation = `post_${OrderedPurpose}`;
export type PostIntent = Intent<PostOperation>;

/** An authorised order to post to the venue. */
export interface OrderPost {
  readonly subject: string;
  /** Condition of the market it trades in. */
  readonly venueMarketId: string;
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
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'unexplainedRefusals'>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Pause before an order with a lost answer is read again. */
const unansweredPauseMs = 1_000;
/**
 * Unexplained refusals that end an order: the first may be transient, and the order may be listed late. Posting
 * the same order twice is harmless.
 */
const maxUnexplained = 2;

interface Postponed {
  readonly untilMs: number;
  readonly unexplainedCount: number;
}

/** Return the intent that posted an order; null without one. */
export function postOf(intents: readonly Intent[], orderHash: string): PostIntent | null {
  return intents.filter(isPost).find((intent) => intent.orderHash === orderHash) ?? null;
}

export function isPost(intent: Intent): intent is PostIntent {
  return intent.plan.kind === 'order';
}

/**
 * Posts of orders, each with exactly one effect: the intent with its salt is stored before the POST. After a crash or a
 * lost answer the venue is asked for the order's hash, or refuses the repetition as a duplicate.
 */
export class VenueOrders {
  readonly #options: VenueOrdersOptions;
  /** Position of each followed order; a process that starts without any learns them as it follows. */
  readonly #followed = new Map<string, string>();
  /** Orders that certainly never reached the venue; for any other unposted order that is unknown. */
  readonly #unsent = new Set<string>();
  readonly #trades: OrderTrades;
  /** Orders that wait for their next POST. */
  readonly #postponed = new Map<string, Postponed>();
  readonly #now: () => number;

  constructor(options: VenueOrdersOptions) {
    this.#options = options;
    this.#trades = new OrderTrades(options.venue);
    this.#now = options.now ?? (() => performance.now());
  }

  /** Return the position of an order; empty for an order that is not followed here. */
  positionsOf(orderHash: string): readonly string[] {
    const positionKey = this.#followed.get(orderHash);
    return positionKey === undefined ? [] : [positionKey];
  }

  /**
   * Return the milliseconds until an unposted order is retried: while the breaker is open until its probe, after a
   * refusal of its own until its next POST, and only a moment where the venue may have matched it.
   */
  pauseMsOf(orderHash: string): number {
    const { breaker } = this.#options;
    if (this.#unsent.has(orderHash) && breaker.isOpen) return breaker.remainingMs;
    return this.#postponedMs(orderHash) || unansweredPauseMs;
  }

  #postponedMs(orderHash: string): number {
    return Math.max(0, (this.#postponed.get(orderHash)?.untilMs ?? 0) - this.#now());
  }

  /**
   * Post an order, or continue an earlier post. The intent stays prepared while the breaker is open or the order waits
   * for its next POST, and the venue does not have it. A final refusal is recorded with its code.
   *
   * @throws VenueFault when the venue may take it later: it refuses us or gave no answer.
   */
  async post(post: OrderPost): Promise<PostIntent> {
    const { intents, clock, failpoint } = this.#options;
    const { subject, operation, attempt, order, orderHash, orderType, lease } = post;
    this.#followed.set(orderHash, subject);
    const plan = { kind: 'order', order, orderType } as const;
    const nowMs = clock.nowMs();
    const { intent } = await intents.prepare({ subject, operation, attempt, plan, orderHash, lease, nowMs });
    failpoint(operation, 'after_intent');
    if (intent.state !== 'prepared' || this.#postponedMs(orderHash) > 0) return intent;
    return this.#options.breaker.isOpen ? this.#findAtVenue(intent, post) : this.#place(intent, post);
  }

  /**
   * Ask the venue for an order whose answer was lost: nothing is posted while the breaker is open, but the venue may
   * have it.
   */
  async #findAtVenue(intent: PostIntent, post: OrderPost): Promise<PostIntent> {
    if (this.#unsent.has(post.orderHash)) return intent;
    const state = await this.#options.venue.order(post.orderHash).catch((error: unknown) => {
      if (isVenueFault(error)) return null;
      throw error;
    });
    return state === null ? intent : this.#recordAccepted(intent, post);
  }

  #place(intent: PostIntent, post: OrderPost): Promise<PostIntent> {
    const { venue, owner, failpoint, breaker } = this.#options;
    const { subject: positionKey, venueMarketId, orderHash, orderType, operation } = post;
    failpoint(operation, 'after_sign');
    return inPositionSpan(positionKey, { name: operation, facts: { orderHash, orderType } }, async () => {
      try {
        const order = { ...post.order, signature: accountSignature, signatureType: SignatureType.Erc1271 } as const;
        const subject = { positionKey, venueMarketId };
        const placed = await breaker.pass(subject, () => venue.placeOrder({ order, orderType, owner }));
        this.#trades.record(orderHash, placed.tradeIds);
        failpoint(operation, 'after_broadcast');
        return await this.#recordAccepted(intent, post);
      } catch (error) {
        if (!isVenueFault(error)) throw error;
        return this.#handleRefusal(intent, post, error);
      }
    });
  }

  async #recordAccepted(intent: PostIntent, post: OrderPost): Promise<PostIntent> {
    const { intents, clock, failpoint } = this.#options;
    failpoint(post.operation, 'after_receipt');
    failpoint(post.operation, 'before_record');
    this.#unsent.delete(post.orderHash);
    this.#postponed.delete(post.orderHash);
    const change = { id: intent.id, from: ['prepared'], to: 'broadcast', nowMs: clock.nowMs() } as const;
    await intents.change({ ...change, venueOrderId: post.orderHash });
    return { ...intent, state: 'broadcast', venueOrderId: post.orderHash };
  }

  /**
   * Decide what follows from a failed POST. Only a certain and final refusal ends the order at once. An unexplained one
   * ends it when it comes again and the venue still does not know the order's hash.
   */
  async #handleRefusal(intent: PostIntent, post: OrderPost, fault: VenueFault): Promise<PostIntent> {
    const { orderHash } = post;
    const isUnexplained = refusalScopeOf(fault) === 'unexplained';
    const mayHaveIt = fault.effect === 'maybe' || isUnexplained;
    if (fault.effect === 'yes' || (mayHaveIt && (await this.#options.venue.order(orderHash)) !== null)) {
      return this.#recordAccepted(intent, post);
    }
    if (isUnexplained) {
      const unexplainedCount = (this.#postponed.get(orderHash)?.unexplainedCount ?? 0) + 1;
      if (unexplainedCount >= maxUnexplained) return this.#endForOperator(intent, post, fault);
      return this.#postpone(intent, post, { pauseMs: unansweredPauseMs, unexplainedCount });
    }
    if (fault.kind === 'terminal' && fault.effect === 'no') return this.#drop(intent, post, fault);
    if (fault.effect === 'no') this.#unsent.add(orderHash);
    else this.#unsent.delete(orderHash);
    if (fault.code === 'venue_throttled') {
      const unexplainedCount = this.#postponed.get(orderHash)?.unexplainedCount ?? 0;
      const pauseMs = Math.max(unansweredPauseMs, fault.retryAfterMs ?? 0);
      return this.#postpone(intent, post, { pauseMs, unexplainedCount });
    }
    throw fault;
  }

  #postpone(
    intent: PostIntent,
    { orderHash }: OrderPost,
    { pauseMs, unexplainedCount }: { readonly pauseMs: number; readonly unexplainedCount: number },
  ): PostIntent {
    this.#postponed.set(orderHash, { untilMs: this.#now() + pauseMs, unexplainedCount });
    return intent;
  }

  /** End an order for a refusal that needs an operator: its code is unknown, or says that our orders are malformed. */
  #endForOperator(intent: PostIntent, post: OrderPost, fault: VenueFault): Promise<PostIntent> {
    const { logger, metrics } = this.#options;
    const { subject: positionKey, orderHash, operation } = post;
    metrics.unexplainedRefusals.inc({ code: fault.code });
    logger.error(
      { err: fault, code: fault.code, positionKey, orderHash, operation },
      'order ended by an unexplained refusal',
    );
    return this.#drop(intent, post, fault);
  }

  async #drop(intent: PostIntent, post: OrderPost, { code }: VenueFault): Promise<PostIntent> {
    const { intents, clock } = this.#options;
    this.#forget(post.orderHash);
    const outcome: OrderOutcome = { refusal: code, trades: [] };
    await intents.change({ id: intent.id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs(), outcome });
    return { ...intent, state: 'dropped', outcome };
  }

  #forget(orderHash: string): void {
    this.#followed.delete(orderHash);
    this.#unsent.delete(orderHash);
    this.#trades.forget(orderHash);
    this.#postponed.delete(orderHash);
  }

  /** Follow an accepted order; the intent becomes final when the venue will fill it no further. */
  async follow(intent: PostIntent): Promise<PostIntent> {
    const { orderHash } = intent;
    if (intent.state !== 'broadcast' || orderHash === null) {
      return intent;
    }
    this.#followed.set(orderHash, intent.subject);
    const state = await this.#trades.stateOf(orderHash);
    if (state !== null && isOverUnfilled(state)) return this.#recordUnfilled(intent);
    const trades = await this.#trades.of(orderHash, state);
    const isResting = state?.status === 'live' || state?.status === 'delayed';
    // A match is not final: it may fail or be sent again under another hash.
    if (isResting || trades.length === 0 || trades.some(isUnsettled)) {
      return intent;
    }
    return this.#recordFilled(intent, trades);
  }

  /**
   * End the intent of an order that is completely filled on chain, with its trades as far as the venue returns them
   * now.
   */
  async endFilled(intent: PostIntent): Promise<PostIntent> {
    const { orderHash, state } = intent;
    if (orderHash === null || (state !== 'prepared' && state !== 'broadcast')) return intent;
    const trades = await this.#trades.of(orderHash, null).catch((error: unknown) => {
      if (isVenueFault(error)) return [];
      throw error;
    });
    return this.#recordFilled(intent, trades);
  }

  async #recordFilled(intent: PostIntent, trades: readonly TradeState[]): Promise<PostIntent> {
    const { intents, clock } = this.#options;
    const outcome: OrderOutcome = {
      refusal: null,
      trades: trades.map(({ tradeId, status, transactionHash }) => ({ tradeId, status, transactionHash })),
    };
    if (intent.orderHash !== null) this.#forget(intent.orderHash);
    await intents.change({ id: intent.id, from: [intent.state], to: 'final', nowMs: clock.nowMs(), outcome });
    return { ...intent, state: 'final', outcome };
  }

  /** Read an order whose record was interrupted: it may have reached the venue and been filled there. */
  async #readUnrecorded(intent: PostIntent): Promise<PostIntent> {
    const { intents, venue, clock } = this.#options;
    const { id, state, orderHash } = intent;
    if (state !== 'prepared' || orderHash === null || (await venue.order(orderHash)) === null) return intent;
    const change = { id, from: [state], to: 'broadcast', nowMs: clock.nowMs() } as const;
    await intents.change({ ...change, venueOrderId: orderHash });
    return { ...intent, state: 'broadcast', venueOrderId: orderHash };
  }

  /** End the intent of an order whose window is over, with the venue's status of it; without one, as not filled. */
  async retire(intent: PostIntent): Promise<void> {
    const latest = await this.follow(await this.#readUnrecorded(intent));
    if (latest.orderHash !== null) this.#forget(latest.orderHash);
    if (latest.state === 'prepared' || latest.state === 'broadcast') await this.#recordUnfilled(latest);
  }

  async #recordUnfilled(intent: PostIntent): Promise<PostIntent> {
    const { intents, clock } = this.#options;
    if (intent.orderHash !== null) this.#forget(intent.orderHash);
    const outcome: OrderOutcome = { refusal: 'order_not_filled', trades: [] };
    await intents.change({ id: intent.id, from: [intent.state], to: 'dropped', nowMs: clock.nowMs(), outcome });
    return { ...intent, state: 'dropped', outcome };
  }
}
