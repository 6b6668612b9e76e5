import { type PricePips, pricePips, raw } from '@core/pricing';
import { expect, test } from 'vitest';
import { sampledOf } from './priceHistories.ts';

const pointOf = (index: number): { readonly atMs: number; readonly pricePips: PricePips } => ({
  atMs: index,
  pricePips: pricePips(BigInt(index)),
});

test('sampledOf: 1,001 points → 5 at even steps, the first and the last included', () => {
  const points = Array.from({ length: 1_001 }, (_, index) => pointOf(index));
  expect(sampledOf(points, 5).map((point) => Number(raw(point.pricePips)))).toEqual([0, 250, 500, 750, 1_000]);
  expect(sampledOf(points.slice(0, 5), 5)).toHaveLength(5);
});
