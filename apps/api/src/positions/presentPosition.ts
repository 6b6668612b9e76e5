import { displayMarkOf, sideOf } from '@core/market';
import { isUnsellable } from '@core/policy';
import {
  type ClosedFigures,
  closedFeeFigures,
  currentFigures,
  type EntryFigures,
  entryFigures,
  isActiveStatus,
  type OpenFigures,
  openBasisOf,
  openFeeFigures,
  originationFigures,
  type Position,
  payoutPriceOf,
  pendingOperationOf,
  resultFigures,
  riskFigures,
  type Side,
  timingFiguresOf,
  valuePosition,
} from '@core/position';
import { type PricePips, raw, usdcUnits, wireFiguresOf } from '@core/pricing';
import type { ListedPosition } from '@core/store';
import { tokenRouteOf } from '@core/vault';
import {
  type ClosedPositionWire,
  isoTimeOf,
  nullableIsoTimeOf,
  type OpenPositionWire,
  type PositionWire,
  wireIdOf,
} from '@core/wire';
import { getAddress } from 'viem';
import type { PositionView, ShownMarket } from './observePositions.ts';
import { presentPlannedUnwinds, presentUnwinds } from './presentHistory.ts';
import { presentLedger } from './presentLedger.ts';

type Expansions = Pick<OpenPositionWire, 'unwinds' | 'planned_unwinds' | 'basis' | 'ledger'>;
type OpenMoment = Pick<OpenPositionWire, 'effective_leverage_bps' | 'current' | 'risk' | 'fees' | 'timing'>;
type OpenRecord = Omit<OpenPositionWire, keyof OpenMoment | keyof Expansions>;
type ClosedRecord = Omit<ClosedPositionWire, keyof Expansions>;
type BasisWire = NonNullable<OpenPositionWire['basis']>;

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

const markOf = ({ position: { side }, market }: PositionView): PricePips | null =>
  market === null ? null : shownMarkOf(market, side);

/** Return the payout of a token: on chain, else the one that the venue has determined; null while neither is known. */
function outcomeOf({ record, snapshot }: ShownMarket, side: Side): PricePips | null {
  return payoutPriceOf(record, side) ?? snapshot?.facts.determinedPrices?.[side] ?? null;
}

/**
 * Return the mark that positions of a side are valued at: the outcome, else the mid of its own book, the last valid one
 * when a side is missing. Null without any.
 */
export function shownMarkOf(market: ShownMarket, side: Side): PricePips | null {
  const { snapshot } = market;
  return outcomeOf(market, side) ?? (snapshot === null ? null : displayMarkOf(sideOf(snapshot, side)));
}

/** Return the market's status: `closed` in place of one whose outcome is not known, as its mark would be an old one. */
function shownStatusOf(market: ShownMarket, side: Side): ShownMarket['record']['status'] {
  const { status } = market.record;
  const hasOutcome = status === 'determined' || status === 'finalized';
  return hasOutcome && outcomeOf(market, side) === null ? 'closed' : status;
}

/** Present the expansions that were asked for. */
export function presentExpansions({ position, unwinds, executed, ledger, isBasisAsked }: PositionView): Expansions {
  const ladder = executed === null ? null : presentPlannedUnwinds(position, executed);
  const hasBasis = isBasisAsked && isActiveStatus(position.status);
  return {
    ...(hasBasis && { basis: presentBasis(position) }),
    ...(ledger !== null && { ledger: presentLedger(ledger) }),
    ...(unwinds !== null && { unwinds: presentUnwinds(position, unwinds) }),
    ...(ladder !== null && { planned_unwinds: ladder }),
  };
}

/** Present the fields of an open position that only a change of its record changes. */
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

/** Present the fields of an open position that move with the mark and the time. */
export function presentOpenMoment(view: PositionView, figures: OpenFigures): OpenMoment {
  return {
    effective_leverage_bps: Number(raw(figures.effectiveLeverageBps)),
    current: wireFiguresOf(currentFigures, figures.current),
    risk: wireFiguresOf(riskFigures, figures.risk),
    fees: wireFiguresOf(openFeeFigures, figures.fees),
    timing: presentTiming(view),
  };
}

function presentBasis(position: Position): BasisWire {
  const basis = openBasisOf(position);
  return {
    opened_token_units: basis.openedTokenUnits === null ? null : String(raw(basis.openedTokenUnits)),
    principal_usdc_units: String(raw(basis.principalUsdcUnits)),
    collateral_usdc_units: String(raw(basis.collateralUsdcUnits)),
    pending_lifetime_fee_usdc_units: String(raw(basis.pendingLifetimeFeeUsdcUnits)),
    principal_changed_at: nullableIsoTimeOf(basis.principalChangedAtMs),
    origination_fee_usdc_units: String(raw(basis.originationFeeUsdcUnits)),
    open_venue_fee_usdc_units: String(raw(basis.openVenueFeeUsdcUnits)),
    sale_venue_fee_usdc_units: String(raw(basis.saleVenueFeeUsdcUnits)),
    unwind_paid_usdc_units: String(raw(basis.unwindPaidUsdcUnits)),
    exit_buffer_bps: Number(raw(basis.exitBufferBps)),
    reference_price_usd_pips: String(raw(basis.referencePricePips)),
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
      ...wireFiguresOf(resultFigures, result),
    },
    fees: {
      ...wireFiguresOf(closedFeeFigures, fees),
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

function presentTiming(view: PositionView): OpenPositionWire['timing'] {
  const { position, market, nowMs } = view;
  const record = market && { ...market.record, status: shownStatusOf(market, position.side) };
  const timing = timingFiguresOf(position, record, nowMs);
  return {
    is_settlement_pending: timing.isSettlementPending,
    is_voided: timing.isVoided,
    market_close_time: nullableIsoTimeOf(timing.marketCloseTimeMs),
    market_status: timing.marketStatus,
    settlement_state: isRest(view) ? 'awaiting_settlement' : timing.settlementState,
    time_to_close_minutes: timing.timeToCloseMinutes,
  };
}

/** Return true for tokens that are too few for any sale while their market trades: its settlement ends the position. */
function isRest({ position, market, policy }: PositionView): boolean {
  const { side, tokenUnits, chainState, venueTokenId } = position;
  const isTrading = market?.record.status === 'active' && market.record.payoutDenominator === null;
  if (chainState !== 'open' || !isTrading || market.snapshot === null) return false;
  const route = tokenRouteOf(policy.openingRoute, venueTokenId);
  return isUnsellable(market.snapshot, { route, purpose: 'liquidate', side, tokenUnits }, policy);
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
    ...wireFiguresOf(entryFigures, entry),
    risk_mode: position.riskMode,
    locked_margin_usd: '0.00',
    locked_margin_usdc_units: String(raw(usdcUnits(0n))),
    ...presentOrigination(position, entry),
    opened_at: nullableIsoTimeOf(position.openedAtMs),
    open_latency_ms: entry.openLatencyMs,
  };
}

/** The origination fields: on `entry`, and as deprecated duplicates on the fees of a closed position. */
function presentOrigination(position: Position, entry: EntryFigures) {
  const { originationFeeBps, protocolOriginationFeeBps, partnerOriginationFeeBps } = position;
  const { originationFeeUsdPips } = entry;
  return wireFiguresOf(originationFigures, {
    originationFeeBps,
    protocolOriginationFeeBps,
    partnerOriginationFeeBps,
    originationFeeUsdPips,
  });
}
