import { DataTable } from '../parts/DataTable.tsx';
import { Pending } from '../parts/Pending.tsx';
import { Result } from '../parts/Result.tsx';
import { SortableTable } from '../parts/SortableTable.tsx';
import type { Column } from '../parts/sortedRows.ts';
import { Case, Section } from './Section.tsx';
import { longText } from './samples.ts';

interface Row {
  readonly title: string;
  readonly profitPips: string;
}

const rows: readonly Row[] = [
  { title: 'Gain', profitPips: '125000' },
  { title: 'Loss, stale', profitPips: '-279700' },
  { title: longText, profitPips: '0' },
];

const columns: readonly Column<Row>[] = [
  { heading: 'Market', sortValueOf: ({ title }) => title, cell: ({ title }) => <span>{title}</span> },
  {
    heading: 'Profit',
    sortValueOf: ({ profitPips }) => Number(profitPips),
    cell: (row) => <Result pips={row.profitPips} />,
    isNumber: true,
    isLive: true,
  },
  { heading: 'Action', cell: () => <button type="button">Close</button> },
];

/** Tables, and their place while they load. */
export function TableSections() {
  return (
    <>
      <Section name="SortableTable">
        <Case of="with rows">
          <SortableTable
            name="Rows of a table"
            rows={rows}
            columns={columns}
            idOf={({ title }) => title}
            sortedBy={{ heading: 'Profit', isDescending: true }}
            isStale={({ title }) => title.includes('stale')}
          />
        </Case>
        <Case of="empty">
          <SortableTable name="Empty table" rows={[]} columns={columns} idOf={({ title }) => title} />
          <p>No open position.</p>
        </Case>
      </Section>
      <Section name="DataTable">
        <Case of="with rows">
          <DataTable name="Wide table" heads={['Outcome', 'Lent', 'Cap', 'Utilisation', 'Available', 'Last change']}>
            <tr>
              <td>{longText}</td>
              <td>$1,234.50</td>
              <td>$5,000.00</td>
              <td>24.7 %</td>
              <td>$3,765.50</td>
              <td>Nov 26, 2026, 9:30 AM</td>
            </tr>
          </DataTable>
        </Case>
        <Case of="empty">
          <DataTable name="Table without rows" heads={['Outcome', 'Lent', 'Cap']}>
            {null}
          </DataTable>
        </Case>
      </Section>
      <Section name="Pending" isOnPage>
        <Case of="loading, slow after three seconds">
          <Pending title="Markets" name="markets" error={null} queryKey={['components', 'loading']} />
        </Case>
        <Case of="broken">
          <Pending
            title="Pool"
            name="the pool"
            error={new Error('no connection')}
            queryKey={['components', 'broken']}
          />
        </Case>
      </Section>
    </>
  );
}
