import { type PricePips, raw, type UsdPips } from './quantity.ts';

/**
 * The exact decimal of pips, for display: 2 to 4 decimals, a leading `-` when negative, never "-0.00".
 * Both money and prices have 10,000 pips to the dollar (specification, Conventions).
 */
export function formatUsd(pips: UsdPips | PricePips): string {
  const amount = raw(pips);
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0');
  const decimals = digits.slice(-4).replace(/0{1,2}$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${decimals}`;
}
