import { array, assert, integer, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { sharesToGive } from './decideShares.ts';

const counts = array(nat({ max: 8 }), { minLength: 1, maxLength: 6 });
const given = (held: readonly number[], index: number): number =>
  sharesToGive({ own: held[index] ?? 0, others: held.filter((_, other) => other !== index) });

/** One keeper after the other gives; each share goes to the one with the fewest, or to whichever asks first. */
function settle(held: readonly number[], takers: readonly number[]): readonly number[] {
  const now = [...held];
  const asked = [...takers];
  for (let round = 0; round < 64; round += 1) {
    const index = round % now.length;
    for (let left = given(now, index); left > 0; left -= 1) {
      now[index] = (now[index] ?? 0) - 1;
      const others = now.map((count, other) => ({ count, other })).filter(({ other }) => other !== index);
      const fewest = others.toSorted((left_, right) => left_.count - right.count)[0]?.other ?? 0;
      const first = asked.shift();
      const taker = first === undefined ? fewest : (others[first % others.length]?.other ?? fewest);
      now[taker] = (now[taker] ?? 0) + 1;
    }
  }
  return now;
}

test('a keeper alone, and one that has no more than one more than another, gives nothing', () => {
  expect(sharesToGive({ own: 8, others: [] })).toBe(0);
  assert(
    property(nat({ max: 8 }), integer({ min: -1, max: 1 }), (other, more) => {
      expect(sharesToGive({ own: other + more, others: [other] })).toBe(0);
    }),
  );
});

test('who gives stays at least as full as the one with the fewest, so that nothing is given to and fro', () => {
  assert(
    property(counts, (held) => {
      for (const index of held.keys()) {
        const count = given(held, index);
        const fewest = Math.min(...held);
        expect((held[index] ?? 0) - count).toBeGreaterThanOrEqual(fewest + count);
        expect(count === 0 || held[index] === Math.max(...held)).toBe(true);
      }
    }),
  );
});

test('whichever keeper takes what is given, all end within one of each other, with as many shares as before', () => {
  assert(
    property(counts, array(nat({ max: 4 }), { maxLength: 6 }), (held, takers) => {
      const settled = settle(held, takers);
      const sum = (all: readonly number[]): number => all.reduce((left, right) => left + right, 0);
      expect(sum(settled)).toBe(sum(held));
      expect(Math.max(...settled) - Math.min(...settled)).toBeLessThanOrEqual(1);
      expect(settled.map((_, index) => given(settled, index))).toEqual(settled.map(() => 0));
    }),
  );
});
