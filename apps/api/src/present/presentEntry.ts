import { type EntryFigures, raw, usdcUnits } from '@core/pricing';
import type { PositionRecord } from '@core/store';
import { money, nullableMoney, type OpenPositionWire } from '@core/wire';
import { nullableIsoTimeOf } from './isoTime.ts';

/** The `entry` object, the same for open-type and closed-type positions. Locked margin is 0: added margin repays principal. */
export function presentEntry(position: PositionRecord, entry: EntryFigures): OpenPositionWire['entry'] {
  const { openedAtMs, createdAtMs } = position;
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
    opened_at: nullableIsoTimeOf(openedAtMs),
    open_latency_ms: openedAtMs === null ? null : openedAtMs - createdAtMs,
  };
}

/** The origination fields: on `entry`, and as deprecated duplicates on the fees of a closed position. */
export function presentOrigination(position: PositionRecord, entry: EntryFigures) {
  return {
    origination_fee_bps: Number(raw(position.originationFeeBps)),
    protocol_origination_fee_bps: Number(raw(position.protocolOriginationFeeBps)),
    partner_origination_fee_bps: Number(raw(position.partnerOriginationFeeBps)),
    ...money('origination_fee', entry.originationFeeUsdPips),
  };
}
