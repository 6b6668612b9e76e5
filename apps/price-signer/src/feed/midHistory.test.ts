import { pricePips } from '@core/pricing';
import { expect, test } from 'vitest';
import { MidHistory } from './midHistory.ts';

test('the youngest observation that is old enough', () => {
  const mids = new MidHistory(30_000);
  const asked = { nowMs: 10_000, minAgeMs: 2_000 };
  expect(mids.observationBefore('1', asked)).toBeNull();
  mids.record('1', pricePips(3_000n), 5_000);
  mids.record('1', pricePips(2_900n), 8_000);
  mids.record('1', pricePips(2_800n), 8_001);
  expect(mids.observationBefore('1', asked)).toEqual({ pricePips: 2_900n, ageMs: 2_000 });
  expect(mids.observationBefore('2', asked)).toBeNull();
  expect(mids.observationBefore('1', { nowMs: 6_000, minAgeMs: 2_000 })).toBeNull();
});

test('a lost side proves nothing any more', () => {
  const mids = new MidHistory(30_000);
  mids.record('1', pricePips(3_000n), 5_000);
  mids.forget('1');
  expect(mids.observationBefore('1', { nowMs: 10_000, minAgeMs: 2_000 })).toBeNull();
});

test('observations older than the span are dropped, the last one stays until it is', () => {
  const mids = new MidHistory(30_000);
  for (let atMs = 0; atMs <= 60_000; atMs += 1_000) mids.record('1', pricePips(BigInt(atMs)), atMs);
  expect(mids.observationBefore('1', { nowMs: 60_000, minAgeMs: 30_000 })).toEqual({
    pricePips: 30_000n,
    ageMs: 30_000,
  });
  expect(mids.observationBefore('1', { nowMs: 60_000, minAgeMs: 30_001 })).toBeNull();
});
