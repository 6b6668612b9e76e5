import { memo, type ReactNode, useMemo, useState } from 'react';
import { Boundary } from './Boundary.tsx';
import { type Column, type Order, orderAfterClick, sortedRowsOf } from './sortedRows.ts';

interface SortableTableProps<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly sortedBy?: Order;
  /** True for a row whose figures are stale. */
  readonly isStale?: (row: Row) => boolean;
}

/** Table that a click on a heading sorts; on a phone each row is a card. */
export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { name, rows, columns, idOf, sortedBy = null, isStale } = props;
  const [order, setOrder] = useState<Order>(sortedBy);
  const sorted = useMemo(() => sortedRowsOf(rows, columns, order), [rows, columns, order]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table scrolls, with the keyboard too.
    <div className="scroll" role="region" aria-label={name} tabIndex={0}>
      <table className="cards">
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.heading} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <BodyRow
              key={idOf(row)}
              id={idOf(row)}
              record={row}
              columns={columns}
              isStale={isStale?.(row)}
              draw={(isEachBounded) => cellsOf(row, columns, isEachBounded)}
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

const classOf = ({ isNumber }: Pick<Column<never>, 'isNumber'>) => (isNumber === true ? 'number' : undefined);

/** Return the cells of a row. As a component of its own a cell's text would be a node that React writes to. */
function cellsOf<Row>(row: Row, columns: readonly Column<Row>[], isEachBounded: boolean): ReactNode {
  return columns.map((column) => (
    <td key={column.heading} data-label={column.heading} data-live={column.isLive} className={classOf(column)}>
      {isEachBounded ? (
        <Boundary of={row} fallback={<span>–</span>}>
          <Content draw={() => column.cell(row)} />
        </Boundary>
      ) : (
        column.cell(row)
      )}
    </td>
  ));
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

function Heading<Row>({ column, order, onOrder }: HeadingProps<Row>) {
  const { heading } = column;
  if (column.sortValueOf === undefined) {
    return (
      <th scope="col" className={classOf(column)}>
        {heading}
      </th>
    );
  }
  const isDescending = order?.heading === heading ? order.isDescending : null;
  const [ariaSort, arrow] =
    isDescending === null
      ? (['none', ''] as const)
      : isDescending
        ? (['descending', ' ↓'] as const)
        : (['ascending', ' ↑'] as const);
  return (
    <th scope="col" className={classOf(column)} aria-sort={ariaSort}>
      <button type="button" className="plain" onClick={() => onOrder(orderAfterClick(order, column))}>
        {heading + arrow}
      </button>
    </th>
  );
}
