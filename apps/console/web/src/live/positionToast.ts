import type { LedgerRow, Position, StreamEvent } from '@core/sdk';
import { ledgerText } from '../ledgerTexts.ts';
import { cents, dollars, signedDollars, tokens } from '../money.ts';
import type { Toast } from './toasts.ts';

type EventType = StreamEvent<'user'>['type'];

/**
 * Return the message about an event of a position; null for an event that is irrelevant to a trader. That of a sale has
 * the amounts of its row of the ledger.
 */
export function toastOf(type: EventType, position: Position, row?: LedgerRow): Omit<Toast, 'id'> | null {
  const name = `${position.effective_side.toUpperCase()} · ${position.market_title ?? position.market_ticker}`;
  const toast = (kind: Toast['kind'], text: string) => ({ kind, text: `${text} ${name}`, positionId: position.id });
  if ('current' in position) {
    const { current, entry } = position;
    if (type === 'position.opened') {
      const price = cents(entry.effective_entry_price_usd_pips ?? entry.price_usd_pips);
      return toast('good', `Opened: ${tokens(current.position_token_units)} tokens at ${price}.`);
    }
    if (type === 'position.partial_closed')
      return toast('good', row === undefined ? 'Partially closed:' : ledgerText(row));
    if (type === 'position.force_unwound')
      return toast('plain', row === undefined ? 'Debt reduced by a sale:' : ledgerText(row));
    return null;
  }
  const { result, failure } = position;
  const paid = `${dollars(result.proceeds_usd_pips)} paid out (${signedDollars(result.net_realized_pnl_usd_pips)}).`;
  if (type === 'position.liquidated') return toast('bad', `Liquidated: ${paid}`);
  if (type === 'position.closed') return toast('good', `Closed: ${paid}`);
  if (type === 'position.settled') return toast('good', `Settled: ${paid}`);
  if (failure !== null) return toast('bad', 'Not opened, fully refunded:');
  return type === 'position.cancelled' ? toast('plain', 'Cancelled, fully refunded:') : null;
}
