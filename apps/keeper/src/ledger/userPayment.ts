import { add, min, subtract, type UsdcUnits, usdcUnits } from '@core/pricing';
import type { PositionRecord } from '@core/store';
import type { PlacedEvent } from './ledgerEvent.ts';

/** What an event says was paid to the user, and how much of it he could not receive. */
export interface UserPayment {
  readonly userUsdcUnits: UsdcUnits;
  readonly deferredUsdcUnits: UsdcUnits;
}

/** A payment apart from what the user had been credited with before. */
export interface NewPayment {
  /** Paid or credited for the first time. */
  readonly proceedsUsdcUnits: UsdcUnits;
  /** Credited before and taken for the debt now: his own money repaid it. */
  readonly repaidUsdcUnits: UsdcUnits;
}

const nothing = usdcUnits(0n);

/**
 * Money that the user could not receive stays in the account, and everything in the account is divided anew with each
 * sale, settlement and claim. It was counted when it was credited, so only what is paid beyond it is new.
 */
export function newPaymentOf(position: PositionRecord, userUsdcUnits: UsdcUnits): NewPayment {
  const again = min(position.deferredUsdcUnits, userUsdcUnits);
  return {
    proceedsUsdcUnits: subtract(userUsdcUnits, again),
    repaidUsdcUnits: subtract(position.deferredUsdcUnits, again),
  };
}

/** What a payment after the opening adds to the totals. */
export function withPayment(position: PositionRecord, payment: UserPayment): Partial<PositionRecord> {
  const { proceedsUsdcUnits, repaidUsdcUnits } = newPaymentOf(position, payment.userUsdcUnits);
  return {
    proceedsUsdcUnits: add(position.proceedsUsdcUnits, proceedsUsdcUnits),
    repaidMarginUsdcUnits: add(position.repaidMarginUsdcUnits, repaidUsdcUnits),
    deferredUsdcUnits: payment.deferredUsdcUnits,
  };
}

/** Events that tell of money leaving an account. A claim is told after its payment, the others before. */
const payingNames: ReadonlySet<PlacedEvent['name']> = new Set([
  'PositionOpened',
  'PositionRefunded',
  'PositionReduced',
  'PositionExited',
  'PositionSettled',
]);

/**
 * The part of each event's payment that waits in the account. The vault says `PaymentDeferred` right after the event it
 * belongs to, only of a claim right before it; both are in one transaction.
 */
export function deferredPaymentsOf(events: readonly PlacedEvent[]): (event: PlacedEvent) => UsdcUnits {
  const deferred = new Map<PlacedEvent, UsdcUnits>();
  let told: PlacedEvent | null = null;
  let untold: { readonly transactionHash: string; readonly usdcUnits: UsdcUnits } | null = null;
  for (const event of events) {
    if (payingNames.has(event.name)) {
      told = event;
    } else if (event.name === 'PaymentDeferred') {
      const { usdcUnits: units } = event.args;
      if (told?.transactionHash === event.transactionHash) deferred.set(told, units);
      else untold = { transactionHash: event.transactionHash, usdcUnits: units };
      told = null;
    } else if (event.name === 'Claimed') {
      if (untold?.transactionHash === event.transactionHash) deferred.set(event, untold.usdcUnits);
      told = null;
      untold = null;
    }
  }
  return (event) => deferred.get(event) ?? nothing;
}
