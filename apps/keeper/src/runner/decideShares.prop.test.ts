import { isOverlapping, type MarketShare, marketShareCounts, marketSharesOf } from '@core/runtime';
import { array, assert, constantFrom, integer, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { sharesLacking, sharesToGive } from './decideShares.ts';

const counts = array(nat({ max: 8 }), { minLength: 1, maxLength: 6 });
const give = (held: readonly number[], index: number): number =>
  sharesToGive({ own: held[index] ?? 0, others: held.filter((_, other) => other !== index) });

/** One keeper after the other gives; each share goes to the one with the fewest, or to whichever asks first. */
function settle(held: readonly number[], takers: readonly number[]): readonly number[] {
  const now = [...held];
  const order = [...takers];
  for (let round = 0; round < 64; round += 1) {
    const index = round % now.length;
    for (let remaining = give(now, index); remaining > 0; remaining -= 1) {
      now[index] = (now[index] ?? 0) - 1;
      const others = now.map((count, other) => ({ count, other })).filter(({ other }) => other !== index);
      const fewest = others.toSorted((left_, right) => left_.count - right.count)[0]?.other ?? 0;
      const first = order.shift();
      const taker = first === undefined ? fewest : (others[first % others.length]?.other ?? fewest);
      now[taker] = (now[taker] ?? 0) + 1;
    }
  }
  return now;
}

test('shares to give: none for a single keeper, and for a surplus of at most one', () => {
  expect(sharesToGive({ own: 8, others: [] })).toBe(0);
  assert(
    property(nat({ max: 8 }), integer({ min: -1, max: 1 }), (other, more) => {
      expect(sharesToGive({ own: other + more, others: [other] })).toBe(0);
    }),
  );
});

test('shares to give: the giver keeps at least the minimum, so that no share returns', () => {
  assert(
    property(counts, (held) => {
      for (const index of held.keys()) {
        const count = give(held, index);
        const fewest = Math.min(...held);
        expect((held[index] ?? 0) - count).toBeGreaterThanOrEqual(fewest + count);
        expect(count === 0 || held[index] === Math.max(...held)).toBe(true);
      }
    }),
  );
});

test('shares to give: all keepers end within one of each other, whichever takes a share', () => {
  assert(
    property(counts, array(nat({ max: 4 }), { maxLength: 6 }), (held, takers) => {
      const balanced = settle(held, takers);
      const sum = (all: readonly number[]): number => all.reduce((left, right) => left + right, 0);
      expect(sum(balanced)).toBe(sum(held));
      expect(Math.max(...balanced) - Math.min(...balanced)).toBeLessThanOrEqual(1);
      expect(balanced.map((_, index) => give(balanced, index))).toEqual(balanced.map(() => 0));
    }),
  );
});

/** Shares of several counts of which no two overlap, as a keeper holds them while the count changes. */
const heldShares = array(constantFrom(...[1, 2, 8, 32].flatMap(marketSharesOf)), { maxLength: 12 }).map((shares) =>
  shares.reduce<readonly MarketShare[]>(
    (held, share) => (held.some((one) => isOverlapping(one, share)) ? held : [...held, share]),
    [],
  ),
);

test('shares lacking: none overlaps an own one, and every market is in one of either or waits for an own one', () => {
  assert(
    property(constantFrom(...marketShareCounts.slice(0, 7)), heldShares, (shareCount, own) => {
      const lacking = sharesLacking(shareCount, own);
      for (const share of lacking) expect(own.filter((one) => isOverlapping(one, share))).toEqual([]);
      const missing = marketSharesOf(shareCount).filter(
        (share) => ![...own, ...lacking].some((one) => isOverlapping(one, share)),
      );
      expect(missing).toEqual([]);
    }),
  );
});

test('shares lacking: a keeper that has left its shares of other counts lacks all that it does not hold', () => {
  assert(
    property(constantFrom(...marketShareCounts.slice(0, 7)), array(nat({ max: 63 })), (shareCount, numbers) => {
      const all = marketSharesOf(shareCount);
      const own = all.filter(({ share }) => numbers.includes(share));
      expect([...own, ...sharesLacking(shareCount, own)].toSorted((left, right) => left.share - right.share)).toEqual(
        all,
      );
    }),
  );
});
