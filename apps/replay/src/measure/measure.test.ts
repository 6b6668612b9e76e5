import { describe, expect, test } from 'vitest';
import { intervalOf } from './bootstrap.ts';
import { figuresOf, offeredFiguresOf } from './figures.ts';
import type { LifeRecord } from './lifeRecord.ts';
import { partsOf, splits } from './results.ts';

const life = (changes: Partial<LifeRecord>): LifeRecord => ({
  phase: 'crypto',
  clusterId: 'a',
  className: 'BTC',
  entryPrice: 0.5,
  leftMinutes: 40,
  leverage: 3,
  borrowUsd: 50,
  originationUsd: 1,
  lossUsd: 0,
  paidUsd: 40,
  receivedUsd: 20,
  isLiquidated: false,
  isUnwound: true,
  isForcedOut: false,
  toTriggerMinutes: 4,
  isWinner: true,
  hadDebtAtResolution: false,
  saleCount: 1,
  failedCount: 0,
  saleGrantCount: 1,
  filledSaleGrantCount: 1,
  isLiquidatedInFinalHour: false,
  maximumDrawdown: 0.5,
  ...changes,
});

describe('figures', () => {
  test('express loss and net as shares of the borrow, with half of the origination fee', () => {
    const figures = figuresOf([
      life({}),
      life({ clusterId: 'b', lossUsd: 2, isWinner: false, toTriggerMinutes: null }),
    ]);
    expect(figures.lossPct.value).toBeCloseTo(2);
    expect(figures.netPct.value).toBeCloseTo(-1);
    expect(figures.netOnBorrowPct.value).toBeCloseTo(-1.3);
    expect(figures.dueWithin5MinutesShare).toBe(0.5);
    expect(figures.userMean).toBe(0.5);
    expect(figures.worstCluster).toEqual({ clusterId: 'b', lossUsd: 2, borrowUsd: 50 });
  });

  test('count refused sides as unlevered', () => {
    const candidates = [3, 1].map((leverage) => ({
      phase: 'crypto' as const,
      clusterId: 'a',
      leverage,
      grantCount: 1,
    }));
    const offered = offeredFiguresOf(candidates);
    expect(offered.averageLeverage.value).toBe(2);
    expect(offered.share.value).toBe(0.5);
  });

  test('intervalOf: draws clusters, has no width without any between them, and is reproducible', () => {
    const ratio = { clusterOf: (x: number) => String(x % 5), dividend: (x: number) => x, divisor: () => 1 };
    const items = Array.from({ length: 50 }, (_, index) => index);
    const interval = intervalOf(items, ratio);
    expect(interval.lower).toBeLessThan(interval.value);
    expect(interval.upper).toBeGreaterThan(interval.value);
    expect(intervalOf(items, ratio)).toEqual(interval);
    const one = intervalOf(items, { ...ratio, clusterOf: () => 'one' });
    expect(one.lower).toBe(one.upper);
  });

  test('partsOf: orders parts by their numbers, each life in one of them', () => {
    const lives = [0.95, 0.15, 0.45, 0.46].map((entryPrice) => life({ entryPrice }));
    const byPrice = splits.find(({ title }) => title === 'entry price') ?? splits[0];
    const parts = byPrice === undefined ? [] : partsOf(lives, byPrice);
    expect(parts.map(([name, { lifeCount }]) => [name, lifeCount])).toEqual([
      ['below 0.2', 1],
      ['0.4-0.5', 2],
      ['0.9 and more', 1],
    ]);
  });
});
