import { hashOf } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

test('one transaction at a time projects a position; other positions do not wait', async () => {
  const { store } = testStore;
  const [first, second, third] = [hashOf(1), hashOf(2), hashOf(3)];
  const order: string[] = [];
  let letGo = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let tookBoth = (): void => undefined;
  const bothTaken = new Promise<void>((resolve) => {
    tookBoth = resolve;
  });
  const holder = store.transaction(async (unit) => {
    await unit.positions.lockProjections([second, first]);
    tookBoth();
    await isHeld;
    order.push('holder');
  });
  await bothTaken;
  const waiter = store.transaction(async (unit) => {
    await unit.positions.lockProjections([first]);
    order.push('waiter');
  });
  await store.transaction(async (unit) => {
    await unit.positions.lockProjections([third]);
    order.push('other');
  });
  letGo();
  await Promise.all([holder, waiter]);
  expect(order).toEqual(['other', 'holder', 'waiter']);
});
