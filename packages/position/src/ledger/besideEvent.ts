import type { UsdcUnits } from '@core/pricing';
import type { UnwindReason } from '../states/unwindReasons.ts';

/** Reason of an ordered unwind, and its rung when it was planned. */
export interface UnwindOrder {
  readonly reason: UnwindReason;
  readonly rung: number | null;
}

/** Context of a step of the fold from outside the event. */
export interface BesideEvent {
  /** Part of the event's payment that the user could not receive. */
  readonly deferredUsdcUnits: UsdcUnits;
  /** Reason of the last authorised order, if it is an unwind; null when unknown. */
  readonly unwindOrder: UnwindOrder | null;
}
