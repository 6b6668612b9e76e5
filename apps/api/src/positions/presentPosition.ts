import { displayMarkOf, sideOf } from '@core/policy';
import {
  type ClosedFigures,
  type CurrentFigures,
  type EntryFigures,
  type OpenFigures,
  type Position,
  payoutPriceOf,
  pendingOperationOf,
  timingFiguresOf,
  valuePosition,
} from '@core/position';
import { type PricePips, raw, usdcUnits } from '@core/pricing';
import type { ListedPosition } from '@core/store';
import {
  type ClosedPositionWire,
  isoTimeOf,
  money,
  nullableIsoTimeOf,
  nullableMoney,
  type OpenPositionWire,
  type PositionWire,
  wireIdOf,
} from '@core/wire';
import { getAddress } from 'viem';
import type { PositionView } from './observePositions.ts';
import { presentPlannedUnwinds, presentUnwinds } from './presentHistory.ts';

type Expansions = Pick<OpenPositionWire, 'unwinds' | 'planned_unwinds'>;
type OpenMoment = Pick<OpenPositionWire, 'effective_leverage_bps' | 'current' | 'risk' | 'fees' | 'timing'>;
type OpenRecord = Omit<OpenPositionWire, keyof OpenMoment | keyof Expansions>;
type ClosedRecord = Omit<ClosedPositionWire, keyof Expansions>;

/** The wire form of a position, open-type or closed-type by its status, with the expansions that were asked for. */
export function presentPosition(view: PositionView, idNamespace: string): PositionWire {
  const figures = valueView(view);
  const expansions = presentExpansions(view);
  return figures.kind === 'open'
    ? { ...presentOpenRecord(view.position, figures, idNamespace), ...presentOpenMoment(view, figures), ...expansions }
    : { ...presentClosedRecord(view.position, figures, idNamespace), ...expansions };
}

/** Every figure of a position at the moment it is seen. */
export function valueView(view: PositionView): OpenFigures | ClosedFigures {
  return valuePosition(view.position, { markPricePips: markOf(view), nowMs: view.nowMs });
}

/**
 * What the token pays once payouts are known, else the mid of its own book, the last valid one when a side is missing.
 */
function markOf({ position: { side }, market }: PositionView): PricePips | null {
  if (market === null) return null;
  const { record, snapshot } = market;
  return payoutPriceOf(record, side) ?? (snapshot === null ? null : displayMarkOf(sideOf(snapshot, side)));
}

/** What was asked for beside the position itself. */
export function presentExpansions({ position, unwinds, executed }: PositionView): Expansions {
  const ladder = executed === null ? null : presentPlannedUnwinds(position, executed);
  return {
    ...(unwinds !== null && { unwinds: presentUnwinds(position, unwinds) }),
    ...(ladder !== null && { planned_unwinds: ladder }),
  };
}

/** What an open-type position shows whatever the moment: only a change of its record changes it. */
export function presentOpenRecord(position: ListedPosition, figures: OpenFigures, idNamespace: string): OpenRecord {
  return {
    ...presentIdentity(position, idNamespace),
    status: figures.status,
    close_attempt:
      position.closeDeferredAtMs === null
        ? null
        : { outcome: 'deferred', reason: 'awaiting_settlement', deferred_at: isoTimeOf(position.closeDeferredAtMs) },
    pending_operation: presentOperation(position),
    entry: presentEntry(position, figures.entry),
  };
}

/** What it shows at the mark and at the moment. */
export function presentOpenMoment(view: PositionView, figures: OpenFigures): OpenMoment {
  const { risk, fees } = figures;
  return {
    effective_leverage_bps: Number(raw(figures.effectiveLeverageBps)),
    current: presentCurrent(figures.current),
    risk: {
      health_bps: Number(raw(risk.healthBps)),
      ...money('current_liquidation_price', risk.currentLiquidationPricePips),
      liquidation_buffer_bps: Number(raw(risk.liquidationBufferBps)),
      liquidation_fee_bps: Number(raw(risk.liquidationFeeBps)),
      ...money('margin_buffer', risk.marginBufferUsdPips),
    },
    fees: {
      lifetime_fee_apr_bps: Number(raw(fees.lifetimeFeeAprBps)),
      ...money('accrued_lifetime_fee', fees.accruedLifetimeFeeUsdPips),
      ...money('pending_lifetime_fee', fees.pendingLifetimeFeeUsdPips),
      ...money('accrued_venue_fee', fees.accruedVenueFeeUsdPips),
      ...money('total_fees', fees.totalFeesUsdPips),
    },
    timing: presentTiming(view),
  };
}

