import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DebtIndex, type DueEntry } from './debtIndex.ts';

const keys = fc.integer({ min: 0, max: 12 }).map((n) => `0x${n}`);
const tokens = fc.constantFrom('1', '2', '3');
const prices = fc.bigInt(0n, 20n);
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('put' as const), positionKey: keys, tokenId: tokens, dueAtOrBelow: prices }),
    fc.record({ kind: fc.constant('remove' as const), positionKey: keys }),
  ),
  { maxLength: 60 },
);

test('law: the positions due at a mark are exactly those whose price it does not exceed', () => {
  fc.assert(
    fc.property(steps, tokens, prices, (taken, tokenId, mark) => {
      const index = new DebtIndex();
      const kept = new Map<string, DueEntry>();
      for (const step of taken) {
        if (step.kind === 'put') {
          index.put(step);
          kept.set(step.positionKey, step);
        } else {
          index.remove(step.positionKey);
          kept.delete(step.positionKey);
        }
      }
      const entries = [...kept.values()].filter((entry) => entry.tokenId === tokenId);
      const due = entries.filter(({ dueAtOrBelow }) => dueAtOrBelow >= mark);
      const found = index.dueAt(tokenId, mark);
      expect(found.toSorted()).toEqual(due.map(({ positionKey }) => positionKey).toSorted());
      const priceOf = (key: string) => kept.get(key)?.dueAtOrBelow ?? 0n;
      for (const [place, key] of found.entries()) {
        expect(priceOf(key)).toBeGreaterThanOrEqual(priceOf(found[place + 1] ?? key));
      }
      expect(index.size).toBe(kept.size);
      expect(index.holds(tokenId)).toBe(entries.length > 0);
    }),
    { numRuns: 1_000 },
  );
});
