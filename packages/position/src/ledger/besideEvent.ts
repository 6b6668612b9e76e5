import type { UsdcUnits } from '@core/pricing';
import type { UnwindReason } from '../states/unwindReasons.ts';

/** Why an unwind was ordered: its reason, and the rung that it carries out when it was planned. */
export interface UnwindOrder {
  readonly reason: UnwindReason;
  readonly rung: number | null;
}

/** What a step of the fold needs to know that the event itself does not say. */
export interface BesideEvent {
  /** What the user could not receive of the event's payment. */
  readonly deferredUsdcUnits: UsdcUnits;
  /** Why the last authorised order was sent, should it be an unwind; null when that is not known. */
  readonly unwindOrder: UnwindOrder | null;
}
