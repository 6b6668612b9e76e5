import { ledgerPriceOf, ledgerTotalsOf, type PositionLedgerRow, unwindReasonOf, unwindReasons } from '@core/position';
import { raw, type UsdcUnits } from '@core/pricing';
import { isoTimeOf, type LedgerWire, nullableMoney } from '@core/wire';

/** The maximum of rows in one answer. */
const maxRows = 500;

const unitsOf = (amount: UsdcUnits): string => String(raw(amount));

/** The `ledger` expansion: the newest rows, and the totals of all. */
export function presentLedger(rows: readonly PositionLedgerRow[]): LedgerWire {
  const totals = ledgerTotalsOf(rows);
  return {
    paid_in_usdc_units: unitsOf(totals.paidInUsdcUnits),
    paid_out_usdc_units: unitsOf(totals.paidOutUsdcUnits),
    fee_usdc_units: unitsOf(totals.feeUsdcUnits),
    realized_pnl_usdc_units: unitsOf(totals.realizedPnlUsdcUnits),
    sold_token_units: String(raw(totals.soldTokenUnits)),
    ...nullableMoney('average_exit_price', totals.averageExitPricePips),
    data: rows.slice(-maxRows).map(presentRow),
    has_more: rows.length > maxRows,
  };
}

function presentRow(row: PositionLedgerRow): LedgerWire['data'][number] {
  const reason = row.reason === null ? null : unwindReasonOf(row.reason);
  return {
    kind: row.kind,
    executed_at: isoTimeOf(row.executedAtMs),
    transaction_hash: row.transactionHash,
    token_units: String(raw(row.tokenUnits)),
    ...nullableMoney('price', ledgerPriceOf(row)),
    trade_usdc_units: unitsOf(row.tradeUsdcUnits),
    repaid_usdc_units: unitsOf(row.repaidUsdcUnits),
    fee_usdc_units: unitsOf(row.feeUsdcUnits),
    paid_in_usdc_units: unitsOf(row.paidInUsdcUnits),
    paid_out_usdc_units: unitsOf(row.paidOutUsdcUnits),
    realized_pnl_usdc_units: unitsOf(row.realizedPnlUsdcUnits),
    remaining_token_units: String(raw(row.remainingTokenUnits)),
    remaining_principal_usdc_units: unitsOf(row.remainingPrincipalUsdcUnits),
    remaining_fee_usdc_units: unitsOf(row.remainingFeeUsdcUnits),
    leverage_bps: row.leverageBps === null ? null : Number(raw(row.leverageBps)),
    reason,
    reason_detail: reason === null ? null : unwindReasons[reason].sentence,
  };
}
