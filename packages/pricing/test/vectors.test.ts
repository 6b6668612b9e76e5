import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildVectors, vectorsText } from '../testing/vectors.ts';

test('the golden vectors are current (run `gen` after a change of a formula)', () => {
  expect(readFileSync(new URL('../testing/pricing.vectors.json', import.meta.url), 'utf8')).toBe(
    vectorsText(buildVectors()),
  );
});

test('every function has at least 100 vectors', () => {
  const vectors = buildVectors();
  expect(Object.keys(vectors).sort()).toEqual(['lifetimeFee', 'liquidation', 'originationFee', 'snap', 'venueFee']);
  for (const rows of Object.values(vectors)) expect(rows.length).toBeGreaterThanOrEqual(100);
});
