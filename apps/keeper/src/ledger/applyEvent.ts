import { orderPurposes, positionStates } from '@core/policy';
import {
  add,
  isZero,
  min,
  multiplyDivide,
  pricePips,
  raw,
  subtract,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { PositionProjection, PositionRecord } from '@core/store';
import { quotedBorrowOf } from './createdPosition.ts';
import type { PlacedEvent } from './ledgerEvent.ts';
import { accruedOf, applyReduction, ended, paidOut, withLeverageTime } from './reduction.ts';
import { withPayment } from './userPayment.ts';

type EventNamed<Name extends PlacedEvent['name']> = Extract<PlacedEvent, { name: Name }>;

const none = usdcUnits(0n);

/**
 * One step of the fold. Events that change nothing a customer sees leave the projection as it is. `deferredUsdcUnits` is
 * what the user could not receive of the event's payment.
 */
export function applyEvent(
  projection: PositionProjection,
  event: PlacedEvent,
  deferredUsdcUnits: UsdcUnits,
): PositionProjection {
  const { position } = projection;
  const to = (changes: Partial<PositionRecord>): PositionProjection => ({
    ...projection,
    position: { ...position, ...changes, updatedBlockNumber: event.blockNumber },
  });
  switch (event.name) {
    case 'OrderAuthorized':
      return to(authorized(position, event));
    case 'OrderEnded':
      return to({ livePurpose: null, liveOrderHash: null, liveValidUntilMs: null });
    case 'OrderFilled':
      return to(filled(position, event));
    case 'PositionOpened':
      return to({ ...opened(position, event), deferredUsdcUnits });
    case 'PositionReduced':
      return applyReduction(projection, event, deferredUsdcUnits);
    case 'PositionRefunded':
      return to({ ...refunded(position, event), deferredUsdcUnits });
    case 'CloseRequested':
      return to(closeRequested(event));
    case 'CancelRequested':
      return to({ cancelRequestedAtMs: event.blockTimeMs });
    case 'MarginAdded':
      return to(marginAdded(position, event));
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
    case 'WrittenOff':
      return to(writtenOff(position, event));
    default:
      return projection;
  }
}

function authorized(position: PositionRecord, { args }: EventNamed<'OrderAuthorized'>): Partial<PositionRecord> {
  const purpose = orderPurposes[args.purpose];
  return {
    livePurpose: purpose === 'none' || purpose === undefined ? null : purpose,
    liveOrderHash: args.orderHash,
    liveValidUntilMs: Number(args.validUntil) * 1_000,
    // The first opening order makes the pool lend; health is measured against the mark that was attested for it.
    ...(purpose === 'open'
      ? { principalUsdcUnits: quotedBorrowOf(position), openedMarkPricePips: pricePips(BigInt(raw(args.markPips))) }
      : {}),
  };
}

/** A sale's fee was taken out of its proceeds; the fee of an opening is measured by the vault instead. */
function filled(position: PositionRecord, { args }: EventNamed<'OrderFilled'>): Partial<PositionRecord> {
  if (args.side === 0) {
    return {};
  }
  const fee = usdcUnits(args.feeAmount);
  return {
    saleVenueFeeUsdcUnits: add(position.saleVenueFeeUsdcUnits, fee),
    totalSaleVenueFeeUsdcUnits: add(position.totalSaleVenueFeeUsdcUnits, fee),
  };
}

function opened(
  position: PositionRecord,
  { args, blockTimeMs }: EventNamed<'PositionOpened'>,
): Partial<PositionRecord> {
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
function shareOf(quoted: UsdcUnits, traded: UsdcUnits, position: PositionRecord): UsdcUnits {
  return multiplyDivide(quoted, raw(traded), raw(position.quotedNotionalUsdcUnits), 'up');
}

/** Everything comes back to the user, fees included; of that the collateral counts as proceeds. */
function refunded(
  position: PositionRecord,
  { args, blockTimeMs }: EventNamed<'PositionRefunded'>,
): Partial<PositionRecord> {
  return {
    chainState: positionStates[args.state] ?? 'reverted',
    principalUsdcUnits: none,
    refundedUsdcUnits: args.refundUsdcUnits,
    proceedsUsdcUnits: min(args.refundUsdcUnits, position.quotedCollateralUsdcUnits),
    badDebtUsdcUnits: args.badDebtUsdcUnits,
    closedAtMs: blockTimeMs,
  };
}

function closeRequested({ args, blockTimeMs }: EventNamed<'CloseRequested'>): Partial<PositionRecord> {
  const isWithdrawn = isZero(args.tokenUnits);
  return {
    closeRequestedTokenUnits: isWithdrawn ? null : args.tokenUnits,
    closeRequestedMinPricePips: isWithdrawn ? null : args.minPricePips,
    closeRequestedAtMs: isWithdrawn ? null : blockTimeMs,
  };
}

/** The principal is given up and its fees stay due as they are. */
function writtenOff(position: PositionRecord, event: EventNamed<'WrittenOff'>): Partial<PositionRecord> {
  return {
    principalUsdcUnits: none,
    pendingLifetimeFeeUsdcUnits: add(position.pendingLifetimeFeeUsdcUnits, accruedOf(position, event.blockTimeMs)),
    badDebtUsdcUnits: add(position.badDebtUsdcUnits, event.args.usdcUnits),
    principalChangedAtMs: event.blockTimeMs,
  };
}

/**
 * Added margin repays principal, or what was written off of it, then fees; what was accrued until then becomes pending
 * first.
 */
function marginAdded(position: PositionRecord, event: EventNamed<'MarginAdded'>): Partial<PositionRecord> {
  const { principalUsdcUnits, lifetimeFeeUsdcUnits } = event.args;
  const paid = add(principalUsdcUnits, lifetimeFeeUsdcUnits);
  const due = add(position.pendingLifetimeFeeUsdcUnits, accruedOf(position, event.blockTimeMs));
  const lent = min(position.principalUsdcUnits, principalUsdcUnits);
  return {
    principalUsdcUnits: subtract(position.principalUsdcUnits, lent),
    badDebtUsdcUnits: subtract(position.badDebtUsdcUnits, subtract(principalUsdcUnits, lent)),
    collateralUsdcUnits: add(position.collateralUsdcUnits, paid),
    pendingLifetimeFeeUsdcUnits: subtract(due, lifetimeFeeUsdcUnits),
    repaidMarginUsdcUnits: add(position.repaidMarginUsdcUnits, paid),
    principalChangedAtMs: event.blockTimeMs,
  };
}

/** The user repaid the debt and took the tokens: what he paid counts as margin, what he got in USDC as proceeds. */
function exited(
  position: PositionRecord,
  event: EventNamed<'PositionExited'>,
  deferredUsdcUnits: UsdcUnits,
): Partial<PositionRecord> {
  const { principalUsdcUnits, lifetimeFeeUsdcUnits, recoveredUsdcUnits, userUsdcUnits } = event.args.distribution;
  const repaid = add(add(principalUsdcUnits, lifetimeFeeUsdcUnits), recoveredUsdcUnits);
  const payment = { userUsdcUnits, deferredUsdcUnits };
  return {
    ...ended(position, event, 'closed'),
    ...withPayment({ ...position, repaidMarginUsdcUnits: add(position.repaidMarginUsdcUnits, repaid) }, payment),
    collectedLifetimeFeeUsdcUnits: add(position.collectedLifetimeFeeUsdcUnits, lifetimeFeeUsdcUnits),
    badDebtUsdcUnits: subtract(position.badDebtUsdcUnits, recoveredUsdcUnits),
    tokenUnits: tokenUnits(0n),
    leverageBpsSeconds: withLeverageTime(position, event.blockTimeMs),
  };
}
