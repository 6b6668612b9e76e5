import { presentFillReport } from '@core/runtime';
import { expect, test } from 'vitest';
import { fillsFindingOf } from './fillsFinding.ts';

const openings = {
  category: 'crypto',
  kind: 'opening',
  windowMs: 600_000,
  filledCount: 2,
  unfilledCount: 1,
  lastFilledAtMs: 2,
  lastUnfilledAtMs: 1,
  hasFillers: true,
} as const;
const deadSales = { ...openings, kind: 'sale', filledCount: 0, unfilledCount: 4, hasFillers: false } as const;
const findingOf = (...reports: readonly Parameters<typeof presentFillReport>[0][]) => {
  const fills = reports.map(presentFillReport);
  return fillsFindingOf({ keepers: [{ fills }, { fills }] });
};

test('fills: shown by category and kind, once for all keepers, and a failure where none is filled', () => {
  const summary = 'crypto openings: 2 of 3 grants of the last 10 minutes were filled';
  expect(findingOf(openings)).toEqual({ ok: true, detail: summary });
  const failure = 'crypto sales: 0 of 4 grants of the last 10 minutes were filled';
  expect(findingOf(openings, deadSales)).toEqual({ ok: false, detail: failure });
});

test('fills: no grant, no keeper or another answer → nothing to complain about', () => {
  for (const body of [{ keepers: [{ fills: [] }] }, { keepers: [] }, { keepers: [{}] }, null]) {
    expect(fillsFindingOf(body)).toEqual({ ok: true, detail: 'no grant has ended lately' });
  }
});
