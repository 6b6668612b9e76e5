/** The eight states of the vault, in the order of their numbers 0 to 7. */
export const positionStates = [
  'none',
  'pending',
  'open',
  'closed',
  'settled',
  'liquidated',
  'cancelled',
  'reverted',
] as const;
export type PositionStateName = (typeof positionStates)[number];

/** Purposes of an order, in the order of their numbers 0 to 4. */
export const orderPurposes = ['none', 'open', 'close', 'unwind', 'liquidate'] as const;
export type OrderPurpose = (typeof orderPurposes)[number];

/** Purposes of an order that exists. */
export const livePurposes = ['open', 'close', 'unwind', 'liquidate'] as const satisfies readonly OrderPurpose[];
export type LivePurpose = (typeof livePurposes)[number];

/** Moves of a position on chain. */
export type PositionMove =
  | 'create_position'
  | 'finalize_opened'
  | 'finalize_refunded_cancelled'
  | 'finalize_refunded_reverted'
  | 'finalize_reduced'
  | 'finalize_sold'
  | 'finalize_liquidated'
  | 'settle'
  | 'exit_by_repaying';

export interface PositionTransition {
  readonly from: PositionStateName;
  readonly move: PositionMove;
  readonly to: PositionStateName;
}

/** Every legal move. The contract's stateful tests hold each change of state to the same nine. */
export const positionTransitions: readonly PositionTransition[] = [
  { from: 'none', move: 'create_position', to: 'pending' },
  { from: 'pending', move: 'finalize_opened', to: 'open' },
  { from: 'pending', move: 'finalize_refunded_cancelled', to: 'cancelled' },
  { from: 'pending', move: 'finalize_refunded_reverted', to: 'reverted' },
  { from: 'open', move: 'finalize_reduced', to: 'open' },
  { from: 'open', move: 'finalize_sold', to: 'closed' },
  { from: 'open', move: 'finalize_liquidated', to: 'liquidated' },
  { from: 'open', move: 'settle', to: 'settled' },
  { from: 'open', move: 'exit_by_repaying', to: 'closed' },
];

/** True when a state is never left again; value leaves it only through `claim`. */
export function isTerminal(state: PositionStateName): boolean {
  return state !== 'none' && !positionTransitions.some((transition) => transition.from === state);
}

/** Statuses of the customer interface, in the two groups of its `state` filter. */
export const activeStatuses = ['pending', 'open', 'unwinding', 'closing', 'settling'] as const;
export const inactiveStatuses = ['closed', 'settled', 'liquidated', 'cancelled'] as const;
export type ActiveStatus = (typeof activeStatuses)[number];
export type InactiveStatus = (typeof inactiveStatuses)[number];
export const positionStatuses = [...activeStatuses, ...inactiveStatuses] as const;
export type PositionStatus = (typeof positionStatuses)[number];

/** Return whether a status is active: the position is not finished. */
export function isActiveStatus(status: PositionStatus): status is ActiveStatus {
  return activeStatuses.some((active) => active === status);
}

/** Reasons of a position's end: `reverted` shows as status `cancelled`. */
export const closeReasons = [...inactiveStatuses, 'reverted'] as const;
export type CloseReason = (typeof closeReasons)[number];

/** Inputs of an open position's status beside its state. */
export interface StatusInputs {
  readonly state: PositionStateName;
  /** `none` when no order is live. */
  readonly livePurpose: OrderPurpose;
  readonly isCloseRequested: boolean;
  /** Payouts are reported on chain but not redeemed yet. */
  readonly arePayoutsKnown: boolean;
}

/** Status shown for a position; null for one that does not exist. */
export function positionStatusOf(inputs: StatusInputs): PositionStatus | null {
  switch (inputs.state) {
    case 'none':
      return null;
    case 'reverted':
      return 'cancelled';
    case 'open':
      return openStatusOf(inputs);
    case 'pending':
    case 'closed':
    case 'settled':
    case 'liquidated':
    case 'cancelled':
      return inputs.state;
  }
}

function openStatusOf({ livePurpose, isCloseRequested, arePayoutsKnown }: StatusInputs): PositionStatus {
  if (livePurpose === 'unwind') return 'unwinding';
  if (livePurpose === 'close' || livePurpose === 'liquidate') return 'closing';
  if (arePayoutsKnown) return 'settling';
  return isCloseRequested ? 'closing' : 'open';
}

/** `close_reason` of a finished position; null while it is not finished. */
export function closeReasonOf(state: PositionStateName): CloseReason | null {
  return closeReasons.find((reason) => reason === state) ?? null;
}
