import type { ReactNode } from 'react';

/** Column of a table. */
export interface Column<Row> {
  /** Unique among the columns of a table. */
  readonly heading: string;
  /** Value that a click on the heading sorts by; absent for a column that is not sortable. */
  readonly sortValueOf?: (row: Row) => string | number;
  readonly cell: (row: Row) => ReactNode;
  /** True for figures, which are right-aligned. */
  readonly isNumber?: boolean;
  /** True for figures that follow the price. */
  readonly isLive?: boolean;
}

/** Column that a table is sorted by, and its direction; null for the order of the rows themselves. */
export type Order = { readonly heading: string; readonly isDescending: boolean } | null;

/** Return the order after a click on a heading. Figures begin with the highest one; the third click ends the order. */
export function orderAfterClick<Row>(order: Order, { heading, isNumber = false }: Column<Row>): Order {
  if (order?.heading !== heading) return { heading, isDescending: isNumber };
  return order.isDescending === isNumber ? { heading, isDescending: !isNumber } : null;
}

/**
 * Return rows in an order; equal ones stay in theirs. Rows whose value cannot be computed, as of a field that they
 * lack, come last.
 */
export function sortedRowsOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order): readonly Row[] {
  const sortValueOf = columns.find(({ heading }) => heading === order?.heading)?.sortValueOf;
  if (order === null || sortValueOf === undefined) return rows;
  const sign = order.isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: safeValueOf(row, sortValueOf) }))
    .toSorted(({ value: a }, { value: b }) =>
      a === null || b === null ? Number(a === null) - Number(b === null) : sign * compare(a, b),
    )
    .map(({ row }) => row);
}

function safeValueOf<Row>(row: Row, sortValueOf: (row: Row) => string | number): string | number | null {
  try {
    return sortValueOf(row);
  } catch {
    return null;
  }
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return a.localeCompare(b);
  return Number(a > b) - Number(a < b);
}
