import { expect, test } from 'vitest';
import { Wake } from './wake.ts';

test('wake: a call invokes the listener, even if it precedes it, and its subjects are returned once', () => {
  const wake = new Wake();
  let count = 0;
  const listener = (): void => {
    count += 1;
  };
  wake.call(['a', 'b', 'a']);
  wake.listen(listener);
  expect(count).toBe(1);
  expect(wake.take()).toEqual(['a', 'b']);
  expect(wake.take()).toEqual([]);
  wake.call([]);
  expect(count).toBe(1);
  wake.call(['c']);
  expect(count).toBe(2);
  wake.listen(null);
  wake.call(['d']);
  expect(count).toBe(2);
  expect(wake.take()).toEqual(['c', 'd']);
});
