import type { PriceRange } from '../markets/usePriceHistory.ts';

const hourMs = 3_600_000;
const ranges: readonly { readonly range: PriceRange; readonly ms: number }[] = [
  { range: '1h', ms: hourMs },
  { range: '6h', ms: 6 * hourMs },
  { range: '1d', ms: 24 * hourMs },
  { range: '1w', ms: 168 * hourMs },
];

/** Return the shortest range of prices that covers an age. */
export const rangeOf = (ageMs: number): PriceRange => ranges.find(({ ms }) => ms >= ageMs)?.range ?? 'all';
