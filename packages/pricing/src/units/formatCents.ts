import { divideAmount } from './arithmetic.ts';
import { type PricePips, raw } from './quantity.ts';

/**
 * Format a price, or the difference of two prices, in cents with one decimal for display: to the nearest tenth, a half
 * up, a leading minus sign when negative, never "−0.0".
 *
 * @example
 * ```ts
 * formatCents(pricePips(5_250n)); // '52.5 ¢'
 * ```
 */
export function formatCents(pips: PricePips): string {
  const tenths = divideAmount(raw(pips) + 5n, 10n, 'down');
  const digits = (tenths < 0n ? -tenths : tenths).toString().padStart(2, '0');
  return `${tenths < 0n ? '−' : ''}${digits.slice(0, -1)}.${digits.slice(-1)} ¢`;
}
