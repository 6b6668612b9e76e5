import type { ClosedPosition, OpenPosition, Position } from '@core/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useLoadedWallet } from '../chain/loadWallet.ts';
import type { LivePosition } from '../live/livePosition.ts';
import { cents, dollars, dollarsHeld, dollarsOfUnits, times, timeText, tokens } from '../money.ts';
import { Figure } from '../parts/Figure.tsx';
import { Result } from '../parts/Result.tsx';
import { Sentence } from '../parts/Sentence.tsx';
import { SideMark } from '../parts/SideMark.tsx';
import { SortableTable } from '../parts/SortableTable.tsx';
import type { Column } from '../parts/sortedRows.ts';
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

const openColumns: readonly Column<OpenRow>[] = [
  {
    heading: 'Market',
    sortValueOf: ({ position }) => position.market_title ?? position.market_ticker,
    cell: (original) => (
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
    heading: 'Value',
    sortValueOf: ({ position }) => Number(position.current.position_value_usd_pips),
    cell: (original) => {
      const { position_value_usd_pips: pips } = original.position.current;
      return (
        <span translate="no" data-figure="value" data-units={pips}>
          {dollars(pips)}
        </span>
      );
    },
    ...live,
  },
  {
    heading: 'Equity',
    sortValueOf: ({ position }) => Number(position.current.effective_collateral_usd_pips),
    cell: (original) => <Figure>{dollars(original.position.current.effective_collateral_usd_pips)}</Figure>,
    ...live,
  },
  {
    heading: 'Profit after fees',
    sortValueOf: ({ position }) => Number(position.current.net_unrealized_pnl_usd_pips),
    cell: (original) => {
      const { net_unrealized_pnl_usd_pips: pips, net_unrealized_pnl_bps: bps } = original.position.current;
      return <Result pips={pips} bps={bps} />;
    },
    ...live,
  },
  {
    heading: 'Entry',
    sortValueOf: ({ position: { entry } }) => Number(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips),
    cell: (original) => {
      const { entry } = original.position;
      return <Figure>{cents(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips)}</Figure>;
    },
    isNumber: true,
  },
  {
    heading: 'Mark',
    sortValueOf: ({ position }) => Number(position.current.mark_price_usd_pips),
    cell: (original) => <Figure>{cents(original.position.current.mark_price_usd_pips)}</Figure>,
    ...live,
  },
  {
    heading: 'Leverage',
    sortValueOf: ({ position }) => position.current.leverage_bps,
    cell: (original) => <Figure>{times(original.position.current.leverage_bps)}</Figure>,
    isNumber: true,
  },
  {
    heading: 'Liquidation',
    sortValueOf: ({ position }) => Number(position.risk.current_liquidation_price_usd_pips),
    cell: (original) => <Figure>{cents(original.position.risk.current_liquidation_price_usd_pips)}</Figure>,
    ...live,
  },
  {
    heading: 'Distance',
    sortValueOf: ({ position }) => position.risk.liquidation_buffer_bps,
    cell: (original) => <Distance position={original.position} />,
    ...live,
  },
];

const closeColumnOf = (onClose: (id: string) => void): Column<OpenRow> => ({
  heading: 'Close',
  cell: ({ position }) => <CloseButton position={position} onClick={() => onClose(position.id)} />,
});

/** Table of open positions with live figures; each row has its close button. */
export function OpenPositions({ rows }: { readonly rows: readonly OpenRow[] }) {
  useLoadedWallet();
  const [closingId, setClosingId] = useState<string | null>(null);
  const closing = rows.find(({ position }) => position.id === closingId)?.position;
  const columns = useMemo(() => [...openColumns, closeColumnOf(setClosingId)], []);
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

const endedColumns: readonly Column<ClosedPosition>[] = [
  {
    heading: 'Market',
    sortValueOf: (position) => position.market_title ?? position.market_ticker,
    cell: (original) => <PositionName position={original} />,
  },
  {
    heading: 'Result',
    sortValueOf: statusText,
    cell: (original) => <Sentence text={statusText(original)} />,
  },
  {
    heading: 'Profit after fees',
    sortValueOf: ({ result }) => Number(result.net_realized_pnl_usd_pips),
    cell: (original) => (
      <Result pips={original.result.net_realized_pnl_usd_pips} bps={original.result.net_realized_pnl_bps} />
    ),
    isNumber: true,
  },
  {
    heading: 'Tokens',
    sortValueOf: ({ entry }) => Number(entry.position_token_units),
    cell: (original) => <Figure>{tokens(original.entry.position_token_units)}</Figure>,
    isNumber: true,
  },
  {
    heading: 'Leverage',
    sortValueOf: ({ entry }) => entry.leverage_bps,
    cell: (original) => <Figure>{times(original.entry.leverage_bps)}</Figure>,
    isNumber: true,
  },
  {
    heading: 'Entry',
    sortValueOf: ({ entry }) => Number(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips),
    cell: (original) => (
      <Figure>{cents(original.entry.effective_entry_price_usd_pips ?? original.entry.price_usd_pips)}</Figure>
    ),
    isNumber: true,
  },
  {
    heading: 'Exit',
    sortValueOf: ({ ledger }) => Number(ledger?.average_exit_price_usd_pips ?? 0),
    cell: (original) => <Figure>{cents(original.ledger?.average_exit_price_usd_pips)}</Figure>,
    isNumber: true,
  },
  {
    heading: 'Paid in',
    sortValueOf: ({ ledger }) => Number(ledger?.paid_in_usdc_units ?? 0),
    cell: (original) => <Figure>{dollarsOfUnits(BigInt(original.ledger?.paid_in_usdc_units ?? 0))}</Figure>,
    isNumber: true,
  },
  {
    heading: 'Paid out',
    sortValueOf: ({ ledger }) => Number(ledger?.paid_out_usdc_units ?? 0),
    cell: (original) => <Figure>{dollarsHeld(BigInt(original.ledger?.paid_out_usdc_units ?? 0))}</Figure>,
    isNumber: true,
  },
  {
    heading: 'Closed',
    sortValueOf: ({ result }) => Date.parse(result.closed_at),
    cell: (original) => <Figure>{timeText(original.result.closed_at)}</Figure>,
    isNumber: true,
  },
];

const newestFirst = { heading: 'Closed', isDescending: true };

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
