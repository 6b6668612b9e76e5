import type { Position } from '@core/sdk';

const unitsPerPip = 100n;

/**
 * Return the realised profit after fees since an instant in pips, rounded down: that of every row of the ledgers from
 * then on, of parts of open positions as well.
 */
export function realisedProfitOf(positions: readonly Pick<Position, 'ledger'>[], sinceMs: number): string {
  const units = positions
    .flatMap(({ ledger }) => ledger?.data ?? [])
    .filter((row) => Date.parse(row.executed_at) >= sinceMs)
    .reduce((sum, row) => sum + BigInt(row.realized_pnl_usdc_units), 0n);
  const isRoundedDown = units < 0n && units % unitsPerPip !== 0n;
  return String(units / unitsPerPip - (isRoundedDown ? 1n : 0n));
}
