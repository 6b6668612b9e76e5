import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockPace } from './blockPace.ts';

const startSeconds = 1_800_000_000;

/** Pace of a chain whose blocks come after these steps, each seen in its second, and the moment of the last one. */
function paceAfter(steps: readonly number[]) {
  const pace = new BlockPace();
  let seconds = 0;
  pace.observe({ blockNumber: 0n, timeSeconds: startSeconds }, 0);
  for (const [index, step] of steps.entries()) {
    seconds += step;
    pace.observe({ blockNumber: BigInt(index + 1), timeSeconds: startSeconds + seconds }, seconds * 1_000);
  }
  return { pace, seconds, nextAfter: (ms: number) => pace.nextSeconds(seconds * 1_000 + ms) };
}

test('pace: no block was seen → no next second', () => {
  expect(new BlockPace().nextSeconds(0)).toBe(null);
});

test('pace: a chain with regular blocks → the next block comes a step after the last one', () => {
  const property = fc.property(
    fc.integer({ min: 2, max: 30 }),
    fc.integer({ min: 2, max: 40 }),
    fc.integer({ min: 0, max: 29_999 }),
    (step, count, ms) => {
      const { pace, seconds, nextAfter } = paceAfter(Array.from({ length: count }, () => step));
      expect(pace.seconds).toBe(step);
      expect(nextAfter(ms % (step * 1_000))).toBe(startSeconds + seconds + step);
    },
  );
  fc.assert(property);
});

test('pace: the next block did not come → the one after it', () => {
  const { seconds, nextAfter } = paceAfter([2, 2, 2]);
  expect([1_999, 2_000, 4_100].map(nextAfter)).toEqual([2, 4, 6].map((after) => startSeconds + seconds + after));
});

test('pace: some blocks are missing, or were not seen → the same pace', () => {
  expect(paceAfter([12, 24, 12, 12, 36]).pace.seconds).toBe(12);
  const { pace, seconds } = paceAfter([2, 2, 2]);
  pace.observe({ blockNumber: 8n, timeSeconds: startSeconds + seconds + 10 }, 20_000);
  expect(pace.seconds).toBe(2);
});

test('pace: a chain that mines at once → the second of now', () => {
  for (const steps of [[], [1, 1, 1, 1], [15, 0, 15, 1], [7, 15, 3, 11], [2]]) {
    const { pace, seconds, nextAfter } = paceAfter(steps);
    expect([pace.seconds, nextAfter(0), nextAfter(3_900)]).toEqual([
      0,
      startSeconds + seconds,
      startSeconds + seconds + 3,
    ]);
  }
});

test('pace: a node that is behind answers for a while → the pace stays', () => {
  const { pace, seconds } = paceAfter([2, 2, 2, 2]);
  pace.observe({ blockNumber: 3n, timeSeconds: startSeconds + seconds - 2 }, seconds * 1_000 + 500);
  pace.observe({ blockNumber: 5n, timeSeconds: startSeconds + seconds + 2 }, seconds * 1_000 + 2_000);
  expect(pace.seconds).toBe(2);
});

test('pace: polls that leave out the time before a block is due → no block is noticed late, and few polls are made', () => {
  const lags = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 40, maxLength: 40 });
  const property = fc.property(fc.integer({ min: 2, max: 4 }), lags, fc.nat(5_000), (step, lagsMs, phaseMs) => {
    const pace = new BlockPace();
    const intervalMs = 300;
    const seenAtMs = new Map<number, number>();
    const appearsAtMs = (index: number): number => index * step * 1_000 + (lagsMs[index] ?? 0);
    let pollCount = 0;
    for (let atMs = phaseMs; seenAtMs.size < 30; ) {
      const index = lagsMs.findLastIndex((_, block) => appearsAtMs(block) <= atMs);
      pace.observe({ blockNumber: BigInt(index), timeSeconds: startSeconds + index * step }, atMs);
      if (!seenAtMs.has(index)) seenAtMs.set(index, atMs);
      pollCount += seenAtMs.size > 15 ? 1 : 0;
      atMs += Math.max(intervalMs, pace.dueInMs(atMs));
    }
    // A lag of half a second is two polls more for a block at the most, and a third where the wait is bounded.
    expect(pollCount).toBeLessThanOrEqual(15 * 4 + (step > 2 ? 15 * 7 : 0));
    const delaysMs = [...seenAtMs].slice(1).map(([index, atMs]) => atMs - appearsAtMs(index));
    expect(Math.max(...delaysMs)).toBeLessThanOrEqual(500 + intervalMs);
  });
  fc.assert(property);
});

test('pace: blocks whose times are ahead of real time, as of a clock that is moved → every poll may bring one', () => {
  const pace = new BlockPace();
  for (let index = 0; index < 10; index += 1) {
    pace.observe({ blockNumber: BigInt(index), timeSeconds: startSeconds + index * 30 }, index * 20);
  }
  expect(pace.seconds).toBe(30);
  expect(pace.dueInMs(181)).toBe(0);
});
