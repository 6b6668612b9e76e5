import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnOf, insertTextOf, selectListOf, valuesOf } from './columns.ts';
import { decodeDomainJson, encodeDomainJson } from './domainJson.ts';

test('columns keep units and drop the unit of instants', () => {
  expect(columnOf('collateralUsdcUnits')).toBe('collateral_usdc_units');
  expect(columnOf('createdAtMs')).toBe('created_at');
  expect(selectListOf(['id', 'closedAtMs'], 'position')).toBe(
    'position.id AS "id", position.closed_at AS "closedAtMs"',
  );
  expect(insertTextOf('drafts', ['id', 'seedPrefix'])).toBe('INSERT INTO drafts (id, seed_prefix) VALUES ($1, $2)');
});

test('parameters are dates for instants, JSON for objects and themselves for the rest', () => {
  const record = { aMs: 5, b: 7n, c: ['x'], d: { e: 1n }, f: null, g: false };
  expect(valuesOf(['aMs', 'b', 'c', 'd', 'f', 'g'], record)).toEqual([
    new Date(5),
    7n,
    ['x'],
    '{"e":{"$bigint":"1"}}',
    null,
    false,
  ]);
});

const anyLeaf = fc.oneof(fc.bigInt(), fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const anyValueOf = (leaf: fc.Arbitrary<unknown>) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value')),
      fc.dictionary(fc.oneof(fc.stringMatching(/^[a-z]+$/), fc.constant('a "name"')), tie('value')),
    ),
  })).value;

test('domain JSON round-trips, bigints included', () => {
  fc.assert(
    fc.property(anyValueOf(anyLeaf), (entry) => {
      expect(decodeDomainJson(encodeDomainJson(entry))).toEqual(entry);
    }),
  );
});

test('domain JSON is what a replacer would write', () => {
  const replacer = (_key: string, entry: unknown): unknown =>
    typeof entry === 'bigint' ? { $bigint: entry.toString() } : entry;
  const leaf = fc.oneof(anyLeaf, fc.double(), fc.constant(undefined), fc.date({ noInvalidDate: true }));
  fc.assert(
    fc.property(anyValueOf(leaf), (entry) => {
      expect(encodeDomainJson({ entry })).toBe(JSON.stringify({ entry }, replacer));
    }),
  );
});
