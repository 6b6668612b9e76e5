import { add, min, subtract, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { Position } from '../record/position.ts';
import type { PositionEvent, PositionEventName } from './positionEvent.ts';

/** Payment of an event to the user, and the part of it the user could not receive. */
export interface UserPayment {
  readonly userUsdcUnits: UsdcUnits;
  readonly deferredUsdcUnits: UsdcUnits;
}

/** A payment apart from what the user had been credited with before. */
export interface NewPayment {
  /** Paid or credited for the first time. */
  readonly proceedsUsdcUnits: UsdcUnits;
  /** Credited before and used for the debt now: the user's own money repaid it. */
  readonly repaidUsdcUnits: UsdcUnits;
}

const nothing = usdcUnits(0n);

/**
 * Return the payment of an event. Money that the user could not receive stays in the account, and everything in the
 * account is divided again with each sale, settlement and claim. It counted when it was credited, so only payment
 * beyond it is new.
 */
export function newPaymentOf(position: Position, userUsdcUnits: UsdcUnits): NewPayment {
  const again = min(position.deferredUsdcUnits, userUsdcUnits);
  return {
    proceedsUsdcUnits: subtract(userUsdcUnits, again),
    repaidUsdcUnits: subtract(position.deferredUsdcUnits, again),
  };
}

/** Return the totals after a payment that follows the opening. */
export function withPayment(position: Position, payment: UserPayment): Partial<Position> {
  const { proceedsUsdcUnits, repaidUsdcUnits } = newPaymentOf(position, payment.userUsdcUnits);
  return {
    proceedsUsdcUnits: add(position.proceedsUsdcUnits, proceedsUsdcUnits),
    repaidMarginUsdcUnits: add(position.repaidMarginUsdcUnits, repaidUsdcUnits),
    deferredUsdcUnits: payment.deferredUsdcUnits,
  };
}

/** Events of money that leaves an account. A claim is emitted after its payment, the others before. */
const payingNames: ReadonlySet<PositionEventName> = new Set([
  'PositionOpened',
  'PositionRefunded',
  'PositionReduced',
  'PositionExited',
  'PositionSettled',
]);

/**
 * The part of each event's payment that waits in the account. The vault emits `PaymentDeferred` right after the event
 * it belongs to, for a claim right before it; both are in one transaction.
 */
export function deferredPaymentsOf(events: readonly PositionEvent[]): (event: PositionEvent) => UsdcUnits {
  const deferred = new Map<PositionEvent, UsdcUnits>();
  let paying: PositionEvent | null = null;
  let beforeClaim: { readonly transactionHash: string; readonly usdcUnits: UsdcUnits } | null = null;
  for (const event of events) {
    if (payingNames.has(event.name)) {
      paying = event;
    } else if (event.name === 'PaymentDeferred') {
      const { usdcUnits: units } = event.args;
      if (paying?.transactionHash === event.transactionHash) deferred.set(paying, units);
      else beforeClaim = { transactionHash: event.transactionHash, usdcUnits: units };
      paying = null;
    } else if (event.name === 'Claimed') {
      if (beforeClaim?.transactionHash === event.transactionHash) deferred.set(event, beforeClaim.usdcUnits);
      paying = null;
      beforeClaim = null;
    }
  }
  return (event) => deferred.get(event) ?? nothing;
}
