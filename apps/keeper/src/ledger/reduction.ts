import { orderPurposes, positionStates } from '@core/policy';
import {
  add,
  bookLeverageOf,
  lifetimeFeeOf,
  partialCloseShareOf,
  raw,
  subtract,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '@core/pricing';
import type { ChainState, PositionProjection, PositionRecord } from '@core/store';
import { sellableRequestOf } from '../orders/closeRequest.ts';
import type { EventPlace, PlacedEvent } from './ledgerEvent.ts';

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

/** What a division of money adds to the whole-life totals. */
export function paidOut(position: PositionRecord, paid: Distribution): Partial<PositionRecord> {
  return {
    proceedsUsdcUnits: add(position.proceedsUsdcUnits, paid.userUsdcUnits),
    collectedLifetimeFeeUsdcUnits: add(position.collectedLifetimeFeeUsdcUnits, paid.lifetimeFeeUsdcUnits),
    collectedLiquidationFeeUsdcUnits: add(position.collectedLiquidationFeeUsdcUnits, paid.liquidationFeeUsdcUnits),
    badDebtUsdcUnits: subtract(add(position.badDebtUsdcUnits, paid.badDebtUsdcUnits), paid.recoveredUsdcUnits),
  };
}

/** A sale that was measured: a part closed by its owner, an unwind, a tranche of a liquidation, or the end. */
export function applyReduction(projection: PositionProjection, event: ReducedEvent): PositionProjection {
  const { position } = projection;
  const { args } = event;
  const state = positionStates[args.state] ?? 'open';
  const purpose = orderPurposes[args.purpose] ?? 'none';
  const totals = paidOut(position, args.distribution);
  if (state !== 'open') {
    const last = { ...position, ...totals, ...ended(position, event, state), updatedBlockNumber: event.blockNumber };
    return { ...projection, position: last };
  }
  const due = add(position.pendingLifetimeFeeUsdcUnits, accruedOf(position, event.blockTimeMs));
  const reduced: PositionRecord = {
    ...position,
    ...totals,
    ...(purpose === 'close' ? scaledBasisOf(position, event) : {}),
    tokenUnits: args.tokenUnits,
    principalUsdcUnits: subtract(position.principalUsdcUnits, args.distribution.principalUsdcUnits),
    pendingLifetimeFeeUsdcUnits: subtract(due, args.distribution.lifetimeFeeUsdcUnits),
    closeRequestedTokenUnits: restOfRequest(position, event, purpose),
    principalChangedAtMs: event.blockTimeMs,
    updatedBlockNumber: event.blockNumber,
  };
  return purpose === 'close' ? withPartialClose(projection, reduced, event) : withUnwind(projection, reduced, event);
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

/** What is still asked to be sold, as the vault counts it. */
function restOfRequest(
  position: PositionRecord,
  { args }: ReducedEvent,
  purpose: string,
): PositionRecord['closeRequestedTokenUnits'] {
  const asked = position.closeRequestedTokenUnits;
  if (asked === null) {
    return null;
  }
  const left = purpose === 'close' ? raw(asked) - raw(args.soldTokenUnits) : raw(asked);
  return left > 0n ? sellableRequestOf(tokenUnits(left), args.tokenUnits) : null;
}

function withPartialClose(
  projection: PositionProjection,
  position: PositionRecord,
  { args, blockTimeMs, blockNumber }: ReducedEvent,
): PositionProjection {
  const partialClose = {
    sequence: projection.partialCloses.length,
    executedAtMs: blockTimeMs,
    soldTokenUnits: args.soldTokenUnits,
    saleProceedsUsdcUnits: args.distribution.proceedsUsdcUnits,
    capitalRepaidUsdcUnits: args.distribution.principalUsdcUnits,
    userPayoutUsdcUnits: args.distribution.userUsdcUnits,
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
