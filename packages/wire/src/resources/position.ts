import {
  activeStatuses,
  closedFeeFigures,
  closeReasons,
  currentFigures,
  entryFigures,
  inactiveStatuses,
  openFeeFigures,
  openingFailureReasons,
  openingFailures,
  originationFigures,
  resultFigures,
  riskFigures,
} from '@core/position';
import { z } from 'zod';
import { figureShape } from '../codecs/figures.ts';
import { bytes32Hex, evmAddress, idText, isoTime, usdText } from '../codecs/formats.ts';
import {
  leverageBpsNumber,
  pricePipsText,
  rateBpsNumber,
  tokenUnitsText,
  usdcUnitsText,
} from '../codecs/quantities.ts';
import { ledger } from './ledger.ts';
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
  ledger: ledger.optional(),
};

const entry = z
  .object({
    ...figureShape(entryFigures),
    risk_mode: z.enum(['adaptive', 'committed']),
    locked_margin_usd: usdText,
    locked_margin_usdc_units: usdcUnitsText,
    ...figureShape(originationFigures),
    opened_at: isoTime.nullable(),
    open_latency_ms: z.int().nullable().meta({ description: 'Milliseconds from the creation to the recorded fill' }),
  })
  .meta({ id: 'PositionEntry' });

/**
 * Inputs of the live figures, besides mark and time. A house expansion: a client can value a position at any price, to
 * the unit.
 */
const positionBasis = z
  .object({
    opened_token_units: tokenUnitsText.nullable().meta({ description: 'Tokens bought at the opening; null before it' }),
    principal_usdc_units: usdcUnitsText.meta({ description: 'Outstanding loan' }),
    collateral_usdc_units: usdcUnitsText,
    pending_lifetime_fee_usdc_units: usdcUnitsText.meta({
      description: 'Interest accrued until the last change of the loan',
    }),
    principal_changed_at: isoTime.nullable().meta({ description: 'Start of the interest period of the current loan' }),
    origination_fee_usdc_units: usdcUnitsText,
    open_venue_fee_usdc_units: usdcUnitsText,
    sale_venue_fee_usdc_units: usdcUnitsText,
    unwind_paid_usdc_units: usdcUnitsText,
    exit_buffer_bps: rateBpsNumber.meta({ description: 'Margin above the debt at which liquidation begins' }),
    reference_price_usd_pips: pricePipsText.meta({ description: 'Mark of the opening, at which health is 100 %' }),
  })
  .meta({ id: 'PositionBasis', description: 'Only with `expand=basis`' });

/** Position with an active status (specification, Resources, Position). */
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
    current: z.object(figureShape(currentFigures)),
    risk: z.object(figureShape(riskFigures)),
    fees: z.object(figureShape(openFeeFigures)),
    timing: z.object({
      is_settlement_pending: z.boolean(),
      is_voided: z.boolean(),
      market_close_time: isoTime.nullable(),
      market_status: marketStatusValue,
      settlement_state: z.enum([
        'none',
        'awaiting_settlement',
        'awaiting_resolution',
        'settling',
        'voided',
        'unresolved_upstream',
      ]),
      time_to_close_minutes: z.int().nullable(),
    }),
    basis: positionBasis.optional(),
  })
  .meta({ id: 'OpenPosition' });

/** Position with a final status (specification, Resources, Position). */
export const closedPosition = z
  .object({
    ...shared,
    status: z.enum(inactiveStatuses),
    close_reason: closeReasonValue,
    entry,
    result: z.object({ closed_at: isoTime, ...figureShape(resultFigures) }),
    // The origination fields are deprecated duplicates; read them from `entry`.
    fees: z.object({ ...figureShape(closedFeeFigures), ...figureShape(originationFigures) }),
  })
  .meta({ id: 'ClosedPosition' });

export const position = z.discriminatedUnion('status', [openPosition, closedPosition]).meta({ id: 'Position' });

export type OpenPositionWire = z.input<typeof openPosition>;
export type ClosedPositionWire = z.input<typeof closedPosition>;
export type PositionWire = z.input<typeof position>;
