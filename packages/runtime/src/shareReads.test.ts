import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareReads } from './shareReads.ts';

/** Reads that end when the test says so, in the order in which they began. */
function heldReads() {
  const begun: { readonly key: string; readonly end: PromiseWithResolvers<number> }[] = [];
  const read = shareReads((key) => {
    const end = Promise.withResolvers<number>();
    begun.push({ key, end });
    return end.promise;
  });
  return { read, begun };
}

test('callers during a read share the next one', async () => {
  const { read, begun } = heldReads();
  const first = read('a');
  const later = [read('a'), read('a'), read('a')];
  expect(begun).toHaveLength(1);
  begun[0]?.end.resolve(1);
  expect(await first).toBe(1);
  await settled();
  expect(begun).toHaveLength(2);
  // The second read has begun: who asks now waits for a third.
  const last = read('a');
  begun[1]?.end.resolve(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  await settled();
  begun[2]?.end.resolve(3);
  expect(await last).toBe(3);
  expect(begun).toHaveLength(3);
});

test('keys do not wait for each other', () => {
  const { read, begun } = heldReads();
  void read('a');
  void read('b');
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('a failing read fails no other', async () => {
  const { read, begun } = heldReads();
  const first = read('a');
  const second = read('a');
  begun[0]?.end.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await settled();
  begun[1]?.end.resolve(2);
  expect(await second).toBe(2);
  await settled();
  const third = read('a');
  expect(begun).toHaveLength(3);
  begun[2]?.end.resolve(3);
  expect(await third).toBe(3);
});
