import { expect, test } from 'vitest';
import { databaseLook } from './operations.ts';

test('however many ask whether the database is there, it is checked once, and again a second later', async () => {
  const looks: PromiseWithResolvers<void>[] = [];
  const isThere = databaseLook({
    ping: () => {
      const look = Promise.withResolvers<void>();
      looks.push(look);
      return look.promise;
    },
  });
  const first = Array.from({ length: 100 }, isThere);
  expect(looks).toHaveLength(1);
  looks[0]?.resolve();
  expect(new Set(await Promise.all(first))).toEqual(new Set([true]));
  expect(await isThere()).toBe(true);
  expect(looks).toHaveLength(1);

  // The look after it takes longer than a second: who asks meanwhile waits for it and begins no other.
  await expect
    .poll(() => {
      void isThere();
      return looks.length;
    })
    .toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const second = Array.from({ length: 100 }, isThere);
  expect(looks).toHaveLength(2);
  looks[1]?.reject(new Error('the database is away'));
  expect(new Set(await Promise.all(second))).toEqual(new Set([false]));
  expect(await isThere()).toBe(false);
});
