import type { Position } from '@core/sdk';
import { fieldsText } from './answer.ts';
import { priceText } from './money.ts';
import { usdcText } from './usdc.ts';

/** Return what was paid in and out, without an expanded ledger nothing. */
function moneyOf({ ledger }: Position): Readonly<Record<string, string>> {
  if (ledger === undefined) return {};
  const text = (units: string): string => `${usdcText(BigInt(units))} USD`;
  return {
    'paid in': text(ledger.paid_in_usdc_units),
    'paid out': text(ledger.paid_out_usdc_units),
    'fees paid': text(ledger.fee_usdc_units),
    realised: text(ledger.realized_pnl_usdc_units),
  };
}

/** Return the figures of one position, one per line. */
export function positionText(position: Position): string {
  const shared = {
    position: position.id,
    key: position.on_chain_position_key,
    market: `${position.market_ticker} ${position.effective_side}`,
    status: position.status,
    notional: `${position.entry.notional_usd} USD`,
    entry: priceText(position.entry.effective_entry_price_usd_pips),
    failure: position.failure?.reason,
    ...moneyOf(position),
  };
  if (!('current' in position)) {
    return fieldsText({
      ...shared,
      ended: position.close_reason,
      received: `${position.result.proceeds_usd} USD`,
      'net pnl': `${position.result.net_realized_pnl_usd} USD`,
    });
  }
  const { current, risk } = position;
  return fieldsText({
    ...shared,
    mark: priceText(current.mark_price_usd_pips),
    'liquidation at': priceText(risk.current_liquidation_price_usd_pips),
    leverage: `${current.book_leverage_bps / 10_000}x`,
    'net pnl': `${current.net_unrealized_pnl_usd} USD`,
  });
}
