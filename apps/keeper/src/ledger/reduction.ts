import { orderPurposes, positionStates } from '@core/policy';
import {
  add,
  bookLeverageOf,
  isZero,
  lifetimeFeeOf,
  min,
  partialCloseShareOf,
  raw,
  subtract,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { ChainState, PositionProjection, PositionRecord } from '@core/store';
import type { EventPlace, PlacedEvent } from './ledgerEvent.ts';
import { newPaymentOf, withPayment } from './userPayment.ts';

export type ReducedEvent = Extract<PlacedEvent, { name: 'PositionReduced' }>;
type Distribution = ReducedEvent['args']['distribution'];

const none = usdcUnits(0n);

/** Lifetime fee since the last change of principal, as the vault accrues it: whole seconds, rounded up. */
export function accruedOf(position: PositionRecord, atMs: number): UsdcUnits {
  if (position.principalChangedAtMs === null) {
    return none;
  }
  return lifetimeFeeOf({
    principalUsdcUnits: position.principalUsdcUnits,
    lifetimeFeeAprBps: position.lifetimeFeeAprBps,
    elapsedSeconds: Math.floor((atMs - position.principalChangedAtMs) / 1_000),
  });
}

/** Structural leverage × seconds up to an instant. */
export function withLeverageTime(position: PositionRecord, atMs: number): bigint {
  const since = position.leverageChangedAtMs;
  const seconds = since === null ? 0n : BigInt(Math.floor((atMs - since) / 1_000));
  return position.leverageBpsSeconds + raw(position.structuralLeverageBps) * seconds;
}

/** What every end has: no tokens, no debt, a time. */
export function ended(position: PositionRecord, event: EventPlace, state: ChainState): Partial<PositionRecord> {
  return {
    chainState: state,
    tokenUnits: tokenUnits(0n),
    principalUsdcUnits: none,
    pendingLifetimeFeeUsdcUnits: none,
    closeRequestedTokenUnits: null,
    closedAtMs: event.blockTimeMs,
    leverageBpsSeconds: withLeverageTime(position, event.blockTimeMs),
    leverageChangedAtMs: event.blockTimeMs,
  };
}

/** What a division of money adds to the whole-life totals; `deferredUsdcUnits` of it the user could not receive. */
export function paidOut(
  position: PositionRecord,
  paid: Distribution,
  deferredUsdcUnits: UsdcUnits,
): Partial<PositionRecord> {
  return {
    ...withPayment(position, { userUsdcUnits: paid.userUsdcUnits, deferredUsdcUnits }),
    collectedLifetimeFeeUsdcUnits: add(position.collectedLifetimeFeeUsdcUnits, paid.lifetimeFeeUsdcUnits),
    collectedLiquidationFeeUsdcUnits: add(position.collectedLiquidationFeeUsdcUnits, paid.liquidationFeeUsdcUnits),
    badDebtUsdcUnits: subtract(add(position.badDebtUsdcUnits, paid.badDebtUsdcUnits), paid.recoveredUsdcUnits),
  };
}

/** A sale that was measured: a part closed by its owner, an unwind, a tranche of a liquidation, or the end. */
export function applyReduction(
  projection: PositionProjection,
  event: ReducedEvent,
  deferredUsdcUnits: UsdcUnits,
): PositionProjection {
  const { position } = projection;
  const { args } = event;
  const state = positionStates[args.state] ?? 'open';
  const purpose = orderPurposes[args.purpose] ?? 'none';
  const totals = paidOut(position, args.distribution, deferredUsdcUnits);
  if (state !== 'open') {
    const last = { ...position, ...totals, ...ended(position, event, state), updatedBlockNumber: event.blockNumber };
    return { ...projection, position: last };
  }
  const due = add(position.pendingLifetimeFeeUsdcUnits, accruedOf(position, event.blockTimeMs));
  const reduced: PositionRecord = {
    ...position,
    ...totals,
    ...basisOf(position, event, purpose),
    tokenUnits: args.tokenUnits,
    principalUsdcUnits: subtract(position.principalUsdcUnits, args.distribution.principalUsdcUnits),
    pendingLifetimeFeeUsdcUnits: subtract(due, args.distribution.lifetimeFeeUsdcUnits),
    closeRequestedTokenUnits: restOfRequest(position, event, purpose),
    principalChangedAtMs: event.blockTimeMs,
    updatedBlockNumber: event.blockNumber,
  };
  return purpose === 'close' ? withPartialClose(projection, reduced, event) : withUnwind(projection, reduced, event);
}

/** A close scales the basis; what a user's waiting money repaid of the debt is margin he put in. */
function basisOf(position: PositionRecord, event: ReducedEvent, purpose: string): Partial<PositionRecord> {
  const basis = purpose === 'close' ? scaledBasisOf(position, event) : {};
  const { repaidUsdcUnits } = newPaymentOf(position, event.args.distribution.userUsdcUnits);
  const { collateralUsdcUnits } = { ...position, ...basis };
  return { ...basis, collateralUsdcUnits: add(collateralUsdcUnits, repaidUsdcUnits) };
}

/** A part sold by the owner takes its share of the basis and of the fees with it, each rounded up (DEFINITIONS 4). */
function scaledBasisOf(position: PositionRecord, { args }: ReducedEvent): Partial<PositionRecord> {
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

/** What is still asked to be sold, as the vault counts it: never more than is held. Whether an order can sell it is for later. */
function restOfRequest(
  position: PositionRecord,
  { args }: ReducedEvent,
  purpose: string,
): PositionRecord['closeRequestedTokenUnits'] {
  const asked = position.closeRequestedTokenUnits;
  if (asked === null) {
    return null;
  }
  const left = purpose === 'close' ? subtract(asked, min(asked, args.soldTokenUnits)) : asked;
  return isZero(left) ? null : min(left, args.tokenUnits);
}

function withPartialClose(
  projection: PositionProjection,
  position: PositionRecord,
  { args, blockTimeMs, blockNumber }: ReducedEvent,
): PositionProjection {
  const before = projection.position;
  const { distribution } = args;
  const partialClose = {
    sequence: projection.partialCloses.length,
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
  return { ...projection, position, partialCloses: [...projection.partialCloses, partialClose] };
}

function withUnwind(
  projection: PositionProjection,
  position: PositionRecord,
  { blockTimeMs, blockNumber }: ReducedEvent,
): PositionProjection {
  const afterLeverageBps = bookLeverageOf(position);
  const unwind = {
    sequence: projection.unwinds.length,
    executedAtMs: blockTimeMs,
    beforeLeverageBps: position.structuralLeverageBps,
    afterLeverageBps,
    reason: null,
    blockNumber,
  };
  return {
    ...projection,
    position: {
      ...position,
      structuralLeverageBps: afterLeverageBps,
      leverageBpsSeconds: withLeverageTime(position, blockTimeMs),
      leverageChangedAtMs: blockTimeMs,
    },
    unwinds: [...projection.unwinds, unwind],
  };
}
