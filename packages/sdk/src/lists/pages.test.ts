import { expect, test } from 'vitest';
import { type Page, Pages } from './pages.ts';

interface Item {
  readonly id: string;
}

const pagesOf = (pages: readonly unknown[]): Pages<Item> => {
  let index = 0;
  return new Pages<Item>({
    cursorOf: ({ id }) => id,
    read: async () => pages[Math.min(index++, pages.length - 1)] as Page<Item>,
  });
};

test.each<[string, unknown]>([
  ['null', null],
  ['a number', 7],
  ['an item without its ID', {}],
  ['a text', 'evt'],
])('a list: %s among its items, also the last → every other item is returned', async (_name, poison) => {
  const pages = [
    { data: [{ id: 'a' }, poison, { id: 'b' }, poison], has_more: true },
    { data: [poison, { id: 'c' }], has_more: false },
  ];
  expect(await Array.fromAsync(pagesOf(pages))).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
});

test.each([[], [null], [{}, 7]])(
  'a list: more follows a page that holds %j → a typed error, no silent end',
  async (...data) => {
    const pages = pagesOf([
      { data: [{ id: 'a' }], has_more: true },
      { data, has_more: true },
    ]);
    await expect(Array.fromAsync(pages)).rejects.toMatchObject({ code: 'network_failed' });
  },
);

test('a list: a page without items → a typed error; a cursor that does not advance → a typed error, no endless loop', async () => {
  for (const page of [null, [], {}, { data: 'none' }]) {
    await expect(Array.fromAsync(pagesOf([page]))).rejects.toMatchObject({ code: 'network_failed' });
  }
  const still = pagesOf([{ data: [{ id: 'a' }], has_more: true }]);
  await expect(Array.fromAsync(still)).rejects.toMatchObject({ code: 'network_failed' });
});
