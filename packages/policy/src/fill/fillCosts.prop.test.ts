import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FilledGrant, measureFillCosts } from './fillCosts.ts';

/** A fill of tokens worth so many cents at a reference of 50 cents, whose price is so many basis points worse. */
const fillOf = (cents: number, worseBps: number, changes: Partial<FilledGrant> = {}): FilledGrant => {
  const kind = changes.kind ?? 'opening';
  const value = BigInt(cents) * 10_000n;
  const cost = (value * BigInt(worseBps)) / 10_000n;
  return {
    category: 'crypto',
    kind,
    referencePricePips: pricePips(5_000n),
    tokenUnits: tokenUnits(2n * value),
    usdcUnits: usdcUnits(kind === 'opening' ? value + cost : value - cost),
    ...changes,
  };
};
const anyKind = fc.constantFrom('opening', 'sale');
const anyBps = fc.integer({ min: -500, max: 2_000 });
const anyCents = fc.integer({ min: 500, max: 2_000_000 });

test('fill costs: between the best and the worst fill of the class, which is that of their size', () => {
  fc.assert(
    fc.property(anyKind, fc.array(fc.tuple(anyCents, anyBps), { minLength: 3, maxLength: 20 }), (kind, fills) => {
      const grants = fills.map(([cents, bps]) => fillOf(cents, bps, { kind }));
      const bps = fills.map(([, worse]) => worse);
      for (const cost of measureFillCosts(grants)) {
        expect(cost.costBps).toBeGreaterThanOrEqual(Math.min(...bps));
        expect(cost.costBps).toBeLessThanOrEqual(Math.max(...bps) + 1);
        const { minUsd, maxUsd } = cost;
        expect([0, 500, 5_000]).toContain(minUsd);
        const inClass = fills.filter(([cents]) => cents / 100 > minUsd && cents / 100 <= (maxUsd ?? 20_000));
        expect(cost.fillCount).toBe(inClass.length);
      }
    }),
  );
});

test('fill costs: a loss of a sale is a cost as that of an opening, and one of another kind or category is apart', () => {
  const three = (changes: Partial<FilledGrant>, bps: number) => [1, 2, 3].map(() => fillOf(10_000, bps, changes));
  const grants = [...three({}, 300), ...three({ kind: 'sale' }, -20), ...three({ category: 'sport' }, 700)];
  const crypto = { category: 'crypto', minUsd: 0, maxUsd: 500, fillCount: 3 };
  expect(measureFillCosts(grants)).toEqual([
    { ...crypto, kind: 'opening', costBps: 300 },
    { ...crypto, kind: 'sale', costBps: -20 },
    { ...crypto, kind: 'opening', category: 'sport', costBps: 700 },
  ]);
});

test('fill costs: fewer than three fills are no measurement', () => {
  expect(measureFillCosts([fillOf(100, 10), fillOf(100, 10), fillOf(900_000, 10)])).toEqual([]);
});
