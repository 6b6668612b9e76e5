import { expect, test } from 'vitest';
import { Backoff } from './backoff.ts';

test('backoff: a pause doubles up to the maximum per subject, and is removed when it is long over', () => {
  const backoff = new Backoff({ firstMs: 1_000, longestMs: 4_000 });
  backoff.postpone('a', 0);
  backoff.postpone('b', 500);
  expect(backoff.waiting(999)).toEqual(['a', 'b']);
  expect(backoff.waiting(1_000)).toEqual(['b']);
  backoff.postpone('a', 1_000);
  expect([backoff.waiting(2_999), backoff.waiting(3_000)]).toEqual([['a'], []]);
  backoff.postpone('a', 3_000);
  backoff.postpone('a', 7_000);
  expect([backoff.waiting(10_999), backoff.waiting(11_000)]).toEqual([['a'], []]);
  expect(backoff.waiting(15_001)).toEqual([]);
  backoff.postpone('a', 15_001);
  expect(backoff.waiting(16_001)).toEqual([]);
  backoff.forget('a');
  backoff.postpone('a', 20_000);
  expect(backoff.waiting(20_999)).toEqual(['a']);
});
