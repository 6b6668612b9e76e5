import { isVenueFault, type VenueClient, VenueFault } from '@core/venue';
import type { Logger } from 'pino';
import { zeroHash } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { ConsecutiveRefusals, type RefusedOrder } from './consecutiveRefusals.ts';
import { isOwnFault, type RefusalScope, refusalScopeOf } from './refusalScope.ts';

/** Openings are tried again this long after the venue refused one because the account may only sell. */
const openingsPauseMs = 60_000;

/**
 * Openings are tried again this long after a refusal of the maker, the signature, the exchange or the amounts of an
 * order, unless another order is accepted before: each attempt would be refunded.
 */
const ownFaultPauseMs = 600_000;

/** Time for which a position with refusals of its own is judged separately. */
const ownRefusalsMs = 600_000;

/** Pauses before the venue is probed: the first, and the longest of those that double after it. */
const pauses = { firstMs: 1_000, longestMs: 30_000 };

export interface VenueBreakerOptions {
  readonly venue: Pick<VenueClient, 'order'>;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'venueBreaker' | 'venueRefusals'>;
  /** Milliseconds for which a planned restart of the venue forbids openings; zero outside of its window. */
  readonly plannedPauseMs?: () => number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Circuit breaker of the venue. It opens when the venue refuses the keeper as a whole: at once for an explicit refusal,
 * else after unexplained refusals of several positions in several markets in a row. While it is open, nothing is
 * posted, and probes read an order that does not exist, which needs credentials and has no effect. After an answered
 * probe posting is tried again, and the first order that is accepted, or refused for its own sake, closes it. No
 * position is frozen for it.
 */
export class VenueBreaker {
  readonly #options: VenueBreakerOptions;
  readonly #now: () => number;
  readonly #consecutive = new ConsecutiveRefusals();
  #state: 'closed' | 'open' | 'trying' = 'closed';
  /** Position whose refusal opened the breaker last; null once its part in it is decided. */
  #trippedBy: string | null = null;
  /** Positions that opened the breaker while the venue accepted orders of others, with the instant of the proof. */
  readonly #ownRefusals = new Map<string, number>();
  #pauseMs = 0;
  #endsAtMs = 0;
  #openingsEndAtMs = Number.NEGATIVE_INFINITY;
  #ownFaultEndsAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: VenueBreakerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** True while nothing may be posted. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /**
   * Milliseconds for which no opening is to be posted: the account may only sell, the venue takes no orders as ours are
   * made, or a planned restart is near in which nothing could be sold. Zero when it may buy.
   */
  get remainingOpeningsMs(): number {
    const endsAtMs = Math.max(this.#openingsEndAtMs, this.#ownFaultEndsAtMs);
    return Math.max(0, endsAtMs - this.#now(), this.#options.plannedPauseMs?.() ?? 0);
  }

  /** Milliseconds until the next probe; zero when none is awaited. */
  get remainingMs(): number {
    return this.isOpen ? Math.max(0, this.#endsAtMs - this.#now()) : 0;
  }

  /** Post an order through the breaker. @throws VenueFault retryable, without any effect, while it is open. */
  async pass<Result>(order: RefusedOrder, post: () => Promise<Result>): Promise<Result> {
    if (this.isOpen) {
      const message = 'the venue refuses orders: posting is paused until it answers again';
      const { remainingMs: retryAfterMs } = this;
      throw new VenueFault({ code: 'venue_paused', kind: 'retryable', effect: 'no', message, retryAfterMs });
    }
    try {
      const result = await post();
      this.#acquit(order);
      this.#close();
      return result;
    } catch (error) {
      if (isVenueFault(error)) this.#judge(order, error);
      throw error;
    }
  }

  /** Probe the venue once the pause is over; does nothing while the breaker is closed. */
  async probe(): Promise<void> {
    this.#show();
    if (!this.isOpen || this.#now() < this.#endsAtMs) return;
    try {
      await this.#options.venue.order(zeroHash);
      this.#state = 'trying';
      this.#show();
      this.#options.logger.info('venue answers: posting orders again');
    } catch (error) {
      if (!isVenueFault(error)) throw error;
      this.#trip(error, null);
    }
  }

  #judge(order: RefusedOrder, fault: VenueFault): void {
    switch (this.#scopeOf(order, fault)) {
      case 'venue':
        if (isOwnFault(fault)) this.#ownFaultEndsAtMs = this.#now() + ownFaultPauseMs;
        return this.#trip(fault, order);
      case 'openings':
        return this.#stopOpenings(fault);
      case 'unexplained':
        this.#consecutive.add(order, this.#now());
        return this.#consecutive.isVenueWide ? this.#trip(fault, order) : undefined;
      case 'order':
        return this.#close();
      case 'moment':
        return undefined;
    }
  }

  #scopeOf({ positionKey }: RefusedOrder, fault: VenueFault): RefusalScope {
    const scope = refusalScopeOf(fault);
    const provenAtMs = this.#ownRefusals.get(positionKey) ?? Number.NEGATIVE_INFINITY;
    return scope === 'venue' && this.#now() - provenAtMs <= ownRefusalsMs ? 'unexplained' : scope;
  }

  /**
   * Record that a position opened the breaker for a reason of its own: the venue accepts the order of another after it.
   */
  #acquit({ positionKey }: RefusedOrder): void {
    if (this.isOpen || this.#trippedBy === null) return;
    const nowMs = this.#now();
    for (const [oldest, atMs] of this.#ownRefusals) {
      if (nowMs - atMs <= ownRefusalsMs) break;
      this.#ownRefusals.delete(oldest);
    }
    if (this.#trippedBy !== positionKey) this.#ownRefusals.set(this.#trippedBy, nowMs);
    this.#trippedBy = null;
  }

  #trip(fault: VenueFault, order: RefusedOrder | null): void {
    const { logger, metrics } = this.#options;
    // Concurrent orders are refused together: that opens the breaker once.
    if (this.isOpen && this.#now() < this.#endsAtMs) return;
    this.#pauseMs = this.#state === 'closed' ? pauses.firstMs : Math.min(pauses.longestMs, 2 * this.#pauseMs);
    const pauseMs = Math.max(this.#pauseMs, fault.retryAfterMs ?? 0);
    this.#endsAtMs = this.#now() + pauseMs;
    this.#state = 'open';
    this.#trippedBy = order?.positionKey ?? null;
    metrics.venueRefusals.inc({ code: fault.code });
    this.#show();
    logger.error({ err: fault, code: fault.code, pauseMs }, 'venue refuses orders: posting paused');
  }

  #show(): void {
    this.#options.metrics.venueBreaker.set(this.isOpen || this.#now() < this.#ownFaultEndsAtMs ? 1 : 0);
  }

  #stopOpenings(fault: VenueFault): void {
    const { logger, metrics } = this.#options;
    this.#openingsEndAtMs = this.#now() + openingsPauseMs;
    metrics.venueRefusals.inc({ code: fault.code });
    logger.error({ err: fault, code: fault.code, pauseMs: openingsPauseMs }, 'venue refuses openings');
  }

  #close(): void {
    // An order sent before the breaker opened proves nothing about the present.
    if (this.#state === 'open') return;
    this.#consecutive.clear();
    this.#ownFaultEndsAtMs = Number.NEGATIVE_INFINITY;
    this.#show();
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#options.logger.info('venue accepts orders again');
  }
}
