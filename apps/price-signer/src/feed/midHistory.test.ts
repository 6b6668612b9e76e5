import { pricePips } from '@core/pricing';
import { expect, test } from 'vitest';
import { MidHistory } from './midHistory.ts';

test('returns the youngest observation of the minimum age', () => {
  const mids = new MidHistory(30_000);
  const query = { nowMs: 10_000, minAgeMs: 2_000 };
  expect(mids.observationBefore('1', query)).toBeNull();
  mids.record('1', pricePips(3_000n), 5_000);
  mids.record('1', pricePips(2_900n), 8_000);
  mids.record('1', pricePips(2_800n), 8_001);
  expect(mids.observationBefore('1', query)).toEqual({ pricePips: 2_900n, ageMs: 2_000 });
  expect(mids.observationBefore('2', query)).toBeNull();
  expect(mids.observationBefore('1', { nowMs: 6_000, minAgeMs: 2_000 })).toBeNull();
});

test('a lost side removes earlier observations', () => {
  const mids = new MidHistory(30_000);
  mids.record('1', pricePips(3_000n), 5_000);
  mids.forget('1');
  expect(mids.observationBefore('1', { nowMs: 10_000, minAgeMs: 2_000 })).toBeNull();
});

test('removes observations older than the span, and the last one only then', () => {
  const mids = new MidHistory(30_000);
  for (let atMs = 0; atMs <= 60_000; atMs += 1_000) mids.record('1', pricePips(BigInt(atMs)), atMs);
  expect(mids.observationBefore('1', { nowMs: 60_000, minAgeMs: 30_000 })).toEqual({
    pricePips: 30_000n,
    ageMs: 30_000,
  });
  expect(mids.observationBefore('1', { nowMs: 60_000, minAgeMs: 30_001 })).toBeNull();
});
