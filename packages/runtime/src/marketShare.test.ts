import { expect, test } from 'vitest';
import { marketShareCount, marketShareOf, marketShares } from './marketShare.ts';

/** IDs as the store makes them: alike but for a few characters. */
const ids = Array.from({ length: 8_000 }, (_, index) => `mkt_01JD${(index * 977).toString(32).padStart(18, '0')}`);

test('markets fall into all shares alike', () => {
  const counts = marketShares.map((share) => ids.filter((id) => marketShareOf(id) === share).length);
  expect(counts.reduce((sum, count) => sum + count)).toBe(ids.length);
  expect(counts).toHaveLength(marketShareCount);
  // A thousand each; five standard deviations of a fair draw are 148.
  expect(Math.max(...counts.map((count) => Math.abs(count - 1_000)))).toBeLessThan(148);
});

test('a market keeps its share in every version of the program', () => {
  expect(['mkt_1', 'mkt_2', 'mkt_3', ''].map(marketShareOf)).toEqual([7, 2, 5, 1]);
});
