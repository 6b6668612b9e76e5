import { add, isZero, multiplyDivide, raw, subtract, type UsdcUnits, usdcUnits } from '@core/pricing';
import { dueLifetimeFeeOf } from '../debt/debt.ts';
import type { Position } from '../record/position.ts';
import type { PositionHistory } from '../record/positionHistory.ts';
import type { BesideEvent } from './besideEvent.ts';
import { withUnwind } from './completedUnwind.ts';
import { ended, paidOut } from './ending.ts';
import type { EventNamed, PositionEvent } from './positionEvent.ts';
import { quotedBorrowOf } from './positionUsage.ts';
import { applyReduction } from './reduction.ts';
import { refundedCollateralOf } from './refundedCollateral.ts';
import { withPayment } from './userPayment.ts';

const none = usdcUnits(0n);

/** One step of the fold. */
export function applyEvent(history: PositionHistory, event: PositionEvent, beside: BesideEvent): PositionHistory {
  const { position } = history;
  const { deferredUsdcUnits } = beside;
  const to = (changes: Partial<Position>): PositionHistory => ({
    ...history,
    position: { ...position, ...changes, updatedBlockNumber: event.blockNumber },
  });
  switch (event.name) {
    case 'OrderAuthorized':
      return to(authorized(position, event));
    case 'OrderEnded':
      return to({ livePurpose: null, liveOrderHash: null, liveValidUntilMs: null, liveAuthorizedAtMs: null });
    case 'OrderFilled':
      return to(filled(position, event));
    case 'PositionOpened':
      return to({ ...opened(position, event), deferredUsdcUnits });
    case 'PositionReduced':
      return applyReduction(history, event, beside);
    case 'PositionRefunded':
      return to({ ...refunded(position, event), deferredUsdcUnits });
    case 'CloseRequested':
      return to(closeRequested(event));
    case 'CancelRequested':
      return to({ cancelRequestedAtMs: event.blockTimeMs });
    case 'MarginAdded':
      return marginAdded(history, event);
    case 'PositionExited':
      return to(exited(position, event, deferredUsdcUnits));
    case 'PositionSettled':
      return to({
        ...ended(position, event, 'settled'),
        ...paidOut(position, event.args.distribution, deferredUsdcUnits),
      });
    case 'Claimed':
      return to({
        ...withPayment(position, { userUsdcUnits: event.args.userUsdcUnits, deferredUsdcUnits }),
        badDebtUsdcUnits: subtract(position.badDebtUsdcUnits, event.args.recoveredUsdcUnits),
      });
    case 'PositionCreated':
    case 'PaymentDeferred':
      return history;
  }
}

function authorized(position: Position, { args, blockTimeMs }: EventNamed<'OrderAuthorized'>): Partial<Position> {
  return {
    livePurpose: args.purpose,
    liveOrderHash: args.orderHash,
    liveValidUntilMs: Number(args.validUntil) * 1_000,
    liveAuthorizedAtMs: blockTimeMs,
    // The first opening order makes the pool lend; health is measured against the mark that was attested for it.
    ...(args.purpose === 'open'
      ? { principalUsdcUnits: quotedBorrowOf(position), openedMarkPricePips: args.markPips }
      : {}),
  };
}

/**
 * A sale's fee was taken out of its proceeds; the fee of an opening is measured by the vault instead. The fee of a
 * close leaves with the part that was sold: it is in the whole-life total, never in what remains (DEFINITIONS 4).
 */
function filled(position: Position, { args }: EventNamed<'OrderFilled'>): Partial<Position> {
  if (args.side === 'buy') return {};
  const fee = args.feeUsdcUnits;
  const isClose = position.livePurpose === 'close';
  return {
    saleVenueFeeUsdcUnits: isClose ? position.saleVenueFeeUsdcUnits : add(position.saleVenueFeeUsdcUnits, fee),
    totalSaleVenueFeeUsdcUnits: add(position.totalSaleVenueFeeUsdcUnits, fee),
  };
}

