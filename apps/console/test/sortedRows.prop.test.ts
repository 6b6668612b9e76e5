import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Order, orderAfterClick, sortedRowsOf } from '../web/src/parts/sortedRows.ts';

const columns = [
  {
    heading: 'Value',
    isNumber: true,
    cell: () => null,
    sortValueOf: ({ value }: { readonly value: number | null }): number => {
      if (value === null) throw new Error('no value');
      return value;
    },
  },
  { heading: 'Action', cell: () => null },
] as const;

test('rows: sorted by value in both directions, equal ones in their order, those without a value last', () => {
  const anyRows = fc.array(fc.record({ value: fc.option(fc.integer({ min: -3, max: 3 })) }));
  fc.assert(
    fc.property(anyRows, fc.boolean(), (values, isDescending) => {
      const rows = values.map(({ value }, place) => ({ value, place }));
      const sorted = sortedRowsOf(rows, columns, { heading: 'Value', isDescending });
      expect(sorted.toSorted((a, b) => a.place - b.place)).toEqual(rows);
      const rankOf = (value: number | null) => (value === null ? 9 : isDescending ? -value : value);
      for (const [index, row] of sorted.slice(1).entries()) {
        const before = sorted[index] ?? row;
        expect(rankOf(row.value)).toBeGreaterThanOrEqual(rankOf(before.value));
        expect(rankOf(row.value) > rankOf(before.value) || row.place > before.place).toBe(true);
      }
    }),
  );
});

test('rows: without an order, and by a column that is not sortable → as they are', () => {
  const rows = [{ value: 2 }, { value: 1 }];
  expect(sortedRowsOf(rows, columns, null)).toBe(rows);
  expect(sortedRowsOf(rows, columns, { heading: 'Action', isDescending: false })).toBe(rows);
});

test('three clicks: figures from the highest, texts from A, and back to no order', () => {
  const clicks = (isNumber: boolean): readonly Order[] => {
    const column = { heading: 'Value', isNumber, cell: () => null };
    const first = orderAfterClick({ heading: 'Other', isDescending: true }, column);
    const second = orderAfterClick(first, column);
    return [first, second, orderAfterClick(second, column)];
  };
  const [up, down] = [false, true].map((isDescending) => ({ heading: 'Value', isDescending }));
  expect(clicks(true)).toEqual([down, up, null]);
  expect(clicks(false)).toEqual([up, down, null]);
});
