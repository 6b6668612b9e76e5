import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BidDoubts } from './bidDoubts.ts';

const longestMs = 65_000;
const marketId = '0x1';

/** A sale that failed, one that took something, or neither, after some time. */
const stepsOf = fc.array(
  fc.record({ kind: fc.constantFrom('record', 'forget', 'none'), afterMs: fc.integer({ min: 0, max: 90_000 }) }),
  { maxLength: 30 },
);

test('doubts: whatever happened, a doubt ends by itself, without a sale', () => {
  fc.assert(
    fc.property(stepsOf, (steps) => {
      let nowMs = 0;
      const doubts = new BidDoubts(() => nowMs);
      for (const { kind, afterMs } of steps) {
        nowMs += afterMs;
        if (kind === 'record') doubts.record(marketId);
        if (kind === 'forget') doubts.forget(marketId);
        expect(doubts.has(marketId)).toBe(doubts.count === 1);
      }
      nowMs += longestMs;
      expect([doubts.has(marketId), doubts.isPaused(marketId), doubts.count]).toEqual([false, false, 0]);
    }),
  );
});

test('doubts: a sale is tried each second and fails → no moment without a doubt, and fewer than two tries a minute', () => {
  let nowMs = 0;
  const doubts = new BidDoubts(() => nowMs);
  doubts.record(marketId);
  let tryCount = 0;
  for (; nowMs < 3_600_000; nowMs += 1_000) {
    expect(doubts.has(marketId)).toBe(true);
    if (doubts.isPaused(marketId)) continue;
    tryCount += 1;
    doubts.record(marketId);
  }
  expect(tryCount).toBeLessThan(120);
});
