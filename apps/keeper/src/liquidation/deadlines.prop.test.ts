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

test('law: what is taken is exactly what has come, the earliest first, and once', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const deadlines = new Deadlines();
      const kept = new Map<string, number>();
      const takes: { readonly found: string[]; readonly due: string[]; readonly isInOrder: boolean }[] = [];
      for (const step of taken) {
        if (step.kind === 'set') {
          deadlines.set(step.key, step.atMs);
          kept.set(step.key, step.atMs);
        } else if (step.kind === 'remove') {
          deadlines.remove(step.key);
          kept.delete(step.key);
        } else {
          const due = [...kept].filter(([, atMs]) => atMs <= step.nowMs);
          const found = deadlines.takeDue(step.nowMs);
          const instants = found.map((key) => kept.get(key) ?? 0);
          takes.push({
            found: found.toSorted(),
            due: due.map(([key]) => key).toSorted(),
            isInOrder: instants.every((atMs, place) => atMs >= (instants[place - 1] ?? 0)),
          });
          for (const [key] of due) kept.delete(key);
        }
      }
      expect(takes.map(({ found, isInOrder }) => [found, isInOrder])).toEqual(takes.map(({ due }) => [due, true]));
    }),
    { numRuns: 1_000 },
  );
});
