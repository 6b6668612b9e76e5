import { expect, test } from 'vitest';
import { NonceWatch } from './nonceWatch.ts';

test('nonce age: nonces wait and the chain uses none → grows from the first observation', () => {
  const watch = new NonceWatch();
  watch.observe({ chainNonce: 86, nextNonce: 86 }, 0);
  expect(watch.ageMs(500)).toBe(0);
  for (let atMs = 1_000; atMs <= 61_000; atMs += 1_000) watch.observe({ chainNonce: 86, nextNonce: 93 }, atMs);
  expect(watch.ageMs(61_500)).toBe(60_500);
});

test('nonce age: the chain uses a nonce, or none waits → starts again', () => {
  const watch = new NonceWatch();
  watch.observe({ chainNonce: 86, nextNonce: 93 }, 0);
  watch.observe({ chainNonce: 87, nextNonce: 93 }, 5_000);
  expect(watch.ageMs(6_000)).toBe(1_000);
  watch.observe({ chainNonce: 93, nextNonce: 93 }, 7_000);
  expect(watch.ageMs(8_000)).toBe(0);
});

test('nonce age: no observation for a while → zero', () => {
  const watch = new NonceWatch();
  watch.observe({ chainNonce: 86, nextNonce: 93 }, 0);
  expect(watch.ageMs(9_000)).toBe(9_000);
  expect(watch.ageMs(10_000)).toBe(0);
});

test('refusal: a transaction waits that a node refused → known until one is mined', () => {
  const watch = new NonceWatch();
  watch.observe({ chainNonce: 86, nextNonce: 87 }, 0);
  watch.refuse('insufficient funds');
  expect(watch.refusal(500)).toBe('insufficient funds');
  watch.observe({ chainNonce: 86, nextNonce: 88 }, 1_000);
  expect(watch.refusal(1_500)).toBe('insufficient funds');
  watch.observe({ chainNonce: 87, nextNonce: 88 }, 2_000);
  expect(watch.refusal(2_500)).toBeNull();
});

test('refusal: nothing waits → none', () => {
  const watch = new NonceWatch();
  watch.observe({ chainNonce: 86, nextNonce: 86 }, 0);
  watch.refuse('insufficient funds');
  expect(watch.refusal(500)).toBeNull();
  watch.observe({ chainNonce: 86, nextNonce: 86 }, 1_000);
  watch.observe({ chainNonce: 86, nextNonce: 87 }, 2_000);
  expect(watch.refusal(2_500)).toBeNull();
});
