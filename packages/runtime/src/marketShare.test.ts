import { expect, test } from 'vitest';
import {
  defaultMarketShareCount,
  isOverlapping,
  marketHashOf,
  marketShareCounts,
  marketShareName,
  marketShareOf,
  marketSharesOf,
} from './marketShare.ts';

/** IDs as the store makes them: alike but for a few characters. */
const ids = Array.from({ length: 8_000 }, (_, index) => `mkt_01JD${(index * 977).toString(32).padStart(18, '0')}`);

test.each([8, defaultMarketShareCount])('markets fall into all %i shares alike', (shareCount) => {
  const counts = marketSharesOf(shareCount).map(
    ({ share }) => ids.filter((id) => marketShareOf(id, shareCount).share === share).length,
  );
  expect(counts.reduce((sum, count) => sum + count)).toBe(ids.length);
  expect(counts).toHaveLength(shareCount);
  const mean = ids.length / shareCount;
  // Five standard deviations of a fair draw.
  const bound = 5 * Math.sqrt(mean * (1 - 1 / shareCount));
  expect(Math.max(...counts.map((count) => Math.abs(count - mean)))).toBeLessThan(bound);
});

test('a market keeps its hash in every version of the program', () => {
  expect(['mkt_1', 'mkt_2', 'mkt_3', ''].map((id) => marketHashOf(id) % 8)).toEqual([7, 2, 5, 1]);
});

test('counts are the powers of two from 1 to 1,024', () => {
  expect(marketShareCounts).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]);
  expect(marketShareCounts).toContain(defaultMarketShareCount);
});

test('two shares of any counts overlap exactly when some market belongs to both', () => {
  const counts = [1, 2, 8, 16];
  const shares = counts.flatMap(marketSharesOf);
  // One market for each share of the finest count.
  const hashes = marketSharesOf(16).map(({ share }) => share);
  for (const one of shares) {
    for (const other of shares) {
      const isShared = hashes.some(
        (hash) => hash % one.shareCount === one.share && hash % other.shareCount === other.share,
      );
      expect([marketShareName(one), marketShareName(other), isOverlapping(one, other)]).toEqual([
        marketShareName(one),
        marketShareName(other),
        isShared,
      ]);
    }
  }
});
