import { type PricePips, pricePips, type RateBps, raw } from '@core/pricing';

/** Lowest whole price at which a sale may be made: mark × (1 − slip), rounded up. */
export function minimumSaleLimitOf(markPricePips: PricePips, slipBps: RateBps): PricePips {
  const scaled = raw(markPricePips) * (10_000n - raw(slipBps));
  return pricePips((scaled + 9_999n) / 10_000n);
}
