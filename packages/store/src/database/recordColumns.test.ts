import { readFileSync } from 'node:fs';
import { marketFields } from '@core/market';
import {
  type FieldTable,
  positionFields,
  positionLedgerFields,
  positionPartialCloseFields,
  positionTransactionFields,
  positionUnwindFields,
} from '@core/position';
import { expect, test } from 'vitest';
import { columnOf } from './columns.ts';

const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');

/** The columns of a model of the schema, each as one line with single spaces, comments and indexes left out. */
function modelOf(name: string): string[] {
  const body = new RegExp(`^model ${name} \\{\n([^}]*)\n\\}`, 'm').exec(schema)?.[1] ?? '';
  return body
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => /^[a-z]/.test(line));
}

const typeOfKind: Readonly<Record<string, string>> = {
  text: 'String',
  hex: 'String',
  oneOf: 'String',
  texts: 'String[]',
  hexes: 'String[]',
  flag: 'Boolean',
  integer: 'Int',
  instant: 'DateTime',
  json: 'Json',
  uint256: 'String',
  uint256s: 'String[]',
};

/** The same lines as a table of fields demands them, without `@id` and `@unique`. */
function columnsOf(table: FieldTable): string[] {
  return Object.entries(table).map(([field, { kind, isNullable }]) => {
    const name = kind === 'instant' ? field.replace(/Ms$/, '') : field;
    const column = columnOf(field);
    const parts = [name, `${typeOfKind[kind] ?? 'BigInt'}${isNullable ? '?' : ''}`];
    if (column !== name) parts.push(`@map("${column}")`);
    if (kind === 'instant') parts.push('@db.Timestamptz(3)');
    return parts.join(' ');
  });
}

const key = 'positionKey String @map("position_key")';
/** Columns by which the store itself finds what is due in a market. */
const dueColumns = [
  'settlingAfter String? @map("settling_after")',
  'unresolvedAt DateTime? @map("unresolved_at") @db.Timestamptz(3)',
];

test.each([
  { name: 'Market', expected: [...dueColumns, ...columnsOf(marketFields)] },
  { name: 'Position', expected: columnsOf(positionFields) },
  { name: 'PositionTransaction', expected: [key, ...columnsOf(positionTransactionFields)] },
  { name: 'PositionUnwind', expected: [key, ...columnsOf(positionUnwindFields)] },
  { name: 'PositionPartialClose', expected: [key, ...columnsOf(positionPartialCloseFields)] },
  { name: 'PositionLedgerRow', expected: [key, ...columnsOf(positionLedgerFields)] },
])('the schema of $name has exactly the fields of its table', ({ name, expected }) => {
  const lines = modelOf(name).map((line) => line.replaceAll(/ @(id|unique)\b| @default\(.*\)\)/g, ''));
  expect(lines.toSorted()).toEqual(expected.toSorted());
});

test('only the name of an instant ends in Ms', () => {
  const fields = [
    marketFields,
    positionFields,
    positionTransactionFields,
    positionUnwindFields,
    positionPartialCloseFields,
    positionLedgerFields,
  ];
  for (const [name, { kind }] of fields.flatMap((table) => Object.entries(table))) {
    expect([name, kind === 'instant']).toEqual([name, name.endsWith('Ms')]);
  }
});