function opened(position: Position, { args, blockTimeMs }: EventNamed<'PositionOpened'>): Partial<Position> {
  const venueFee = subtract(args.spentUsdcUnits, args.tradeUsdcUnits);
  return {
    chainState: 'open',
    spentUsdcUnits: args.tradeUsdcUnits,
    openedTokenUnits: args.tokenUnits,
    tokenUnits: args.tokenUnits,
    principalUsdcUnits: args.principalUsdcUnits,
    collateralUsdcUnits: shareOf(position.quotedCollateralUsdcUnits, args.tradeUsdcUnits, position),
    originationFeeUsdcUnits: args.originationFeeUsdcUnits,
    totalOriginationFeeUsdcUnits: args.originationFeeUsdcUnits,
    openVenueFeeUsdcUnits: venueFee,
    totalOpenVenueFeeUsdcUnits: venueFee,
    refundedUsdcUnits: args.refundUsdcUnits,
    exitBufferBps: args.exitBufferBps,
    openedAtMs: blockTimeMs,
    principalChangedAtMs: blockTimeMs,
    leverageChangedAtMs: blockTimeMs,
  };
}

/** The part of a quoted amount that belongs to what was traded, rounded up. */
function shareOf(quoted: UsdcUnits, traded: UsdcUnits, position: Position): UsdcUnits {
  return multiplyDivide(quoted, raw(traded), raw(position.quotedNotionalUsdcUnits), 'up');
}

/** Everything comes back to the user, fees included; of that the collateral counts as proceeds. */
function refunded(position: Position, { args, blockTimeMs }: EventNamed<'PositionRefunded'>): Partial<Position> {
  return {
    chainState: args.state,
    principalUsdcUnits: none,
    refundedUsdcUnits: args.refundUsdcUnits,
    proceedsUsdcUnits: refundedCollateralOf(position, args.refundUsdcUnits),
    badDebtUsdcUnits: args.badDebtUsdcUnits,
    closedAtMs: blockTimeMs,
  };
}

function closeRequested({ args, blockTimeMs }: EventNamed<'CloseRequested'>): Partial<Position> {
  const isWithdrawn = isZero(args.tokenUnits);
  return {
    closeRequestedTokenUnits: isWithdrawn ? null : args.tokenUnits,
    closeRequestedMinPricePips: isWithdrawn ? null : args.minPricePips,
    closeRequestedAtMs: isWithdrawn ? null : blockTimeMs,
  };
}

/**
 * Added margin pays fees, then principal; what was accrued until then becomes pending first. All of it is repaid
 * margin, and the fees are collected like those of a sale. Leverage falls, so it is listed as an unwind; without a
 * reason, because no risk run is behind it.
 */
function marginAdded(history: PositionHistory, event: EventNamed<'MarginAdded'>): PositionHistory {
  const { position } = history;
  const { principalUsdcUnits, lifetimeFeeUsdcUnits } = event.args;
  const paid = add(principalUsdcUnits, lifetimeFeeUsdcUnits);
  const due = dueLifetimeFeeOf(position, event.blockTimeMs);
  const repaid: Position = {
    ...position,
    principalUsdcUnits: subtract(position.principalUsdcUnits, principalUsdcUnits),
    collateralUsdcUnits: add(position.collateralUsdcUnits, paid),
    pendingLifetimeFeeUsdcUnits: subtract(due, lifetimeFeeUsdcUnits),
    repaidMarginUsdcUnits: add(position.repaidMarginUsdcUnits, paid),
    collectedLifetimeFeeUsdcUnits: add(position.collectedLifetimeFeeUsdcUnits, lifetimeFeeUsdcUnits),
    principalChangedAtMs: event.blockTimeMs,
    updatedBlockNumber: event.blockNumber,
  };
  return withUnwind(history, repaid, { ...event, reason: null, rung: null });
}

/** The user repaid the debt and took the tokens: the payment counts as margin, returned USDC as proceeds. */
function exited(
  position: Position,
  event: EventNamed<'PositionExited'>,
  deferredUsdcUnits: UsdcUnits,
): Partial<Position> {
  const { principalUsdcUnits, lifetimeFeeUsdcUnits, userUsdcUnits } = event.args.distribution;
  const repaid = add(principalUsdcUnits, lifetimeFeeUsdcUnits);
  const payment = { userUsdcUnits, deferredUsdcUnits };
  return {
    ...ended(position, event, 'closed'),
    ...withPayment({ ...position, repaidMarginUsdcUnits: add(position.repaidMarginUsdcUnits, repaid) }, payment),
    collectedLifetimeFeeUsdcUnits: add(position.collectedLifetimeFeeUsdcUnits, lifetimeFeeUsdcUnits),
  };
}
