import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

const wanted = (): boolean => true;
const fail = (): Promise<string> => Promise.reject(new Error('there is no such work'));

/** Work that ends when a test says so, and a list of what has begun. */
function workOf(begun: string[]) {
  return (name: string) => {
    const ending = Promise.withResolvers<string>();
    const work = (): Promise<string> => {
      begun.push(name);
      return ending.promise;
    };
    return { work, end: () => ending.resolve(name) };
  };
}

test('so many at a time, the others in the order in which they came', async () => {
  const begun: string[] = [];
  const turnstile = new Turnstile({ places: 2, maxWaiting: 10 });
  const works = ['a', 'b', 'c', 'd'].map(workOf(begun));
  const passes = works.map(({ work }) => turnstile.pass(work, wanted));
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  works[1]?.end();
  await passes[1];
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  for (const { end } of works) end();
  expect(await Promise.all(passes)).toEqual(['a', 'b', 'c', 'd']);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('who has gone does nothing when let in, and those behind go on', async () => {
  const begun: string[] = [];
  const turnstile = new Turnstile({ places: 1, maxWaiting: 10 });
  const [first, gone, last] = ['first', 'gone', 'last'].map(workOf(begun));
  if (first === undefined || gone === undefined || last === undefined) throw new Error('there are three');
  let isGone = false;
  const passes = [
    turnstile.pass(first.work, wanted),
    turnstile.pass(gone.work, () => !isGone),
    turnstile.pass(last.work, wanted),
  ];
  isGone = true;
  first.end();
  last.end();
  expect(await Promise.all(passes)).toEqual(['first', null, 'last']);
  expect(begun).toEqual(['first', 'last']);
});

test('no more wait than may; who has gone makes room for who comes', async () => {
  const begun: string[] = [];
  const turnstile = new Turnstile({ places: 1, maxWaiting: 2 });
  const works = ['inside', 'one', 'two', 'three', 'four'].map(workOf(begun));
  for (const { end } of works.slice(1)) end();
  let isOneGone = false;
  const pass = (index: number): Promise<string | null> =>
    turnstile.pass(works[index]?.work ?? fail, () => index !== 1 || !isOneGone);
  const passes = [pass(0), pass(1), pass(2)];
  expect(await pass(3)).toBeNull();
  isOneGone = true;
  passes.push(pass(4));
  works[0]?.end();
  expect(await Promise.all(passes)).toEqual(['inside', null, 'two', 'four']);
  expect(begun).toEqual(['inside', 'two', 'four']);
});

test('work that fails leaves its place to the next', async () => {
  const turnstile = new Turnstile({ places: 1, maxWaiting: 1 });
  await expect(turnstile.pass(() => Promise.reject(new Error('away')), wanted)).rejects.toThrow('away');
  expect(await turnstile.pass(() => Promise.resolve('next'), wanted)).toBe('next');
});
