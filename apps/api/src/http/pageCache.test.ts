import { expect, test } from 'vitest';
import { PageCache, pageBytesOf } from './pageCache.ts';

const hour = 3_600_000;
const pageOf = (length: number) => async () => pageBytesOf('x'.repeat(length));

test('concurrent callers of a page share its build; a failure is not cached', async () => {
  const pages = new PageCache(hour);
  const [first, second] = await Promise.all([pages.get('a', pageOf(10)), pages.get('a', pageOf(10))]);
  expect(first).toBe(second);
  await expect(pages.get('b', () => Promise.reject(new Error('no page')))).rejects.toThrow('no page');
  expect((await pages.get('b', pageOf(10))).bytes).toHaveLength(10);
});

test('pages stay within the capacity; the oldest are evicted', async () => {
  const pages = new PageCache(hour, 1_000_000);
  const rememberedOf = async (names: readonly string[]) => {
    const remembered: string[] = [];
    for (const name of names) {
      const page = await pages.get(name, pageOf(1));
      if (page.bytes.length > 1) remembered.push(name);
    }
    return remembered;
  };
  const large = Array.from({ length: 20 }, (_, number) => `large ${number}`);
  for (const name of large) await pages.get(name, pageOf(300_000));
  expect(await rememberedOf(large.slice(-3))).toEqual(large.slice(-3));
  expect(await rememberedOf(large.slice(0, -3))).toEqual([]);
  const small = Array.from({ length: 2_000 }, (_, number) => `small ${number}`);
  for (const name of small) await pages.get(name, pageOf(10));
  expect(await rememberedOf(small.slice(-500))).toHaveLength(500);
  expect((await rememberedOf(small.slice(0, -500))).length).toBeLessThan(1_000);
});

test('callers wait for a page that is being built, whatever its age', async () => {
  const pages = new PageCache(0);
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof pageBytesOf>>();
  const waiting = [pages.get('a', () => promise), pages.get('a', pageOf(1))];
  resolve(pageBytesOf('slow'));
  const [first, second] = await Promise.all(waiting);
  expect(second).toBe(first);
  expect((await pages.get('a', pageOf(1))).bytes).toHaveLength(1);
});
