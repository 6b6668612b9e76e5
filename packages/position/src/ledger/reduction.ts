import { add, isZero, liquidationFeeOf, min, subtract, type UsdcUnits, usdcUnits } from '@core/pricing';
import { dueLifetimeFeeOf } from '../debt/debt.ts';
import { bookLeverageOf } from '../debt/leverage.ts';
import type { Position } from '../record/position.ts';
import type { PositionHistory } from '../record/positionHistory.ts';
import type { BesideEvent } from './besideEvent.ts';
import { partialCloseShareOf } from './closedShare.ts';
import { withUnwind } from './completedUnwind.ts';
import { ended, paidOut } from './ending.ts';
import type { EventNamed } from './positionEvent.ts';
import { newPaymentOf } from './userPayment.ts';

/** A sale that was measured: a part closed by the user, an unwind, a tranche of a liquidation, or the end. */
export function applyReduction(
  history: PositionHistory,
  event: EventNamed<'PositionReduced'>,
  { deferredUsdcUnits, unwindOrder }: BesideEvent,
): PositionHistory {
  const { position } = history;
  const { args } = event;
  const totals = paidOut(position, args.distribution, deferredUsdcUnits);
  if (args.state !== 'open') {
    const last = {
      ...position,
      ...totals,
      ...ended(position, event, args.state),
      updatedBlockNumber: event.blockNumber,
    };
    return { ...history, position: last };
  }
  const due = dueLifetimeFeeOf(position, event.blockTimeMs);
  const reduced: Position = {
    ...position,
    ...totals,
    ...basisOf(position, event),
    tokenUnits: args.tokenUnits,
    principalUsdcUnits: subtract(position.principalUsdcUnits, args.distribution.principalUsdcUnits),
    pendingLifetimeFeeUsdcUnits: add(
      subtract(due, args.distribution.lifetimeFeeUsdcUnits),
      unpaidFeeOf(position, event),
    ),
    closeRequestedTokenUnits: restOfRequest(position, event),
    principalChangedAtMs: event.blockTimeMs,
    updatedBlockNumber: event.blockNumber,
  };
  // An order that sold nothing only booked what waited in the account: nothing was closed or unwound.
  if (isZero(args.soldTokenUnits)) return { ...history, position: reduced };
  if (args.purpose === 'close') return withPartialClose(history, reduced, event);
  const order = args.purpose === 'unwind' ? unwindOrder : null;
  return withUnwind(history, reduced, { ...event, reason: order?.reason ?? null, rung: order?.rung ?? null });
}

/** What the liquidation of a part could not pay of its fee: it stays owed beside the lifetime fees. */
function unpaidFeeOf(position: Position, { args }: EventNamed<'PositionReduced'>): UsdcUnits {
  if (args.purpose !== 'liquidate') return usdcUnits(0n);
  const { principalUsdcUnits, recoveredUsdcUnits, liquidationFeeUsdcUnits } = args.distribution;
  const due = liquidationFeeOf(add(principalUsdcUnits, recoveredUsdcUnits), position.liquidationFeeBps);
  return subtract(due, liquidationFeeUsdcUnits);
}

/** A close scales the basis; what a user's waiting money repaid of the debt is margin. */
function basisOf(position: Position, event: EventNamed<'PositionReduced'>): Partial<Position> {
  const basis = event.args.purpose === 'close' ? scaledBasisOf(position, event) : {};
  const { repaidUsdcUnits } = newPaymentOf(position, event.args.distribution.userUsdcUnits);
  const { collateralUsdcUnits } = { ...position, ...basis };
  return { ...basis, collateralUsdcUnits: add(collateralUsdcUnits, repaidUsdcUnits) };
}

/** A part sold by the user takes its share of the basis and of the fees with it, each rounded up (DEFINITIONS 4). */
function scaledBasisOf(position: Position, { args }: EventNamed<'PositionReduced'>): Partial<Position> {
  const remaining = (amountUsdcUnits: UsdcUnits): UsdcUnits =>
    subtract(
      amountUsdcUnits,
      partialCloseShareOf({
        amountUsdcUnits,
        soldTokenUnits: args.soldTokenUnits,
        heldTokenUnits: position.tokenUnits,
      }),
    );
  return {
    collateralUsdcUnits: remaining(position.collateralUsdcUnits),
    originationFeeUsdcUnits: remaining(position.originationFeeUsdcUnits),
    openVenueFeeUsdcUnits: remaining(position.openVenueFeeUsdcUnits),
    saleVenueFeeUsdcUnits: remaining(position.saleVenueFeeUsdcUnits),
  };
}

/**
 * What is still asked to be sold, as the vault counts it: never more than is held. Whether an order can sell it is for
 * later.
 */
function restOfRequest(
  position: Position,
  { args }: EventNamed<'PositionReduced'>,
): Position['closeRequestedTokenUnits'] {
  const asked = position.closeRequestedTokenUnits;
  if (asked === null) {
    return null;
  }
  const left = args.purpose === 'close' ? subtract(asked, min(asked, args.soldTokenUnits)) : asked;
  return isZero(left) ? null : min(left, args.tokenUnits);
}

function withPartialClose(
  history: PositionHistory,
  position: Position,
  { args, blockTimeMs, blockNumber }: EventNamed<'PositionReduced'>,
): PositionHistory {
  const before = history.position;
  const { distribution } = args;
  const partialClose = {
    sequence: history.partialCloses.length,
    executedAtMs: blockTimeMs,
    soldTokenUnits: args.soldTokenUnits,
    // What waited in the account for the user is divided with the sale's money, but did not come from it.
    saleProceedsUsdcUnits: subtract(distribution.proceedsUsdcUnits, before.deferredUsdcUnits),
    capitalRepaidUsdcUnits: distribution.principalUsdcUnits,
    userPayoutUsdcUnits: newPaymentOf(before, distribution.userUsdcUnits).proceedsUsdcUnits,
    remainingTokenUnits: args.tokenUnits,
    newLeverageBps: bookLeverageOf(position),
    blockNumber,
  };
  return { ...history, position, partialCloses: [...history.partialCloses, partialClose] };
}
