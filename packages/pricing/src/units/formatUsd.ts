import { type PricePips, raw, type UsdPips } from './quantity.ts';

/**
 * Format pips as an exact decimal for display: 2 to 4 decimals, a leading `-` when negative, never "-0.00". Money and
 * prices both have 10,000 pips to the dollar (specification, Conventions).
 *
 * @example
 * ```ts
 * formatUsd(usdPips(15_050n)); // '1.505'
 * ```
 */
export function formatUsd(pips: UsdPips | PricePips): string {
  const amount = raw(pips);
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0');
  const point = digits.length - 4;
  let end = digits.length;
  while (end > point + 2 && digits.endsWith('0', end)) end -= 1;
  return `${amount < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point, end)}`;
}
