import type { Position } from '@core/sdk';
import { statusText } from './statusTexts.ts';

const heads = [
  'market',
  'side',
  'status',
  'opened',
  'ended',
  'collateral_usd',
  'value_or_payout_usd',
  'pnl_usd',
  'pnl_percent',
];

/** Return a field of a CSV file (RFC 4180). A value that a spreadsheet would execute as a formula becomes text. */
function fieldOf(value: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function rowOf(position: Position): readonly string[] {
  const { entry } = position;
  const openingCells = [
    position.market_title ?? position.market_ticker,
    position.effective_side.toUpperCase(),
    statusText(position),
    entry.opened_at ?? '',
  ];
  if ('current' in position) {
    const { current } = position;
    const results = [current.position_value_usd, current.net_unrealized_pnl_usd, current.net_unrealized_pnl_bps / 100];
    return [...openingCells, '', entry.collateral_usd, ...results.map(String)];
  }
  const { result } = position;
  const results = [result.proceeds_usd, result.net_realized_pnl_usd, result.net_realized_pnl_bps / 100];
  return [...openingCells, result.closed_at, entry.collateral_usd, ...results.map(String)];
}

/** Return positions as a CSV file: exact decimals, times in UTC. */
export function positionsCsv(positions: readonly Position[]): string {
  return [heads, ...positions.map(rowOf)].map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');
}
