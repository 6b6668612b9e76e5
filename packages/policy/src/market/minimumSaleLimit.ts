import { divide, type PricePips, pricePips, type RateBps, raw } from '@core/pricing';

/** Lowest whole price at which a sale may be made: mark × (1 − slip), rounded up. */
export function minimumSaleLimitOf(markPricePips: PricePips, slipBps: RateBps): PricePips {
  return pricePips(divide(raw(markPricePips) * (10_000n - raw(slipBps)), 10_000n, 'up'));
}
