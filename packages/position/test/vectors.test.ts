import { readFileSync } from 'node:fs';
import { vectorsText } from '@core/pricing/testing/vectors.ts';
import { expect, test } from 'vitest';
import { buildVectors } from '../testing/vectors.ts';

test('the golden vectors are current: run `gen` after changing a formula', () => {
  expect(readFileSync(new URL('../testing/position.vectors.json', import.meta.url), 'utf8')).toBe(
    vectorsText(buildVectors()),
  );
});

test('every function has vectors, of small and large amounts', () => {
  const vectors = buildVectors();
  expect(Object.keys(vectors).sort()).toEqual(['openingSplit', 'partialCloseShare', 'waterfall']);
  for (const rows of Object.values(vectors)) expect(rows.length).toBeGreaterThanOrEqual(100);
  for (const row of vectors['openingSplit'] ?? []) {
    const sum = ['poolRefundUsdcUnits', 'originationFeeKeptUsdcUnits', 'userRefundUsdcUnits']
      .map((key) => BigInt(row[key] ?? '-1'))
      .reduce((a, b) => a + b, 0n);
    expect(sum).toBe(BigInt(row['cashUsdcUnits'] ?? '-1'));
  }
});
