import { activeStatuses } from '@core/policy';
import {
  add,
  entryFiguresOf,
  isZero,
  max,
  type OpeningFill,
  type OpenPositionFigures,
  type PositionTerms,
  raw,
  subtract,
  timeToCloseMinutesOf,
  usdcUnits,
  usdPips,
  valueClosedPosition,
  valueOpenPosition,
} from '@core/pricing';
import type { ListedPosition } from '@core/store';
import { type ClosedPositionWire, money, type OpenPositionWire, type PositionWire } from '@core/wire';
import { getAddress } from 'viem';
import type { ObservedMarket } from '../observe/marketDirectory.ts';
import { isoTimeOf, nullableIsoTimeOf } from './isoTime.ts';
import { effectiveLeverageBpsOf, partialCloseRangeOf } from './positionFigures.ts';
import { isVoided, positionMarkOf } from './positionMark.ts';
import { presentEntry, presentOrigination } from './presentEntry.ts';
import { settlementStateOf } from './settlementState.ts';
import { wireIdOf } from './wireId.ts';

/** One position, its market as observed, and the moment it is valued at. */
export interface PresentedPosition {
  readonly position: ListedPosition;
  readonly market: ObservedMarket | null;
  readonly nowMs: number;
  readonly idNamespace: string;
}

/** The wire form of a position, open-type or closed-type by its status; expansions are added by the caller. */
export function presentPosition(view: PresentedPosition): PositionWire {
  const { status } = view.position;
  const active = activeStatuses.find((candidate) => candidate === status);
  if (active !== undefined) return presentOpen(view, active);
  switch (status) {
    case 'closed':
    case 'settled':
    case 'liquidated':
    case 'cancelled':
      return presentClosed(view, status);
    default:
      throw new Error(`position status ${status} belongs to no group`);
  }
}

function presentOpen(view: PresentedPosition, status: OpenPositionWire['status']): OpenPositionWire {
  const { position, nowMs } = view;
  const fill = fillOf(position);
  const markPricePips =
    positionMarkOf(view.market, position.side) ?? position.openedMarkPricePips ?? position.entryPricePips;
  const sinceMs = position.principalChangedAtMs ?? nowMs;
  const figures = valueOpenPosition({
    terms: termsOf(position),
    fill,
    ledger: fill === null ? null : ledgerOf(position),
    structuralLeverageBps: position.structuralLeverageBps,
    // What was written off is still owed, and accrues no more.
    elapsedSeconds: isZero(position.principalUsdcUnits) ? 0 : Math.max(0, Math.floor((nowMs - sinceMs) / 1_000)),
    markPricePips,
  });
  return {
    ...presentShared(view),
    status,
    close_attempt:
      position.closeDeferredAtMs === null
        ? null
        : { outcome: 'deferred', reason: 'awaiting_settlement', deferred_at: isoTimeOf(position.closeDeferredAtMs) },
    pending_operation: pendingOperationOf(position),
    entry: presentEntry(position, figures.entry),
    current: presentCurrent(position, figures),
    risk: {
      health_bps: Number(raw(figures.risk.healthBps)),
      ...money('current_liquidation_price', figures.risk.currentLiquidationPricePips),
      liquidation_buffer_bps: Number(raw(figures.risk.liquidationBufferBps)),
      liquidation_fee_bps: Number(raw(figures.risk.liquidationFeeBps)),
      ...money('margin_buffer', figures.risk.marginBufferUsdPips),
    },
    fees: {
      lifetime_fee_apr_bps: Number(raw(figures.fees.lifetimeFeeAprBps)),
      ...money('accrued_lifetime_fee', figures.fees.accruedLifetimeFeeUsdPips),
      ...money('pending_lifetime_fee', figures.fees.pendingLifetimeFeeUsdPips),
      ...money('accrued_venue_fee', figures.fees.accruedVenueFeeUsdPips),
      ...money('total_fees', figures.fees.totalFeesUsdPips),
    },
    timing: timingOf(view),
  };
}

