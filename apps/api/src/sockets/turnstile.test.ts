import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

const isWanted = (): boolean => true;
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

test('runs a limited number at a time, the others in order of arrival', async () => {
  const begun: string[] = [];
  const turnstile = new Turnstile({ places: 2, maxWaiting: 10 });
  const works = ['a', 'b', 'c', 'd'].map(workOf(begun));
  const passes = works.map(({ work }) => turnstile.pass(work, isWanted));
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  works[1]?.end();
  await passes[1];
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  for (const { end } of works) end();
  expect(await Promise.all(passes)).toEqual(['a', 'b', 'c', 'd']);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a caller that left does no work, and those behind it continue', async () => {
  const begun: string[] = [];
  const turnstile = new Turnstile({ places: 1, maxWaiting: 10 });
  const [first, gone, last] = ['first', 'gone', 'last'].map(workOf(begun));
  if (first === undefined || gone === undefined || last === undefined) throw new Error('there are three');
  let isGone = false;
  const passes = [
    turnstile.pass(first.work, isWanted),
    turnstile.pass(gone.work, () => !isGone),
    turnstile.pass(last.work, isWanted),
  ];
  isGone = true;
  first.end();
  last.end();
  expect(await Promise.all(passes)).toEqual(['first', null, 'last']);
  expect(begun).toEqual(['first', 'last']);
});

test('limits the queue; a caller that left frees its position', async () => {
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

test('failed work frees its slot', async () => {
  const turnstile = new Turnstile({ places: 1, maxWaiting: 1 });
  await expect(turnstile.pass(() => Promise.reject(new Error('away')), isWanted)).rejects.toThrow('away');
  expect(await turnstile.pass(() => Promise.resolve('next'), isWanted)).toBe('next');
});
