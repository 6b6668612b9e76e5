import type { PositionWire } from '@core/wire';
import type { StepPrinter } from '../stepPrinter.ts';

/** Print the terms of an opening. */
export function printEntry(printer: StepPrinter, position: PositionWire): void {
  const { entry } = position;
  printer.figures({
    position: position.id,
    tokens: entry.position_token_units,
    'quoted at': `${entry.price_usd} USD`,
    'filled at': `${entry.effective_entry_price_usd ?? '-'} USD`,
    collateral: `${entry.collateral_usd} USD`,
    notional: `${entry.notional_usd} USD`,
  });
}

/** Print the result of a finished position; nothing for one that is open. */
export function printResult(printer: StepPrinter, position: PositionWire): void {
  if (!('result' in position)) return;
  const { result, fees } = position;
  printer.figures({
    'close reason': position.close_reason,
    proceeds: `${result.proceeds_usd} USD`,
    'realized result': `${result.realized_pnl_usd} USD`,
    'net of all fees': `${result.net_realized_pnl_usd} USD`,
    'all fees': `${fees.total_fees_usd} USD`,
  });
}
