import {
  add,
  type PricePips,
  priceOf,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { LedgerKind, PositionLedgerRow } from '../record/positionHistory.ts';

/** Sums of a ledger. `paidOutUsdcUnits` less `paidInUsdcUnits` and open equity is the profit of the whole life. */
export interface LedgerTotals {
  readonly paidInUsdcUnits: UsdcUnits;
  readonly paidOutUsdcUnits: UsdcUnits;
  readonly feeUsdcUnits: UsdcUnits;
  /** Signed. The open profit of the position is beside it. */
  readonly realizedPnlUsdcUnits: UsdcUnits;
  /** Tokens that were sold or settled. */
  readonly soldTokenUnits: TokenUnits;
  /** Average price of these before fees, rounded down; null while none was sold. */
  readonly averageExitPricePips: PricePips | null;
}

/** Kinds of rows that bring money for tokens. */
export const sellingKinds: ReadonlySet<LedgerKind> = new Set(['close', 'unwind', 'liquidation', 'settlement']);

/** Sum up the rows of a ledger. */
export function ledgerTotalsOf(rows: readonly PositionLedgerRow[]): LedgerTotals {
  const sumOf = (usdcUnitsOf: (row: PositionLedgerRow) => UsdcUnits): UsdcUnits =>
    rows.reduce((sum, row) => add(sum, usdcUnitsOf(row)), usdcUnits(0n));
  const sales = rows.filter(({ kind }) => sellingKinds.has(kind));
  const soldTokenUnits = sales.reduce((sum, row) => add(sum, row.tokenUnits), tokenUnits(0n));
  const tradeUsdcUnits = sales.reduce((sum, row) => add(sum, row.tradeUsdcUnits), usdcUnits(0n));
  return {
    paidInUsdcUnits: sumOf((row) => row.paidInUsdcUnits),
    paidOutUsdcUnits: sumOf((row) => row.paidOutUsdcUnits),
    feeUsdcUnits: sumOf((row) => row.feeUsdcUnits),
    realizedPnlUsdcUnits: sumOf((row) => row.realizedPnlUsdcUnits),
    soldTokenUnits,
    averageExitPricePips: raw(soldTokenUnits) === 0n ? null : priceOf(tradeUsdcUnits, soldTokenUnits, 'down'),
  };
}

/**
 * Return the price of a row's tokens before fees, rounded against the owner: up at an opening, otherwise down. Null for
 * a row without traded tokens.
 */
export function ledgerPriceOf({ kind, tokenUnits: units, tradeUsdcUnits }: PositionLedgerRow): PricePips | null {
  const isTraded = kind === 'opening' || sellingKinds.has(kind);
  return isTraded && raw(units) > 0n ? priceOf(tradeUsdcUnits, units, kind === 'opening' ? 'up' : 'down') : null;
}
