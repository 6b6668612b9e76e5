import { isVenueFault, type VenueClient, VenueFault } from '@core/venue';
import type { Logger } from 'pino';
import { zeroHash } from 'viem';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';

/** Pauses before the venue is tried again: the first, and the longest of those that double after it. */
const pauses = { firstMs: 1_000, longestMs: 30_000 };

/** Refusals that say something about the venue or our account there and nothing about the order. */
const venueWideCodes: ReadonlySet<VenueFault['code']> = new Set([
  'credentials_refused',
  'account_restricted',
  'venue_restarting',
  'venue_paused',
  'venue_fault_unknown',
]);

const isVenueWide = (error: unknown): error is VenueFault => isVenueFault(error) && venueWideCodes.has(error.code);

export interface VenueBreakerOptions {
  readonly venue: Pick<VenueClient, 'order'>;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'venueBreaker' | 'venueRefusals'>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * One breaker for the venue. It trips when the venue refuses us rather than an order: then nothing is posted to it. It
 * asks for an order of ours that does not exist, which needs our credentials and does nothing; once that is answered,
 * posting is tried again, and the first order that is taken, or refused for its own sake, closes it for good. No
 * position is frozen for it.
 */
export class VenueBreaker {
  readonly #options: VenueBreakerOptions;
  readonly #now: () => number;
  #state: 'closed' | 'open' | 'trying' = 'closed';
  #pauseMs = 0;
  #endsAtMs = 0;

  constructor(options: VenueBreakerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** True while nothing is to be posted. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Milliseconds until the next probe; zero when none is awaited. */
  get remainingMs(): number {
    return this.isOpen ? Math.max(0, this.#endsAtMs - this.#now()) : 0;
  }

  /** Posts through the breaker. @throws VenueFault retryable, without any effect, while it is open. */
  async pass<Result>(post: () => Promise<Result>): Promise<Result> {
    if (this.isOpen) {
      const message = 'the venue refuses us: nothing is posted until it answers again';
      throw new VenueFault({ code: 'venue_paused', kind: 'retryable', effect: 'no', message });
    }
    try {
      const result = await post();
      this.#close();
      return result;
    } catch (error) {
      if (isVenueWide(error)) this.#trip(error);
      else if (isVenueFault(error) && error.kind === 'terminal') this.#close();
      throw error;
    }
  }

  /** Asks the venue once the pause is over; costs nothing while the breaker is closed. */
  async probe(): Promise<void> {
    if (!this.isOpen || this.#now() < this.#endsAtMs) return;
    try {
      await this.#options.venue.order(zeroHash);
      this.#state = 'trying';
      this.#options.metrics.venueBreaker.set(0);
      this.#options.logger.info('the venue answers: orders are tried again');
    } catch (error) {
      if (!isVenueFault(error)) throw error;
      this.#trip(error);
    }
  }

  #trip(fault: VenueFault): void {
    const { logger, metrics } = this.#options;
    // Orders that were under way together are refused together: that is one trip.
    if (this.isOpen && this.#now() < this.#endsAtMs) return;
    this.#pauseMs = this.#state === 'closed' ? pauses.firstMs : Math.min(pauses.longestMs, 2 * this.#pauseMs);
    this.#endsAtMs = this.#now() + this.#pauseMs;
    this.#state = 'open';
    metrics.venueRefusals.inc({ code: fault.code });
    metrics.venueBreaker.set(1);
    logger.error({ err: fault, code: fault.code, pauseMs: this.#pauseMs }, 'the venue refuses us: nothing is posted');
  }

  #close(): void {
    if (this.#state === 'closed') return;
    // An order that was under way when it tripped says nothing about now.
    if (this.#state === 'open') return;
    this.#state = 'closed';
    this.#options.logger.info('the venue takes orders again');
  }
}
