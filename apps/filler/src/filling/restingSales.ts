import { Fault } from '@core/errors';
import { compare, constants, type OrderBook, type TokenUnits, toShareStep, toTick, usdcUnits } from '@core/pricing';
import { isVenueFault } from '@core/venue';
import type { TradeRequest } from '../venue/venueTrader.ts';
import type { FillerParts } from './fillerParts.ts';

/** Tokens to rest, with the book that they rest in. */
export interface RestingRequest extends Omit<TradeRequest, 'pricePips'> {
  readonly book: OrderBook;
}

interface RestingSale {
  readonly stop: AbortController;
  readonly end: Promise<void>;
}

/**
 * Sales that wait for buyers: tokens rest once at the best ask, as a maker, for a number of seconds. What is not
 * sold by then is the caller's to sell. Resting tokens are reserved: no fill takes them from stock.
 */
export class RestingSales {
  readonly #parts: FillerParts;
  /** Sales in progress by market. */
  readonly #running = new Map<string, RestingSale>();
  /** Markets whose tokens have rested and are not all sold. */
  readonly #rested = new Set<string>();

  constructor(parts: FillerParts) {
    this.#parts = parts;
  }

  /** Return true while tokens of a market rest. */
  isResting(conditionId: string): boolean {
    return this.#running.has(conditionId);
  }

  /** Rest tokens at the best ask. Returns false where they rested before, are too few, have no ask, or rest is off. */
  begin(request: RestingRequest): boolean {
    const { terms, float } = this.#parts;
    const { conditionId, tokenId, tickPricePips, book } = request;
    const [ask] = book.asks;
    const tokenUnits: TokenUnits = toShareStep(request.tokenUnits, 'down');
    const isTooSmall = compare(tokenUnits, constants.minOrderTokenUnits) < 0;
    if (terms.restMs === 0 || ask === undefined || isTooSmall || this.#rested.has(conditionId)) return false;
    this.#rested.add(conditionId);
    const reservation = { usdcUnits: usdcUnits(0n), tokenId, tokenUnits };
    float.reserve(reservation);
    const stop = new AbortController();
    const pricePips = toTick(ask.pricePips, tickPricePips, 'up');
    const end = this.#rest({ conditionId, tokenId, tokenUnits, pricePips, tickPricePips }, stop.signal).finally(() => {
      float.release(reservation);
      this.#running.delete(conditionId);
    });
    this.#running.set(conditionId, { stop, end });
    return true;
  }

  /** Cancel the resting order of a market. */
  stop(conditionId: string): void {
    this.#running.get(conditionId)?.stop.abort();
  }

  /** Let the next tokens of a market rest again. */
  forget(conditionId: string): void {
    this.#rested.delete(conditionId);
  }

  /** Cancel every resting order and wait for the ends. */
  async finish(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort();
    await Promise.all(running.map(({ end }) => end));
  }

  async #rest(request: TradeRequest, stopped: AbortSignal): Promise<void> {
    const { trader, terms, logger } = this.#parts;
    const until = AbortSignal.any([stopped, AbortSignal.timeout(terms.restMs)]);
    await trader.rest(request, until).catch((error: unknown) => {
      if (!(error instanceof Fault) && !isVenueFault(error)) throw error;
      logger.warn({ err: error, conditionId: request.conditionId }, 'tokens do not rest');
    });
  }
}
