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
    fc.property(steps, tokens, prices, (operations, tokenId, mark) => {
      const index = new DebtIndex();
      const byKey = new Map<string, DueEntry>();
      for (const step of operations) {
        if (step.kind === 'put') {
          index.put(step);
          byKey.set(step.positionKey, step);
        } else {
          index.remove(step.positionKey);
          byKey.delete(step.positionKey);
        }
      }
      const entries = [...byKey.values()].filter((entry) => entry.tokenId === tokenId);
      const due = entries.filter(({ dueAtOrBelow }) => dueAtOrBelow >= mark);
      const dueKeys = index.dueAt(tokenId, mark);
      expect(dueKeys.toSorted()).toEqual(due.map(({ positionKey }) => positionKey).toSorted());
      const priceOf = (key: string) => byKey.get(key)?.dueAtOrBelow ?? 0n;
      for (const [rank, key] of dueKeys.entries()) {
        expect(priceOf(key)).toBeGreaterThanOrEqual(priceOf(dueKeys[rank + 1] ?? key));
      }
      expect(index.size).toBe(byKey.size);
      expect(index.hasToken(tokenId)).toBe(entries.length > 0);
    }),
    { numRuns: 1_000 },
  );
});
