import { constants, divide, raw } from '@core/pricing';
import type { ErrorCode, ErrorParams } from '../generated/errors.ts';
import type { QuoteRequest } from '../generated/resources.ts';

type Change = Partial<QuoteRequest> | null;
type Suggestions = { readonly [C in ErrorCode]?: (params: ErrorParams[C], request: QuoteRequest) => Change };

const stepBps = Number(raw(constants.leverageStepBps));
const minLeverageBps = Number(raw(constants.minLeverageBps));
const wholeBps = 10_000n;

/** Return the highest leverage on the grid at or below a hint; empty when that is below the minimum. */
function atMost(leverageBps: number): Change {
  const onGrid = Math.floor(leverageBps / stepBps) * stepBps;
  return onGrid < minLeverageBps ? null : { leverage_bps: onGrid };
}

/** Return a change of the notional in pips; empty when nothing remains. */
function notional(pips: bigint, minimumPips = 1n): Change {
  return pips < minimumPips ? null : { notional_amount_usd_pips: String(pips) };
}

/** Return the available capacity of a notional limit. */
const inRoom = (params: {
  readonly available_capacity_usd_pips: string;
  readonly min_notional_usd_pips?: string;
}): Change => notional(BigInt(params.available_capacity_usd_pips), BigInt(params.min_notional_usd_pips ?? 1));

/** Return the available capacity of a borrow cap: units to pips, rounded down. */
const inCap = (params: { readonly available_notional_usdc_units?: string }): Change =>
  params.available_notional_usdc_units === undefined
    ? null
    : notional(BigInt(params.available_notional_usdc_units) / 100n);

/** Change of the request that the params of each code suggest. */
const suggestions: Suggestions = {
  quote_leverage_below_minimum: ({ min_leverage_bps }) => ({ leverage_bps: min_leverage_bps }),
  quote_leverage_exceeds_maximum: ({ max_leverage_bps }) => atMost(max_leverage_bps),
  quote_leverage_exceeds_model_max: ({ max_leverage_bps }) => atMost(max_leverage_bps),
  quote_leverage_too_high_for_price: ({ max_acceptable_leverage_bps }) => atMost(max_acceptable_leverage_bps),
  // Collateral is notional divided by leverage, rounded up; so is the notional that reaches the minimum.
  quote_leverage_exceeds_collateral_floor: ({ min_collateral_usd_pips }, { leverage_bps }) =>
    notional(divide(BigInt(min_collateral_usd_pips) * BigInt(leverage_bps), wholeBps, 'up')),
  quote_notional_below_minimum: ({ min_notional_usd_pips }) => notional(BigInt(min_notional_usd_pips)),
  notional_selector_insufficient_liquidity: ({ slippage_max_usd_pips, min_notional_usd_pips }) =>
    notional(BigInt(slippage_max_usd_pips), BigInt(min_notional_usd_pips)),
  quote_side_capacity_exceeded: inRoom,
  quote_user_position_limit_exceeded: inRoom,
  quote_market_position_limit_exceeded: inRoom,
  quote_side_position_limit_exceeded: inRoom,
  quote_global_position_limit_exceeded: inRoom,
  quote_partner_position_limit_exceeded: inRoom,
  quote_user_capital_exceeded: inCap,
  quote_market_capital_exceeded: inCap,
  quote_side_capital_exceeded: inCap,
  quote_total_capital_exceeded: inCap,
  quote_min_fill_bps_requires_fak: () => ({ allow_partial_fill: true }),
  quote_min_fill_bps_out_of_range: ({ min_fill_bps, absolute_min_bps, max_bps }) => ({
    min_fill_bps: Math.min(Math.max(min_fill_bps, absolute_min_bps), max_bps),
  }),
  quote_min_fill_bps_step_invalid: ({ min_fill_bps, step_bps }) => ({
    min_fill_bps: Math.ceil(min_fill_bps / step_bps) * step_bps,
  }),
  quote_min_fill_bps_below_floor: ({ floor_min_fill_bps }) => ({ min_fill_bps: floor_min_fill_bps }),
  quote_slippage_too_high: ({ current_slippage_bps }) =>
    current_slippage_bps > Number(raw(constants.maxSlippageBps)) ? null : { slippage_bps: current_slippage_bps },
  QUOTE_REVISION_REQUIRED: ({ acceptable_leverage_bps, acceptable_notional_usd_pips }) => ({
    leverage_bps: acceptable_leverage_bps,
    notional_amount_usd_pips: acceptable_notional_usd_pips,
  }),
};

/**
 * Return the refused request with the changes that the params of its code suggest; null without a useful suggestion.
 */
export function suggestedRequestOf<C extends ErrorCode>(
  code: C,
  params: ErrorParams[C],
  request: QuoteRequest,
): QuoteRequest | null {
  const change = suggestions[code]?.(params, request) ?? null;
  return change === null ? null : { ...request, ...change };
}
