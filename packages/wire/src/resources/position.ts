import { activeStatuses, closeReasons, inactiveStatuses, openingFailureReasons, openingFailures } from '@core/position';
import { z } from 'zod';
import { bytes32Hex, evmAddress, idText, isoTime, usdText } from '../codecs/formats.ts';
import { moneyShape, nullablePriceShape, priceShape, signedMoneyShape } from '../codecs/moneyShapes.ts';
import { leverageBpsNumber, rateBpsNumber, tokenUnitsText, usdcUnitsText } from '../codecs/quantities.ts';
import { marketStatusValue, providerValue, sideValue } from './market.ts';
import { plannedUnwinds, unwinds } from './unwinds.ts';

export const positionStatusValue = z.enum([...activeStatuses, ...inactiveStatuses]);
const closeReasonValue = z.enum(closeReasons);
const failureReasonValue = z.enum(openingFailureReasons).meta({
  id: 'FailureReason',
  description: openingFailureReasons.map((reason) => `\`${reason}\`: ${openingFailures[reason]}`).join(' '),
});

const shared = {
  id: idText('pos'),
  created_at: isoTime,
  market_ticker: z.string(),
  market_title: z.string().nullable(),
  provider: providerValue,
  effective_side: sideValue,
  wallet_address: evmAddress,
  effective_leverage_bps: leverageBpsNumber.meta({ description: 'Time-weighted structural leverage' }),
  failure: z.object({ reason: failureReasonValue }).nullable(),
  on_chain_position_key: bytes32Hex,
  allow_partial_fill: z.literal(true).optional(),
  min_fill_bps: rateBpsNumber.optional(),
  unwinds: unwinds.optional(),
  planned_unwinds: plannedUnwinds.optional(),
};

const originationShape = {
  origination_fee_bps: rateBpsNumber,
  protocol_origination_fee_bps: rateBpsNumber,
  partner_origination_fee_bps: rateBpsNumber,
  ...moneyShape('origination_fee'),
};

const entry = z
  .object({
    ...moneyShape('collateral'),
    ...moneyShape('notional'),
    leverage_bps: leverageBpsNumber,
    risk_mode: z.enum(['adaptive', 'committed']),
    locked_margin_usd: usdText,
    locked_margin_usdc_units: usdcUnitsText,
    ...priceShape('price'),
    ...nullablePriceShape('effective_entry_price'),
    effective_slippage_bps: rateBpsNumber.nullable(),
    position_token_units: tokenUnitsText,
    initial_fill_bps: rateBpsNumber.nullable(),
    ...originationShape,
    opened_at: isoTime.nullable(),
    open_latency_ms: z.int().nullable(),
  })
  .meta({ id: 'PositionEntry' });

const current = z.object({
  book_leverage_bps: leverageBpsNumber,
  leverage_bps: leverageBpsNumber,
  market_leverage_bps: leverageBpsNumber.nullable(),
  ...priceShape('mark_price'),
  ...moneyShape('notional'),
  position_token_units: tokenUnitsText,
  remaining_bps: rateBpsNumber.nullable(),
  ...moneyShape('collateral'),
  ...moneyShape('effective_collateral'),
  ...signedMoneyShape('unrealized_pnl'),
  unrealized_pnl_bps: rateBpsNumber,
  ...signedMoneyShape('net_unrealized_pnl'),
  net_unrealized_pnl_bps: rateBpsNumber,
  ...moneyShape('position_value'),
  min_partial_close_token_units: tokenUnitsText,
  max_partial_close_token_units: tokenUnitsText,
});

const risk = z.object({
  health_bps: rateBpsNumber,
  ...priceShape('current_liquidation_price'),
  liquidation_buffer_bps: rateBpsNumber,
  liquidation_fee_bps: rateBpsNumber,
  ...moneyShape('margin_buffer'),
});

/** Specification, Resources, Position: the active statuses. */
export const openPosition = z
  .object({
    ...shared,
    status: z.enum(activeStatuses),
    close_attempt: z
      .object({ outcome: z.literal('deferred'), reason: z.literal('awaiting_settlement'), deferred_at: isoTime })
      .nullable(),
    pending_operation: z
      .object({
        type: z.enum(['close', 'partial_close', 'unwind', 'liquidation', 'cancel']),
        requested_at: isoTime,
        token_units: tokenUnitsText.optional(),
      })
      .nullable(),
    entry,
    current,
    risk,
    fees: z.object({
      lifetime_fee_apr_bps: rateBpsNumber,
      ...moneyShape('accrued_lifetime_fee'),
      ...moneyShape('pending_lifetime_fee'),
      ...moneyShape('accrued_venue_fee'),
      ...moneyShape('total_fees'),
    }),
    timing: z.object({
      is_settlement_pending: z.boolean(),
      is_voided: z.boolean(),
      market_close_time: isoTime.nullable(),
      market_status: marketStatusValue,
      settlement_state: z.enum(['none', 'awaiting_resolution', 'settling', 'voided', 'unresolved_upstream']),
      time_to_close_minutes: z.int().nullable(),
    }),
  })
  .meta({ id: 'OpenPosition' });

/** Specification, Resources, Position: the finished statuses. */
export const closedPosition = z
  .object({
    ...shared,
    status: z.enum(inactiveStatuses),
    close_reason: closeReasonValue,
    entry,
    result: z.object({
      closed_at: isoTime,
      ...signedMoneyShape('realized_pnl'),
      ...signedMoneyShape('net_realized_pnl'),
      net_realized_pnl_bps: rateBpsNumber,
      ...moneyShape('proceeds'),
      ...moneyShape('collected_lifetime_fee'),
      ...moneyShape('collected_liquidation_fee'),
    }),
    fees: z.object({
      lifetime_fee_apr_bps: rateBpsNumber,
      ...moneyShape('total_lifetime_fee'),
      ...moneyShape('total_venue_fee'),
      ...moneyShape('total_fees'),
      // Deprecated duplicates: read them from `entry`.
      ...originationShape,
    }),
  })
  .meta({ id: 'ClosedPosition' });

export const position = z.discriminatedUnion('status', [openPosition, closedPosition]).meta({ id: 'Position' });

export type OpenPositionWire = z.input<typeof openPosition>;
export type ClosedPositionWire = z.input<typeof closedPosition>;
export type PositionWire = z.input<typeof position>;