function presentCurrent(position: ListedPosition, { current }: OpenPositionFigures): OpenPositionWire['current'] {
  const range = partialCloseRangeOf(position);
  return {
    book_leverage_bps: Number(raw(current.bookLeverageBps)),
    leverage_bps: Number(raw(current.leverageBps)),
    market_leverage_bps: current.marketLeverageBps === null ? null : Number(raw(current.marketLeverageBps)),
    ...money('mark_price', current.markPricePips),
    ...money('notional', current.notionalUsdPips),
    position_token_units: String(raw(current.positionTokenUnits)),
    remaining_bps: current.remainingBps === null ? null : Number(raw(current.remainingBps)),
    ...money('collateral', current.collateralUsdPips),
    ...money('effective_collateral', current.effectiveCollateralUsdPips),
    ...money('unrealized_pnl', current.unrealizedPnlUsdPips),
    unrealized_pnl_bps: Number(raw(current.unrealizedPnlBps)),
    ...money('net_unrealized_pnl', current.netUnrealizedPnlUsdPips),
    net_unrealized_pnl_bps: Number(raw(current.netUnrealizedPnlBps)),
    ...money('position_value', current.positionValueUsdPips),
    min_partial_close_token_units: String(range.min),
    max_partial_close_token_units: String(range.max),
  };
}

function presentClosed(view: PresentedPosition, status: ClosedPositionWire['status']): ClosedPositionWire {
  const { position } = view;
  const closeReason = position.closeReason ?? status;
  const isRefunded = closeReason === 'cancelled' || closeReason === 'reverted';
  const quoted = entryFiguresOf(termsOf(position), fillOf(position));
  // The origination fee is shown net of what came back at the opening: all of it did.
  const entry = isRefunded
    ? { ...quoted, originationFeeUsdcUnits: usdcUnits(0n), originationFeeUsdPips: usdPips(0n) }
    : quoted;
  const { result, fees } = valueClosedPosition({
    closeReason,
    entryCollateralUsdcUnits: entry.collateralUsdcUnits,
    repaidMarginUsdcUnits: position.repaidMarginUsdcUnits,
    proceedsUsdcUnits: isRefunded ? refundedCollateralOf(position) : position.proceedsUsdcUnits,
    originationFeeUsdcUnits: position.totalOriginationFeeUsdcUnits,
    openTradingFeeUsdcUnits: position.totalOpenVenueFeeUsdcUnits,
    saleTradingFeeUsdcUnits: position.totalSaleVenueFeeUsdcUnits,
    collectedLifetimeFeeUsdcUnits: position.collectedLifetimeFeeUsdcUnits,
    collectedLiquidationFeeUsdcUnits: position.collectedLiquidationFeeUsdcUnits,
  });
  return {
    ...presentShared(view),
    status,
    close_reason: closeReason,
    entry: presentEntry(position, entry),
    result: {
      closed_at: isoTimeOf(position.closedAtMs ?? position.createdAtMs),
      ...money('realized_pnl', result.realizedPnlUsdPips),
      ...money('net_realized_pnl', result.netRealizedPnlUsdPips),
      net_realized_pnl_bps: Number(raw(result.netRealizedPnlBps)),
      ...money('proceeds', result.proceedsUsdPips),
      ...money('collected_lifetime_fee', result.collectedLifetimeFeeUsdPips),
      ...money('collected_liquidation_fee', result.collectedLiquidationFeeUsdPips),
    },
    fees: {
      lifetime_fee_apr_bps: Number(raw(position.lifetimeFeeAprBps)),
      ...money('total_lifetime_fee', fees.totalLifetimeFeeUsdPips),
      ...money('total_venue_fee', fees.totalVenueFeeUsdPips),
      ...money('total_fees', fees.totalFeesUsdPips),
      ...presentOrigination(position, entry),
    },
  };
}

/** Of everything a cancelled opening returned, the part that was collateral: fees are returned beside it. */
function refundedCollateralOf(position: ListedPosition) {
  const fees = add(position.quotedOriginationFeeUsdcUnits, position.quotedVenueFeeUsdcUnits);
  return max(usdcUnits(0n), subtract(position.refundedUsdcUnits, fees));
}

function presentShared({ position, nowMs, idNamespace }: PresentedPosition) {
  return {
    id: wireIdOf(position.id, idNamespace),
    created_at: isoTimeOf(position.createdAtMs),
    market_ticker: position.marketTicker,
    market_title: position.marketTitle,
    provider: 'venue' as const,
    effective_side: position.side,
    wallet_address: getAddress(position.walletAddress),
    effective_leverage_bps: Number(effectiveLeverageBpsOf(position, nowMs)),
    failure: position.failureReason === null ? null : { reason: position.failureReason },
    on_chain_position_key: position.positionKey,
    ...(position.allowPartialFill === true && {
      allow_partial_fill: true as const,
      ...(position.minFillBps !== null && { min_fill_bps: Number(raw(position.minFillBps)) }),
    }),
  };
}

