/** Slot of a time axis; without a value while nothing changed. */
export interface TimeSlot {
  /** Start of the slot, in whole seconds. */
  readonly time: number;
  readonly value?: number;
}

interface Sample {
  readonly seconds: number;
  readonly value: number;
}

/** Upper bound of slots: more than a chart has pixels on a phone, and one in two on a wide screen. */
const maxSlots = 1_000;
const [minute, hour, day] = [60, 3_600, 86_400];
const sixtieths = [1, 2, 5, 10, 15, 30];
/** Widths at which full minutes, hours and days begin a slot, in seconds. */
const widths = [
  ...sixtieths,
  ...sixtieths.map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hour),
  day,
];

/**
 * Return slots of equal width from the first sample to the last, so that an equal distance is an equal time. A slot has
 * the last value within it.
 * @param minSeconds lower bound of the width.
 */
export function timeSlotsOf(samples: readonly Sample[], minSeconds = 1): readonly TimeSlot[] {
  if (samples.length === 0) return [];
  const seconds = samples.map((sample) => sample.seconds);
  const [first, last] = [Math.min(...seconds), Math.max(...seconds)];
  const narrowest = Math.max(minSeconds, (last - first) / (maxSlots - 1));
  const width = widths.find((one) => one >= narrowest) ?? Math.ceil(narrowest / day) * day;
  const slotOf = (at: number): number => Math.floor(at / width);
  const sorted = samples.toSorted((a, b) => a.seconds - b.seconds);
  const values = new Map(sorted.map((sample) => [slotOf(sample.seconds), sample.value]));
  return Array.from({ length: slotOf(last) - slotOf(first) + 1 }, (_, index) => {
    const value = values.get(slotOf(first) + index);
    return { time: (slotOf(first) + index) * width, ...(value !== undefined && { value }) };
  });
}
