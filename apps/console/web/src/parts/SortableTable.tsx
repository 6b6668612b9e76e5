import {
  type CellContext,
  type ColumnDef,
  getCoreRowModel,
  getSortedRowModel,
  type RowData,
  type SortingState,
  type Row as TableRow,
  useReactTable,
} from '@tanstack/react-table';
import { memo, type ReactNode, useMemo, useState } from 'react';
import { Boundary } from './Boundary.tsx';

declare module '@tanstack/react-table' {
  // oxlint-disable-next-line no-unused-vars -- the names of the parameters are those of the library.
  interface ColumnMeta<TData extends RowData, TValue> {
    /** True for figures, which are right-aligned. */
    readonly isNumber?: boolean;
    /** True for figures that follow the price. */
    readonly isLive?: boolean;
  }
}

interface SortableTableProps<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly columns: ColumnDef<Row>[];
  readonly idOf: (row: Row) => string;
  readonly sortedBy?: SortingState;
  /** True for a row whose figures are stale. */
  readonly isStale?: (row: Row) => boolean;
}

const noSorting: SortingState = [];

/** Table that a click on a heading sorts; on a phone each row is a card. */
export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { name, rows, columns, idOf, sortedBy = noSorting, isStale } = props;
  const [sorting, setSorting] = useState<SortingState>(sortedBy);
  // The library takes a mutable list, and sorts again when the list is another one.
  const data = useMemo(() => [...rows], [rows]);
  const sortableColumns = useMemo(() => columns.map(withSafeOrder), [columns]);
  const table = useReactTable({
    data,
    columns: sortableColumns,
    state: { sorting },
    onSortingChange: setSorting,
    getRowId: idOf,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table scrolls, with the keyboard too.
    <div className="scroll" role="region" aria-label={name} tabIndex={0}>
      <table className="cards">
        <thead>
          <tr>
            {table.getFlatHeaders().map((header) => (
              <Heading key={header.id} header={header} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <BodyRow
              key={row.id}
              id={row.id}
              record={row.original}
              columns={columns}
              isStale={isStale?.(row.original)}
              draw={(isEachBounded) => cellsOf(row, isEachBounded)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BodyRowProps {
  readonly id: string;
  readonly record: unknown;
  readonly columns: unknown;
  readonly isStale: boolean | undefined;
  /** Return the cells of the record, on request each in a boundary; its identity does not matter. */
  readonly draw: (isEachBounded: boolean) => ReactNode;
}

/** Row that is drawn again only when its record, columns or age changes. A cell that fails leaves the others. */
const BodyRow = memo(
  function BodyRow({ record, ...row }: BodyRowProps) {
    return (
      <Boundary of={record} fallback={<Line {...row} isEachBounded />}>
        <Line {...row} isEachBounded={false} />
      </Boundary>
    );
  },
  (before, after) =>
    before.id === after.id &&
    before.record === after.record &&
    before.columns === after.columns &&
    before.isStale === after.isStale,
);

interface LineProps extends Pick<BodyRowProps, 'id' | 'isStale' | 'draw'> {
  readonly isEachBounded: boolean;
}

function Line({ id, isStale, draw, isEachBounded }: LineProps) {
  return (
    <tr data-row={id} data-old={isStale} className={isStale === true ? 'stale' : undefined}>
      {draw(isEachBounded)}
    </tr>
  );
}

/** Content of a cell, made inside a boundary. */
function Content({ draw }: { readonly draw: () => ReactNode }) {
  return <span>{draw()}</span>;
}

/** Return a column whose records without the value, as of a field that they lack, come last. */
function withSafeOrder<Row>(column: ColumnDef<Row>): ColumnDef<Row> {
  if (!('accessorFn' in column)) return column;
  const { accessorFn } = column;
  return {
    ...column,
    sortUndefined: 'last',
    accessorFn: (row, index) => {
      try {
        return accessorFn(row, index);
      } catch {
        return undefined;
      }
    },
  };
}

/** Return the content of a cell. As a component of its own its text would be a node that React writes to. */
function contentOf<Row>(cell: ColumnDef<Row>['cell'], context: CellContext<Row, unknown>): ReactNode {
  return typeof cell === 'function' ? cell(context) : cell;
}

function cellsOf<Row>(row: TableRow<Row>, isEachBounded: boolean): ReactNode {
  return row.getVisibleCells().map(({ id, column, getContext }) => (
    <td
      key={id}
      data-label={String(column.columnDef.header)}
      data-live={column.columnDef.meta?.isLive}
      className={column.columnDef.meta?.isNumber === true ? 'number' : undefined}
    >
      {isEachBounded ? (
        <Boundary of={row.original} fallback={<span>–</span>}>
          <Content draw={() => contentOf(column.columnDef.cell, getContext())} />
        </Boundary>
      ) : (
        contentOf(column.columnDef.cell, getContext())
      )}
    </td>
  ));
}

interface HeadingProps<Row> {
  readonly header: ReturnType<ReturnType<typeof useReactTable<Row>>['getFlatHeaders']>[number];
}

const arrows = { asc: ' ↑', desc: ' ↓' } as const;
const ariaSorts = { asc: 'ascending', desc: 'descending' } as const;

function Heading<Row>({ header: { column } }: HeadingProps<Row>) {
  const sorted = column.getIsSorted();
  const text = String(column.columnDef.header);
  const className = column.columnDef.meta?.isNumber === true ? 'number' : undefined;
  if (!column.getCanSort()) {
    return (
      <th scope="col" className={className}>
        {text}
      </th>
    );
  }
  return (
    <th scope="col" className={className} aria-sort={sorted === false ? 'none' : ariaSorts[sorted]}>
      <button type="button" className="plain" onClick={column.getToggleSortingHandler()}>
        {sorted === false ? text : text + arrows[sorted]}
      </button>
    </th>
  );
}
