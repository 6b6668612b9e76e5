import { readFileSync } from 'node:fs';
import { errorCodes, errorTable } from '@core/errors';
import { events } from '@core/wire';
import { beforeAll, describe, expect, test } from 'vitest';
import { conformanceLines, conformanceTable } from '../testing/specification/conformance.ts';
import { houseNames, houseRoutes, limitTests } from '../testing/specification/exceptions.ts';
import { interfaceNames, interfaceRoutes } from '../testing/specification/interfaceNames.ts';
import { promisedItems } from '../testing/specification/promises.ts';
import { ProvingTests } from '../testing/specification/provingTests.ts';
import { conformanceFile, itemsOfText, keptItems } from '../testing/specification/specification.ts';
import { type SpecifiedItem, specifiedItemsOf } from '../testing/specification/specifiedItems.ts';

const items = keptItems();
const namesOf = (kind: SpecifiedItem['kind']): ReadonlySet<string> =>
  new Set(items.filter((item) => item.kind === kind).map(({ name }) => name));
const identifiers = namesOf('identifier');
const families = [...identifiers].filter((name) => name.includes('*')).map((name) => name.split('*'));
const isOfFamily = (name: string): boolean =>
  families.some(([start = '', end = '']) => name.startsWith(start) && name.endsWith(end));
const house = new Set([...Object.values(houseNames).flat(), ...Object.keys(events)]);
let tests: ProvingTests;
beforeAll(() => {
  tests = new ProvingTests();
});

test('the kept names are those of the text, where the text is at hand (see writeConformance.ts)', () => {
  expect(items).toEqual(itemsOfText() ?? items);
  expect(items.length).toBeGreaterThan(700);
});

describe('what the specification names is in the interface', () => {
  const clauses = Map.groupBy(items, ({ clause }) => clause);
  test.each([...clauses.keys()])('%s', (clause) => {
    const [names, routes] = [interfaceNames(), interfaceRoutes()];
    const isThere = ({ kind, name }: SpecifiedItem): boolean => {
      if (kind === 'route') return routes.has(name);
      if (kind === 'limit') return Object.hasOwn(limitTests, name);
      const [start = '', end = ''] = name.split('*');
      return (
        names.has(name) ||
        (name.includes('*') && [...names].some((each) => each.startsWith(start) && each.endsWith(end)))
      );
    };
    expect(clauses.get(clause)?.filter((item) => !isThere(item))).toEqual([]);
  });
});

describe('what the interface has is in the specification, or is a choice of the house', () => {
  test('routes', () => {
    expect(new Set(interfaceRoutes())).toEqual(new Set([...namesOf('route'), ...houseRoutes]));
  });

  test('fields, params, codes, values and headers', () => {
    const unnamed = [...interfaceNames()].filter(
      (name) => !identifiers.has(name) && !isOfFamily(name) && !house.has(name),
    );
    expect(unnamed).toEqual([]);
  });

  test('codes with each of their params', () => {
    const codes = errorCodes.filter((code) => !house.has(code));
    expect(codes.filter((code) => !identifiers.has(code))).toEqual([]);
    const params = codes.flatMap((code) => Object.keys(errorTable[code].params));
    expect(params.filter((name) => !identifiers.has(name))).toEqual([]);
  });

  test('limits', () => {
    expect(new Set(Object.keys(limitTests))).toEqual(namesOf('limit'));
  });

  test('no choice of the house is needless', () => {
    const names = interfaceNames();
    const needless = Object.values(houseNames)
      .flat()
      .filter((name) => identifiers.has(name) || !names.has(name));
    expect(needless).toEqual([]);
  });
});

describe('every clause is held by tests', () => {
  const allItems = [...items, ...promisedItems];

  test('each thing it names', () => {
    expect(allItems.filter((item) => tests.fileOf(item) === null)).toEqual([]);
  });

  test('docs/conformance.md names for each of them a test that does (run `pnpm gen` when this fails)', () => {
    const lines = conformanceLines(readFileSync(conformanceFile, 'utf8'));
    const keyOf = ({ clause, name }: { clause: string; name: string }): string =>
      `${clause}: ${name.replaceAll('`', '')}`;
    expect(new Set(lines.map(keyOf))).toEqual(new Set(allItems.map(keyOf)));
    const untrue = lines.filter((line) => {
      const same = allItems.filter((item) => keyOf(item) === keyOf(line));
      return !same.some((item) => tests.holds(line.file, item));
    });
    expect(untrue).toEqual([]);
    expect(conformanceLines(conformanceTable(allItems, tests))).toHaveLength(allItems.length);
  });
});

test('the reader finds what a text names, and nothing else', () => {
  const text = [
    '## One',
    'Fields: `notional_usd_pips` / `_usd` / `_usdc_units`, `max_{yes,no}_bps`, `x_fee_*` and `entry.leverage_bps`.',
    '| POST | /quotes and /offers | both |',
    '## Limits',
    '| Limit | Value | Applies to |',
    '|---|---|---|',
    '| Page size | 1 to 100 | lists |',
  ].join('\n');
  expect(specifiedItemsOf(text).map(({ clause, kind, name }) => `${clause} ${kind} ${name}`)).toEqual([
    'One identifier notional_usd_pips',
    'One identifier notional_usd',
    'One identifier notional_usdc_units',
    'One identifier max_yes_bps',
    'One identifier max_no_bps',
    'One identifier x_fee_*',
    'One identifier entry',
    'One identifier leverage_bps',
    'One route POST /quotes',
    'One route POST /offers',
    'Limits limit Page size',
  ]);
});
