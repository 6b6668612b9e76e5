import { pricePips } from '@core/pricing';
import type { Clock } from '@core/runtime';
import type { PastPrice } from '@core/venue';
import type { PastPriceSource } from '../src/markets/priceHistories.ts';

const quarterMs = 900_000;
/** Prices of the last hour, in pips. */
const lastHour = [7_900n, 7_950n, 7_975n, 8_000n];

/** A venue whose prices rose to 0.80 in the last hour. */
export class FakePastPrices implements PastPriceSource {
  readonly #clock: Clock;
  /** Failure of the next reads; null while they succeed. */
  fault: Error | null = null;
  readCount = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async pastPrices(): Promise<readonly PastPrice[]> {
    this.readCount += 1;
    if (this.fault !== null) throw this.fault;
    const nowMs = this.#clock.nowMs();
    return lastHour.map((pips, index) => ({
      atMs: nowMs - (lastHour.length - 1 - index) * quarterMs,
      pricePips: pricePips(pips),
    }));
  }
}
