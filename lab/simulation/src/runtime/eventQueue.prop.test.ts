import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventQueue, type QueuedEvent } from './eventQueue.ts';

type Step =
  | { readonly kind: 'add'; readonly atUs: number }
  | { readonly kind: 'take' }
  | { readonly kind: 'cancel'; readonly index: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), atUs: fc.nat(5) }),
    fc.record({ kind: fc.constant('take' as const) }),
    fc.record({ kind: fc.constant('cancel' as const), index: fc.nat(40) }),
  ),
  { maxLength: 80 },
);

/** Return what a queue gives at each take, and what a sorted list would. */
function takesOf(plan: readonly Step[]): { readonly taken: unknown[]; readonly expected: unknown[] } {
  const queue = new EventQueue<QueuedEvent>();
  const model: QueuedEvent[] = [];
  const takes = { taken: [] as unknown[], expected: [] as unknown[] };
  for (const step of plan) {
    if (step.kind === 'add') {
      const event = { atUs: step.atUs, order: model.length, isWanted: true };
      model.push(event);
      queue.add(event);
    } else if (step.kind === 'cancel') {
      const event = model[step.index];
      if (event !== undefined) event.isWanted = false;
    } else {
      const [earliest] = model
        .filter(({ isWanted }) => isWanted)
        .toSorted((one, other) => one.atUs - other.atUs || one.order - other.order);
      takes.expected.push(earliest?.order, earliest?.order);
      takes.taken.push(queue.first()?.order, queue.take()?.order);
      if (earliest !== undefined) earliest.isWanted = false;
    }
  }
  return takes;
}

test('any additions, cancellations and takes → the earliest wanted event, equal instants as they were added', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const { taken, expected } = takesOf(plan);
      expect(taken).toEqual(expected);
    }),
  );
});
