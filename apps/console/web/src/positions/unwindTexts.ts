import type { PlannedUnwind, Position, Unwinds } from '@core/sdk';
import { cents, times, timeText } from '../money.ts';

type Unwind = Unwinds['data'][number];

/** Return the leverage before and after an unwind, for a mark in a chart. The history below has the reason. */
export const unwindText = ({ before_leverage_bps: before, after_leverage_bps: after }: Unwind): string =>
  `${times(before)} → ${times(after)}`;

function rungStateText({ status, executed_unwind_id: executedId }: PlannedUnwind): string {
  if (status === 'planned') return 'planned';
  if (status === 'superseded') return 'no longer needed';
  return executedId === null ? 'in progress' : 'done';
}

/** Return one step of the unwind plan that the quote fixed. */
export function rungText(rung: PlannedUnwind): string {
  const { trigger, target_leverage_bps: target } = rung;
  const when =
    trigger.kind === 'price'
      ? `When the price falls to ${cents(trigger.price_usd_pips)}`
      : `At ${timeText(trigger.at)}`;
  return `${when}, down to ${times(target)}: ${rungStateText(rung)}.`;
}

const operationTexts = {
  close: 'Full sale requested.',
  partial_close: 'Partial sale requested.',
  unwind: 'Tokens are being sold to reduce the debt.',
  liquidation: 'Liquidation in progress.',
  cancel: 'Cancellation requested. A live order ends first; everything it does not fill is refunded.',
} as const;

/** Return sentences about the position's pending actions. */
export function progressTexts(position: Position): readonly string[] {
  if (!('current' in position)) return [];
  const { pending_operation: operation, close_attempt: attempt, timing } = position;
  return [
    ...(operation === null ? [] : [operationTexts[operation.type]]),
    ...(attempt === null ? [] : ['The sale is on hold: the market is being resolved and pays out instead.']),
    ...(timing.is_voided ? ['The market was voided: both sides pay the same.'] : []),
    ...(timing.settlement_state === 'awaiting_settlement'
      ? ['The tokens are too few for any sale: the market pays out, and the payout repays the debt first.']
      : []),
    ...(timing.settlement_state === 'unresolved_upstream' ? ['The venue is late in resolving the market.'] : []),
  ];
}
