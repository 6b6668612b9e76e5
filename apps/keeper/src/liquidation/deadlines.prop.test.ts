import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Deadlines } from './deadlines.ts';

const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const moments = fc.integer({ min: 0, max: 20 });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key: keys, atMs: moments }),
    fc.record({ kind: fc.constant('remove' as const), key: keys }),
    fc.record({ kind: fc.constant('take' as const), nowMs: moments }),
  ),
  { maxLength: 60 },
);

test('law: the keys taken are exactly the due ones, the earliest first, and once', () => {
  fc.assert(
    fc.property(steps, (operations) => {
      const deadlines = new Deadlines();
      const pending = new Map<string, number>();
      const takes: { readonly dueKeys: string[]; readonly due: string[]; readonly isInOrder: boolean }[] = [];
      for (const step of operations) {
        if (step.kind === 'set') {
          deadlines.set(step.key, step.atMs);
          pending.set(step.key, step.atMs);
        } else if (step.kind === 'remove') {
          deadlines.remove(step.key);
          pending.delete(step.key);
        } else {
          const due = [...pending].filter(([, atMs]) => atMs <= step.nowMs);
          const dueKeys = deadlines.takeDue(step.nowMs);
          const instants = dueKeys.map((key) => pending.get(key) ?? 0);
          takes.push({
            dueKeys: dueKeys.toSorted(),
            due: due.map(([key]) => key).toSorted(),
            isInOrder: instants.every((atMs, index) => atMs >= (instants[index - 1] ?? 0)),
          });
          for (const [key] of due) pending.delete(key);
        }
      }
      expect(takes.map(({ dueKeys, isInOrder }) => [dueKeys, isInOrder])).toEqual(takes.map(({ due }) => [due, true]));
    }),
    { numRuns: 1_000 },
  );
});
