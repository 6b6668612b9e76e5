import { expect, test } from 'vitest';
import { HeadWatch } from './headWatch.ts';

const startMs = 1_800_000_000_000;

/** A watch that has seen a block of this moment, and what it says so many milliseconds later. */
function watchFrom(blockTimeMs: number, maxAgeMs = 20_000) {
  const watch = new HeadWatch(maxAgeMs);
  watch.observe(blockTimeMs, { nowMs: startMs, atMs: 0 });
  return (afterMs: number) => watch.state({ nowMs: startMs + afterMs, atMs: afterMs });
}

/** The first second at which it is not current any more. */
function endOf(stateAt: (afterMs: number) => { readonly isCurrent: boolean }): number | null {
  for (let seconds = 0; seconds <= 120; seconds += 1) if (!stateAt(seconds * 1_000).isCurrent) return seconds;
  return null;
}

test('head: no block was read → not current', () => {
  expect(new HeadWatch(20_000).state({ nowMs: startMs, atMs: 0 })).toEqual({
    headAgeMs: null,
    leadMs: 0,
    isCurrent: false,
  });
});

test('head: the last block stands still → not current once it is too old, with its age', () => {
  const stateAt = watchFrom(startMs);
  expect(endOf(stateAt)).toBe(24);
  expect(stateAt(120_000)).toEqual({ headAgeMs: 120_000, leadMs: 0, isCurrent: false });
});

test('head: it was too old when the process started → not current at once', () => {
  expect(endOf(watchFrom(startMs - 21_000))).toBe(0);
});

test('head: blocks of a clock ahead of the service → not current, with the lead', () => {
  const stateAt = watchFrom(startMs + 86_401_000);
  expect(stateAt(0)).toEqual({ headAgeMs: 0, leadMs: 86_401_000, isCurrent: false });
  expect(watchFrom(startMs + 5_000)(0).isCurrent).toBe(true);
});

test('head: blocks that come, each older than it may be → not current', () => {
  const watch = new HeadWatch(20_000);
  watch.observe(startMs, { nowMs: startMs, atMs: 0 });
  const lagging = (seconds: number) => {
    const instant = { nowMs: startMs + seconds * 1_000, atMs: seconds * 1_000 };
    watch.observe(instant.nowMs - 60_000, instant);
    return watch.state(instant);
  };
  expect([1, 2, 3, 4, 5].map((seconds) => lagging(seconds).isCurrent)).toEqual([true, true, true, false, false]);
});

test('head: the service clock is moved and the chain follows a moment later → current throughout', () => {
  const watch = new HeadWatch(20_000);
  watch.observe(startMs, { nowMs: startMs, atMs: 0 });
  const movedMs = startMs + 300_000;
  expect(watch.state({ nowMs: movedMs, atMs: 100 }).isCurrent).toBe(true);
  expect(watch.state({ nowMs: movedMs + 1_000, atMs: 1_100 }).isCurrent).toBe(true);
  watch.observe(movedMs + 2_000, { nowMs: movedMs + 2_000, atMs: 2_100 });
  expect(watch.state({ nowMs: movedMs + 4_000, atMs: 4_100 }).isCurrent).toBe(true);
  expect(watch.state({ nowMs: movedMs + 22_500, atMs: 22_600 }).isCurrent).toBe(true);
});
