import type { ClosedPosition, OpenPosition, Position } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import type { ColumnDef } from '@tanstack/react-table';
import { useState } from 'react';
import { useLoadedWallet } from '../chain/loadWallet.ts';
import type { LivePosition } from '../live/livePosition.ts';
import { cents, dollars, times, timeText } from '../money.ts';
import { Figure } from '../parts/Figure.tsx';
import { Result } from '../parts/Result.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { SideMark } from '../parts/SideMark.tsx';
import { SortableTable } from '../parts/SortableTable.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import { Distance } from './Distance.tsx';
import { statusText } from './statusTexts.ts';

type OpenRow = LivePosition<OpenPosition>;

const live = { isNumber: true, isLive: true } as const;

function PositionName({ position }: { readonly position: Position }) {
  return (
    <>
      <SideMark side={position.effective_side} />{' '}
      <Link to="/positions/$id" params={{ id: position.id }}>
        {position.market_title ?? position.market_ticker}
      </Link>
    </>
  );
}

const openColumns: ColumnDef<OpenRow>[] = [
  {
    id: 'market',
    header: 'Market',
    accessorFn: ({ position }) => position.market_title ?? position.market_ticker,
    cell: ({ row: { original } }) => (
      <>
        <PositionName position={original.position} />
        {original.position.status === 'open' ? null : (
          <p className="hint">
            <Sentence text={statusText(original.position)} />
          </p>
        )}
        {original.isStale ? <p className="old">Stale price</p> : null}
      </>
    ),
  },
  {
    id: 'value',
    header: 'Value',
    accessorFn: ({ position }) => Number(position.current.position_value_usd_pips),
    cell: ({ row: { original } }) => {
      const { position_value_usd_pips: pips } = original.position.current;
      return (
        <span translate="no" data-figure="value" data-units={pips}>
          {dollars(pips)}
        </span>
      );
    },
    meta: live,
  },
  {
    id: 'equity',
    header: 'Equity',
    accessorFn: ({ position }) => Number(position.current.effective_collateral_usd_pips),
    cell: ({ row: { original } }) => (
      <Figure>{dollars(original.position.current.effective_collateral_usd_pips)}</Figure>
    ),
    meta: live,
  },
  {
    id: 'pnl',
    header: 'Profit after fees',
    accessorFn: ({ position }) => Number(position.current.net_unrealized_pnl_usd_pips),
    cell: ({ row: { original } }) => {
      const { net_unrealized_pnl_usd_pips: pips, net_unrealized_pnl_bps: bps } = original.position.current;
      return <Result pips={pips} bps={bps} />;
    },
    meta: live,
  },
  {
    id: 'entry',
    header: 'Entry',
    accessorFn: ({ position: { entry } }) => Number(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips),
    cell: ({ row: { original } }) => {
      const { entry } = original.position;
      return <Figure>{cents(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips)}</Figure>;
    },
    meta: { isNumber: true },
  },
  {
    id: 'mark',
    header: 'Mark',
    accessorFn: ({ position }) => Number(position.current.mark_price_usd_pips),
    cell: ({ row: { original } }) => <Figure>{cents(original.position.current.mark_price_usd_pips)}</Figure>,
    meta: live,
  },
  {
    id: 'leverage',
    header: 'Leverage',
    accessorFn: ({ position }) => position.current.leverage_bps,
    cell: ({ row: { original } }) => <Figure>{times(original.position.current.leverage_bps)}</Figure>,
    meta: { isNumber: true },
  },
  {
    id: 'liquidation',
    header: 'Liquidation',
    accessorFn: ({ position }) => Number(position.risk.current_liquidation_price_usd_pips),
    cell: ({ row: { original } }) => (
      <Figure>{cents(original.position.risk.current_liquidation_price_usd_pips)}</Figure>
    ),
    meta: live,
  },
  {
    id: 'distance',
    header: 'Distance',
    accessorFn: ({ position }) => position.risk.liquidation_buffer_bps,
    cell: ({ row: { original } }) => <Distance position={original.position} />,
    meta: live,
  },
];

/** Table of open positions with live figures; each row has its close button. */
export function OpenPositions({ rows }: { readonly rows: readonly OpenRow[] }) {
  useLoadedWallet();
  const [closingId, setClosingId] = useState<string | null>(null);
  const closing = rows.find(({ position }) => position.id === closingId)?.position;
  const columns: ColumnDef<OpenRow>[] = [
    ...openColumns,
    {
      id: 'close',
      header: 'Close',
      enableSorting: false,
      cell: ({ row: { original } }) => (
        <CloseButton position={original.position} onClick={() => setClosingId(original.position.id)} />
      ),
    },
  ];
  return (
    <>
      <SortableTable
        name="Open positions"
        rows={rows}
        columns={columns}
        idOf={({ position }) => position.id}
        isStale={({ isStale }) => isStale}
      />
      {closing === undefined ? null : <CloseDialog position={closing} onClose={() => setClosingId(null)} />}
    </>
  );
}

interface CloseButtonProps {
  readonly position: OpenPosition;
  readonly onClick: () => void;
}

function CloseButton({ position, onClick }: CloseButtonProps) {
  if (position.status !== 'open' || position.pending_operation !== null) return null;
  return (
    <button type="button" className="small" onClick={onClick}>
      Close
    </button>
  );
}

const endedColumns: ColumnDef<ClosedPosition>[] = [
  {
    id: 'market',
    header: 'Market',
    accessorFn: (position) => position.market_title ?? position.market_ticker,
    cell: ({ row: { original } }) => <PositionName position={original} />,
  },
  {
    id: 'status',
    header: 'Result',
    accessorFn: statusText,
    cell: ({ row: { original } }) => <Sentence text={statusText(original)} />,
  },
  {
    id: 'pnl',
    header: 'Profit after fees',
    accessorFn: ({ result }) => Number(result.net_realized_pnl_usd_pips),
    cell: ({ row: { original } }) => (
      <Result pips={original.result.net_realized_pnl_usd_pips} bps={original.result.net_realized_pnl_bps} />
    ),
    meta: { isNumber: true },
  },
  {
    id: 'collateral',
    header: 'Collateral',
    accessorFn: ({ entry }) => Number(entry.collateral_usd_pips),
    cell: ({ row: { original } }) => <Figure>{dollars(original.entry.collateral_usd_pips)}</Figure>,
    meta: { isNumber: true },
  },
  {
    id: 'paid',
    header: 'Paid out',
    accessorFn: ({ result }) => Number(result.proceeds_usd_pips),
    cell: ({ row: { original } }) => <Figure>{dollars(original.result.proceeds_usd_pips)}</Figure>,
    meta: { isNumber: true },
  },
  {
    id: 'closed',
    header: 'Closed',
    accessorFn: ({ result }) => Date.parse(result.closed_at),
    cell: ({ row: { original } }) => <Figure>{timeText(original.result.closed_at)}</Figure>,
    meta: { isNumber: true },
  },
];

const newestFirst = [{ id: 'closed', desc: true }];

/** Table of closed positions, the newest first. */
export function ClosedPositions({ rows }: { readonly rows: readonly ClosedPosition[] }) {
  return (
    <SortableTable
      name="Closed positions"
      rows={rows}
      columns={endedColumns}
      idOf={({ id }) => id}
      sortedBy={newestFirst}
    />
  );
}