function presentCurrent(current: CurrentFigures): OpenPositionWire['current'] {
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
    min_partial_close_token_units: String(raw(current.minPartialCloseTokenUnits)),
    max_partial_close_token_units: String(raw(current.maxPartialCloseTokenUnits)),
  };
}

/** All that a closed-type position shows, but for expansions. */
export function presentClosedRecord(
  position: ListedPosition,
  figures: ClosedFigures,
  idNamespace: string,
): ClosedRecord {
  const { entry, result, fees } = figures;
  return {
    ...presentIdentity(position, idNamespace),
    effective_leverage_bps: Number(raw(figures.effectiveLeverageBps)),
    status: figures.status,
    close_reason: figures.closeReason,
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
      lifetime_fee_apr_bps: Number(raw(fees.lifetimeFeeAprBps)),
      ...money('total_lifetime_fee', fees.totalLifetimeFeeUsdPips),
      ...money('total_venue_fee', fees.totalVenueFeeUsdPips),
      ...money('total_fees', fees.totalFeesUsdPips),
      ...presentOrigination(position, entry),
    },
  };
}

function presentIdentity(position: ListedPosition, idNamespace: string) {
  return {
    id: wireIdOf(position.id, idNamespace),
    created_at: isoTimeOf(position.createdAtMs),
    market_ticker: position.marketTicker,
    market_title: position.marketTitle,
    provider: 'venue' as const,
    effective_side: position.side,
    wallet_address: getAddress(position.walletAddress),
    failure: position.failureReason === null ? null : { reason: position.failureReason },
    on_chain_position_key: position.positionKey,
    ...(position.allowPartialFill === true && {
      allow_partial_fill: true as const,
      ...(position.minFillBps !== null && { min_fill_bps: Number(raw(position.minFillBps)) }),
    }),
  };
}

function presentTiming({ position, market, nowMs }: PositionView): OpenPositionWire['timing'] {
  const timing = timingFiguresOf(position, market?.record ?? null, nowMs);
  return {
    is_settlement_pending: timing.isSettlementPending,
    is_voided: timing.isVoided,
    market_close_time: nullableIsoTimeOf(timing.marketCloseTimeMs),
    market_status: timing.marketStatus,
    settlement_state: timing.settlementState,
    time_to_close_minutes: timing.timeToCloseMinutes,
  };
}

function presentOperation(position: ListedPosition): OpenPositionWire['pending_operation'] {
  const operation = pendingOperationOf(position);
  if (operation === null) return null;
  const { type, requestedAtMs, tokenUnits } = operation;
  const requested_at = isoTimeOf(requestedAtMs);
  return tokenUnits === null ? { type, requested_at } : { type, requested_at, token_units: String(raw(tokenUnits)) };
}

/**
 * The `entry` object, the same for open-type and closed-type positions. Locked margin is 0: added margin repays
 * principal.
 */
function presentEntry(position: Position, entry: EntryFigures): OpenPositionWire['entry'] {
  return {
    ...money('collateral', entry.collateralUsdPips),
    ...money('notional', entry.notionalUsdPips),
    leverage_bps: Number(raw(entry.leverageBps)),
    risk_mode: position.riskMode,
    locked_margin_usd: '0.00',
    locked_margin_usdc_units: String(raw(usdcUnits(0n))),
    ...money('price', entry.pricePips),
    ...nullableMoney('effective_entry_price', entry.effectiveEntryPricePips),
    effective_slippage_bps: entry.effectiveSlippageBps === null ? null : Number(raw(entry.effectiveSlippageBps)),
    position_token_units: String(raw(entry.positionTokenUnits)),
    initial_fill_bps: entry.initialFillBps === null ? null : Number(raw(entry.initialFillBps)),
    ...presentOrigination(position, entry),
    opened_at: nullableIsoTimeOf(position.openedAtMs),
    open_latency_ms: entry.openLatencyMs,
  };
}

/** The origination fields: on `entry`, and as deprecated duplicates on the fees of a closed position. */
function presentOrigination(position: Position, entry: EntryFigures) {
  return {
    origination_fee_bps: Number(raw(position.originationFeeBps)),
    protocol_origination_fee_bps: Number(raw(position.protocolOriginationFeeBps)),
    partner_origination_fee_bps: Number(raw(position.partnerOriginationFeeBps)),
    ...money('origination_fee', entry.originationFeeUsdPips),
  };
}
