import { Purpose } from '@core/vault';
import { expect, test } from 'vitest';
import { fillRowOf } from './fillRows.ts';

test('a fall that leads to no grant → an unwind that was never filled, in the markets of its kind and of all', () => {
  const markets = new Map([
    ['0xaa', 'crypto'],
    ['0xbb', 'in-play'],
  ] as const);
  const sold = { key: '0xbb', purpose: Purpose.Unwind, dueAt: 10, grants: 1, filledAt: 16 } as const;
  const demands = [
    { market: 'crypto', step: 'unwind', key: '0xaa' },
    { market: 'in-play', step: 'unwind', key: '0xbb' },
  ] as const;
  const rowOf = (market: 'crypto' | 'in-play' | 'all') =>
    fillRowOf({ tries: [sold], markets, asked: demands }, { market, step: 'unwind' });
  expect(rowOf('crypto')).toMatchObject({ due: 1, first: 0, never: 1, p50: null });
  expect(rowOf('in-play')).toMatchObject({ due: 1, first: 1, never: 0, p50: 6 });
  expect(rowOf('all')).toMatchObject({ due: 2, first: 1, never: 1, p95: 6 });
});
