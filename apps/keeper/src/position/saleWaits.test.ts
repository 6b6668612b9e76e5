import { expect, test } from 'vitest';
import { SaleWaits } from './saleWaits.ts';

const restMs = 5_000;

test('a sale rests after a look that found nothing, and a reason is said once until it changes', () => {
  const waits = new SaleWaits();
  expect(waits.isResting('close', 'a', { nowMs: 0, restMs })).toBe(false);
  expect(waits.note('close', 'a', { reason: 'sale_below_debt', seenAtMs: 0 })).toBe(true);
  expect(waits.isResting('close', 'a', { nowMs: 4_999, restMs })).toBe(true);
  expect(waits.isResting('close', 'b', { nowMs: 4_999, restMs })).toBe(false);
  expect(waits.isResting('close', 'a', { nowMs: 5_000, restMs })).toBe(false);
  expect(waits.note('close', 'a', { reason: 'sale_below_debt', seenAtMs: 5_000 })).toBe(false);
  expect(waits.note('close', 'a', { reason: 'book_too_thin', seenAtMs: 10_000 })).toBe(true);
  // What a position waits for one thing says nothing about another.
  expect(waits.isResting('liquidate', 'a', { nowMs: 10_001, restMs })).toBe(false);
  waits.forget('close', 'a');
  expect(waits.isResting('close', 'a', { nowMs: 10_001, restMs })).toBe(false);
  expect(waits.note('close', 'a', { reason: 'book_too_thin', seenAtMs: 10_001 })).toBe(true);
});

test('a wait nobody comes back to is forgotten', () => {
  const waits = new SaleWaits();
  waits.note('close', 'a', { reason: 'book_too_thin', seenAtMs: 0 });
  waits.note('close', 'b', { reason: 'book_too_thin', seenAtMs: 600_001 });
  expect(waits.isResting('close', 'a', { nowMs: 1, restMs })).toBe(false);
  expect(waits.isResting('close', 'b', { nowMs: 600_002, restMs })).toBe(true);
});
