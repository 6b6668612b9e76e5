import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { collectionIdOf, conditionIdOf, positionIdOf, tokenIdsOf } from './conditionalTokens.ts';

const collateralToken = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';

test('tokenIdsOf: returns the recorded tokens of a recorded condition', () => {
  const conditionId = '0x11ba5a5ab05573dee22a32b4c5bec06f035b8660eed912fb134e7215f46bf537';
  expect(tokenIdsOf({ collateralToken, conditionId })).toEqual([
    72690798903588392269001731007662425920353908498880709179939493847828858696064n,
    57726118860664877408225679006057036191805241206083874875095996065406561439567n,
  ]);
  const collectionId = collectionIdOf({ conditionId, indexSet: 1 });
  expect(positionIdOf({ collateralToken, collectionId })).toBe(tokenIdsOf({ collateralToken, conditionId })[0]);
});

test('conditionIdOf: hashes oracle, question and two outcomes', () => {
  expect(
    conditionIdOf({ oracle: '0x0000000000000000000000000000000000000001', questionId: `0x${'00'.repeat(32)}` }),
  ).toMatch(/^0x[0-9a-f]{64}$/);
});

const marketsFile = resolve(
  process.env['SHARED_DATA'] ?? new URL('../../../../../shared/data', import.meta.url).pathname,
  'venue/markets.json',
);

// The recorded markets are not part of this repository; without them the vector above is the only evidence.
test.runIf(existsSync(marketsFile))('recorded markets: exactly the plain ones derive their tokens', () => {
  const parsed = JSON.parse(readFileSync(marketsFile, 'utf8')) as unknown;
  const records = (Array.isArray(parsed) ? parsed : []) as readonly Record<string, unknown>[];
  let derivedCount = 0;
  for (const record of records) {
    const tokens = JSON.parse(String(record['clobTokenIds'])) as readonly string[];
    const derived = tokenIdsOf({ collateralToken, conditionId: record['conditionId'] as Hex }).map(String);
    // Tokens of neg-risk markets derive from a wrapped collateral, never from the plain one.
    expect(derived.join() === tokens.join()).toBe(record['negRisk'] !== true);
    derivedCount += 1;
  }
  expect(derivedCount).toBeGreaterThan(0);
});
