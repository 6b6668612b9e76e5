import { pricePips, tokenUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleExecution } from '../../testing/sampleExecution.ts';
import { type CloseAttempt, closeRetryDelayMs, isCloseRetryDue } from './closeRetry.ts';

const config = sampleExecution;
const startMs = 1_800_000_000_000;

function attempt(changes: Partial<CloseAttempt> = {}): CloseAttempt {
  return {
    decidedAtMs: startMs,
    requestedTokenUnits: tokenUnits(100_000_000n),
    minPricePips: pricePips(4_000n),
    reachTokenUnits: tokenUnits(100_000_000n),
    ...changes,
  };
}

/** Attempts as early as they are due, at one request and one book. */
function attemptsUntil(endMs: number): readonly CloseAttempt[] {
  const orders: CloseAttempt[] = [];
  for (let decidedAtMs = startMs; decidedAtMs <= endMs; decidedAtMs += 1_000) {
    const next = attempt({ decidedAtMs });
    if (isCloseRetryDue(orders, next, config)) orders.push(next);
  }
  return orders;
}

test('the delay doubles from five seconds to five minutes', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9_999].map((count) => closeRetryDelayMs(count, config))).toEqual([
    5_000, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000,
  ]);
});

test('a close that never fills makes eight orders in the first quarter of an hour, then twelve an hour', () => {
  const hourMs = 3_600_000;
  expect(attemptsUntil(startMs + hourMs / 4).length).toBe(8);
  const orders = attemptsUntil(startMs + 3 * hourMs);
  expect(orders.filter(({ decidedAtMs }) => decidedAtMs > startMs + 2 * hourMs).length).toBe(12);
});

test('another request, another price, and a book that takes twice or half as much start again', () => {
  const orders = attemptsUntil(startMs + 3_600_000);
  const nextMs = (orders.at(-1)?.decidedAtMs ?? 0) + config.retryDelayMs;
  const isDue = (changes: Partial<CloseAttempt>) =>
    isCloseRetryDue(orders, attempt({ decidedAtMs: nextMs, ...changes }), config);
  expect(isDue({})).toBe(false);
  expect(isDue({ reachTokenUnits: tokenUnits(50_000_001n) })).toBe(false);
  expect(isDue({ reachTokenUnits: tokenUnits(199_999_999n) })).toBe(false);
  expect(isDue({ reachTokenUnits: tokenUnits(50_000_000n) })).toBe(true);
  expect(isDue({ reachTokenUnits: tokenUnits(200_000_000n) })).toBe(true);
  // A part that was sold leaves a smaller request.
  expect(isDue({ requestedTokenUnits: tokenUnits(99_000_000n) })).toBe(true);
  expect(isDue({ minPricePips: pricePips(3_999n) })).toBe(true);
  expect(isDue({ minPricePips: pricePips(3_999n), decidedAtMs: nextMs - 1 })).toBe(false);
});

test('law: an order is never due sooner than the shortest delay after the last, and always after the longest', () => {
  const attempts = fc.record({
    agoMs: fc.integer({ min: 0, max: 1_000_000 }),
    requested: fc.constantFrom(50_000_000n, 100_000_000n),
    sellable: fc.bigInt(5_000_000n, 400_000_000n),
  });
  fc.assert(
    fc.property(fc.array(attempts, { minLength: 1, maxLength: 12 }), attempts, (drawn, now) => {
      const orders = drawn
        .toSorted((left, right) => right.agoMs - left.agoMs)
        .map(({ agoMs, requested, sellable }) =>
          attempt({
            decidedAtMs: startMs - agoMs,
            requestedTokenUnits: tokenUnits(requested),
            reachTokenUnits: tokenUnits(sellable),
          }),
        );
      const next = attempt({
        requestedTokenUnits: tokenUnits(now.requested),
        reachTokenUnits: tokenUnits(now.sellable),
      });
      const sinceLastMs = startMs - (orders.at(-1)?.decidedAtMs ?? 0);
      const isDue = isCloseRetryDue(orders, next, config);
      expect(isDue && sinceLastMs < config.retryDelayMs).toBe(false);
      expect(!isDue && sinceLastMs >= config.maxCloseRetryDelayMs).toBe(false);
      // A longer history of the same is never due sooner.
      const isDueAfterMore = isCloseRetryDue([attempt({ decidedAtMs: 0 }), ...orders], next, config);
      expect(isDueAfterMore && !isDue).toBe(false);
    }),
  );
});

test('law: the last 32 orders decide as all of them do, whatever the delays are', () => {
  const steps = fc.record({
    before: fc.array(fc.constantFrom(50_000_000n, 100_000_000n), { maxLength: 5 }),
    alikeCount: fc.nat({ max: 60 }),
    retryDelayMs: fc.integer({ min: 1, max: 10_000 }),
    longerMs: fc.nat(),
    agoMs: fc.nat(),
  });
  fc.assert(
    fc.property(steps, ({ before, alikeCount, retryDelayMs, longerMs, agoMs }) => {
      const delays = { ...config, retryDelayMs, maxCloseRetryDelayMs: retryDelayMs + longerMs };
      const sizes = [...before, ...Array.from({ length: alikeCount }, () => 100_000_000n)];
      const decidedAtMs = startMs - agoMs;
      const orders = sizes.map((size) => attempt({ decidedAtMs, reachTokenUnits: tokenUnits(size) }));
      expect(isCloseRetryDue(orders.slice(-32), attempt(), delays)).toBe(isCloseRetryDue(orders, attempt(), delays));
    }),
  );
});
