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

/** Return the unpaid part of the fee of a partial liquidation: it stays owed beside the lifetime fees. */
function unpaidFeeOf(position: Position, { args }: EventNamed<'PositionReduced'>): UsdcUnits {
  if (args.purpose !== 'liquidate') return usdcUnits(0n);
  const { principalUsdcUnits, recoveredUsdcUnits, liquidationFeeUsdcUnits } = args.distribution;
  const due = liquidationFeeOf(add(principalUsdcUnits, recoveredUsdcUnits), position.liquidationFeeBps);
  return subtract(due, liquidationFeeUsdcUnits);
}

/** Basis after a sale. A close scales it, and deferred money of the user that repaid debt counts as margin. */
function basisOf(position: Position, event: EventNamed<'PositionReduced'>): Partial<Position> {
  const basis = event.args.purpose === 'close' ? scaledBasisOf(position, event) : {};
  const { repaidUsdcUnits, proceedsUsdcUnits } = newPaymentOf(position, event.args.distribution.userUsdcUnits);
  const { collateralUsdcUnits, unwindPaidUsdcUnits } = { ...position, ...basis };
  // The user's part left the position together with its share of the basis; other payments stay part of its result.
  const isPartSold = event.args.purpose === 'close' && !isZero(event.args.soldTokenUnits);
  return {
    ...basis,
    collateralUsdcUnits: add(collateralUsdcUnits, repaidUsdcUnits),
    unwindPaidUsdcUnits: isPartSold ? unwindPaidUsdcUnits : add(unwindPaidUsdcUnits, proceedsUsdcUnits),
  };
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
    unwindPaidUsdcUnits: remaining(position.unwindPaidUsdcUnits),
  };
}

/**
 * Return the tokens still requested to be sold, as the vault counts them: never more than the position has.
 * `sellableRequestOf` decides whether an order can sell them.
 */
function restOfRequest(
  position: Position,
  { args }: EventNamed<'PositionReduced'>,
): Position['closeRequestedTokenUnits'] {
  const request = position.closeRequestedTokenUnits;
  if (request === null) {
    return null;
  }
  const remainder = args.purpose === 'close' ? subtract(request, min(request, args.soldTokenUnits)) : request;
  return isZero(remainder) ? null : min(remainder, args.tokenUnits);
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