function timingOf({ position, market, nowMs }: PresentedPosition): OpenPositionWire['timing'] {
  const record = market?.record ?? null;
  const status = record?.status ?? 'active';
  const closeTimeMs = record?.closeTimeMs ?? null;
  return {
    is_settlement_pending: status !== 'active',
    is_voided: record !== null && isVoided(record),
    market_close_time: nullableIsoTimeOf(closeTimeMs),
    market_status: status,
    settlement_state: record === null ? 'none' : settlementStateOf(record, nowMs),
    time_to_close_minutes: timeToCloseMinutesOf(closeTimeMs, Math.max(nowMs, position.createdAtMs)),
  };
}

function pendingOperationOf(position: ListedPosition): OpenPositionWire['pending_operation'] {
  const { livePurpose, liveValidUntilMs, cancelRequestedAtMs, closeRequestedAtMs, closeRequestedTokenUnits } = position;
  // An order of the keeper carries no time of request; the end of its validity is the one time the chain tells.
  if (livePurpose === 'liquidate' || livePurpose === 'unwind') {
    const type = livePurpose === 'liquidate' ? 'liquidation' : 'unwind';
    return { type, requested_at: isoTimeOf(liveValidUntilMs ?? position.createdAtMs) };
  }
  if (cancelRequestedAtMs !== null) return { type: 'cancel', requested_at: isoTimeOf(cancelRequestedAtMs) };
  if (closeRequestedAtMs === null || closeRequestedTokenUnits === null) return null;
  const requested_at = isoTimeOf(closeRequestedAtMs);
  const isWhole = raw(closeRequestedTokenUnits) >= raw(position.tokenUnits);
  return isWhole
    ? { type: 'close', requested_at }
    : { type: 'partial_close', requested_at, token_units: String(raw(closeRequestedTokenUnits)) };
}

function termsOf(position: ListedPosition): PositionTerms {
  return {
    leverageBps: position.leverageBps,
    collateralUsdcUnits: position.quotedCollateralUsdcUnits,
    notionalUsdcUnits: position.quotedNotionalUsdcUnits,
    entryPricePips: position.entryPricePips,
    positionTokenUnits: position.quotedTokenUnits,
    originationFeeUsdcUnits: position.quotedOriginationFeeUsdcUnits,
    lifetimeFeeAprBps: position.lifetimeFeeAprBps,
    liquidationFeeBps: position.liquidationFeeBps,
    exitBufferBps: position.exitBufferBps,
  };
}

/** Sizes in hundredths of a token leave up to one cent of a complete fill unspent. */
const centUsdcUnits = 10_000n;

function fillOf(position: ListedPosition): OpeningFill | null {
  const { spentUsdcUnits, openedTokenUnits, openedMarkPricePips, quotedNotionalUsdcUnits, contractMinFillBps } =
    position;
  if (spentUsdcUnits === null || openedTokenUnits === null) return null;
  const isAtomic = raw(contractMinFillBps) === 10_000n;
  return {
    spentUsdcUnits,
    deliveredTokenUnits: openedTokenUnits,
    isComplete: isAtomic || raw(subtract(quotedNotionalUsdcUnits, spentUsdcUnits)) <= centUsdcUnits,
    markPricePips: openedMarkPricePips ?? position.entryPricePips,
  };
}

/** The ledger as the vault reads it: debt that was written off is principal until it is repaid. */
function ledgerOf(position: ListedPosition) {
  return {
    tokenUnits: position.tokenUnits,
    principalUsdcUnits: add(position.principalUsdcUnits, position.badDebtUsdcUnits),
    collateralUsdcUnits: position.collateralUsdcUnits,
    pendingLifetimeFeeUsdcUnits: position.pendingLifetimeFeeUsdcUnits,
    originationFeeUsdcUnits: position.originationFeeUsdcUnits,
    openTradingFeeUsdcUnits: position.openVenueFeeUsdcUnits,
    saleTradingFeeUsdcUnits: position.saleVenueFeeUsdcUnits,
  };
}
