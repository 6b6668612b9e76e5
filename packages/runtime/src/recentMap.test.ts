import { expect, test } from 'vitest';
import { RecentMap } from './recentMap.ts';

test('forgets what was set the longest ago, and a key that is set again is the newest', () => {
  const memory = new RecentMap<string, number>(2);
  memory.set('a', 1);
  memory.set('b', 2);
  memory.set('a', 3);
  memory.set('c', 4);
  expect([memory.get('a'), memory.has('b'), memory.get('c')]).toEqual([3, false, 4]);
  memory.delete('a');
  memory.set('d', 5);
  expect([memory.has('a'), memory.has('c'), memory.has('d')]).toEqual([false, true, true]);
});
