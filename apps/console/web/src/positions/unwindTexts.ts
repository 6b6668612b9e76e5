import type { PlannedUnwind, Position, Unwinds } from '@core/sdk';
import { cents, times, timeText } from '../money.ts';

type Unwind = Unwinds['data'][number];

/** What was done to the debt and why; the service words its own reasons, and the owner's margin has none. */
export function unwindText({ reason, reason_detail: detail, ...unwind }: Unwind): string {
  const change = `${times(unwind.before_leverage_bps)} → ${times(unwind.after_leverage_bps)}`;
  return `${change}. ${detail ?? (reason === null ? 'You added margin.' : reason.replaceAll('_', ' '))}`;
}

function rungStateText({ status, executed_unwind_id: executedId }: PlannedUnwind): string {
  if (status === 'planned') return 'planned';
  if (status === 'superseded') return 'no longer needed';
  return executedId === null ? 'being done' : 'done';
}

/** One step of the plan that the quote fixed. */
export function rungText(rung: PlannedUnwind): string {
  const { trigger, target_leverage_bps: target } = rung;
  const when =
    trigger.kind === 'price'
      ? `When the price falls to ${cents(trigger.price_usd_pips)}`
      : `At ${timeText(trigger.at)}`;
  return `${when}, down to ${times(target)}: ${rungStateText(rung)}.`;
}

const operationTexts = {
  close: 'You have asked to sell everything.',
  partial_close: 'You have asked to sell a part.',
  unwind: 'A part is being sold to reduce the debt.',
  liquidation: 'It is being liquidated.',
  cancel: 'You have asked to cancel the opening.',
} as const;

/** What is under way, in sentences. */
export function progressTexts(position: Position): readonly string[] {
  if (!('current' in position)) return [];
  const { pending_operation: operation, close_attempt: attempt, timing } = position;
  return [
    ...(operation === null ? [] : [operationTexts[operation.type]]),
    ...(attempt === null ? [] : ['The sale waits: the market is about to be resolved, and the result pays instead.']),
    ...(timing.is_voided ? ['The market was declared void: both sides are paid the same.'] : []),
    ...(timing.settlement_state === 'unresolved_upstream' ? ['The venue has not resolved the market in time.'] : []),
  ];
}
