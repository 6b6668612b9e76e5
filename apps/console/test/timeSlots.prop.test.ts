import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeSlotsOf } from '../web/src/parts/timeSlots.ts';

const anySamples = fc
  .tuple(
    fc.integer({ min: 0, max: 2_000_000_000 }),
    fc.constantFrom(10, 3_600, 86_400, 604_800, 40_000_000, 400_000_000),
    fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), value: fc.integer() }), { minLength: 1 }),
  )
  .map(([first, span, parts]) =>
    parts.map(({ share, value }) => ({ seconds: Math.floor(first + share * span), value })),
  );

test('time axis: samples at any times → slots of equal width, each with the last value within it', () => {
  fc.assert(
    fc.property(anySamples, (samples) => {
      const slots = timeSlotsOf(samples);
      const [first, second] = slots;
      const width = first === undefined || second === undefined ? 1 : second.time - first.time;
      expect(slots.length).toBeLessThanOrEqual(1_001);
      for (const [index, slot] of slots.entries()) {
        expect(slot.time).toBe((first?.time ?? 0) + index * width);
        const within = samples.filter(({ seconds }) => seconds >= slot.time && seconds < slot.time + width);
        const latest = within.toSorted((a, b) => a.seconds - b.seconds).at(-1);
        // A width of one second is assumed for a single slot, which may be wider.
        expect(slots.length === 1 || slot.value === latest?.value).toBe(true);
      }
      expect(slots[0]?.value).toBeDefined();
      expect(slots.at(-1)?.value).toBeDefined();
    }),
  );
});

test('time axis: eight seconds of many prices after a quiet day → less than a hundredth of the width', () => {
  const burst = Array.from({ length: 8 }, (_, index) => ({ seconds: 86_400 + index, value: index }));
  const slots = timeSlotsOf([{ seconds: 0, value: 50 }, { seconds: 43_200, value: 51 }, ...burst]);
  const indices = slots.flatMap(({ value }, index) => (value === undefined ? [] : [index]));
  expect(indices[1]).toBe(Math.floor(slots.length / 2));
  expect(indices.filter((index) => index > slots.length * 0.99)).toHaveLength(1);
  expect(slots.at(-1)?.value).toBe(7);
});

test('time axis: a pause that is longer than the lower bound of the width → slots without a value', () => {
  const samples = [0, 6, 13, 19, 120, 126].map((seconds) => ({ seconds, value: seconds }));
  const gap = Array.from({ length: 6 }, () => undefined);
  expect(timeSlotsOf(samples, 15).map(({ value }) => value)).toEqual([13, 19, ...gap, 126]);
});

test('time axis: no sample → no slot', () => {
  expect(timeSlotsOf([])).toEqual([]);
});
