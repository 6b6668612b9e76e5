import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IsolatedItems } from './isolatedItems.ts';
import { createKeeperMetrics } from './keeperMetrics.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const itemsOf = (atOnce = 2) => {
  const metrics = createKeeperMetrics();
  return { metrics, items: new IsolatedItems({ name: 'sample', atOnce, logger: pino({ level: 'silent' }), metrics }) };
};
const keyOf = (key: string): string => key;
const keys = ['a', 'b', 'c', 'd'];

test('serve: every one of several items fails → the round fails with all of them', async () => {
  const { items } = itemsOf();
  const failing = items.serve(keys, keyOf, () => Promise.reject(new Error('away')));
  await expect(failing).rejects.toThrow('sample: all 4 items failed');
  expect(items.waiting.length).toBe(4);
});

test('serve: the only item fails → the round does not, and the item waits', async () => {
  const { items, metrics } = itemsOf();
  await items.serve(['a'], keyOf, () => Promise.reject(new Error('poison')));
  expect(items.waiting).toEqual(['a']);
  expect((await metrics.itemFailures.get()).values).toMatchObject([
    { labels: { name: 'sample', kind: 'bug' }, value: 1 },
  ]);
});

test('serve: an item has no work yet → it waits and is not a failure', async () => {
  const { items, metrics } = itemsOf();
  await items.serve(['a', 'b'], keyOf, (key) => Promise.resolve(key === 'b'));
  expect(items.waiting).toEqual(['a']);
  expect((await metrics.itemFailures.get()).values).toEqual([]);
});

test('serve: many items hang → the rounds fail until they end', async () => {
  const { items } = itemsOf(16);
  const many = Array.from({ length: 16 }, (_, index) => `key ${index}`);
  const round = items.serve(many, keyOf, () => new Promise<boolean>(() => undefined));
  const failure = round.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await failure).toMatchObject({ message: 'sample: 16 items are in progress and none ends' });
  await vi.advanceTimersByTimeAsync(55_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await items.serve(many, keyOf, () => Promise.resolve(true));
  expect(items.waiting).toEqual([]);
});

test('read: a transient failure is that of the round, any other that of the item', async () => {
  const { items } = itemsOf();
  const away = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  await expect(items.read('a', () => Promise.reject(away))).rejects.toBe(away);
  expect(await items.read('a', () => Promise.reject(new Error('rubbish')))).toBeNull();
  expect(items.attempt('b', () => JSON.parse('rubbish'))).toBe(false);
  expect(items.waiting).toEqual(['a', 'b']);
});
