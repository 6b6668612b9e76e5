import type { FigureTable } from '@core/pricing';

/** Figures of the opening, net of the refund of a partial fill (specification, Resources, Position, `entry`). */
export const entryFigures = {
  collateral: {
    kind: 'pips',
    rounding: 'down',
    text: 'Collateral of the opening, net of the refund of a partial fill',
  },
  notional: { kind: 'pips', rounding: 'down', text: 'Notional as spent; as quoted until the fill is recorded' },
  leverage_bps: { kind: 'leverage', text: 'Leverage of the quote' },
  price: { kind: 'price', text: 'Entry price of the quote' },
  effective_entry_price: {
    kind: 'price?',
    rounding: 'up',
    text: 'Average price of the fill; null until it is recorded',
  },
  effective_slippage_bps: {
    kind: 'rate?',
    rounding: 'up',
    text: 'Average price over the entry price of the quote, positive when worse; null until the fill is recorded',
  },
  position_token_units: { kind: 'tokens', text: 'Tokens bought; as quoted until the fill is recorded' },
  initial_fill_bps: {
    kind: 'rate?',
    rounding: 'down',
    text: 'Share of the notional that was filled; null until it is recorded',
  },
} as const satisfies FigureTable;

/** Origination fee of the opening, on `entry` and, deprecated, on the fees of a closed position. */
export const originationFigures = {
  origination_fee_bps: { kind: 'rate', text: 'Origination fee rate, partner rate included' },
  protocol_origination_fee_bps: { kind: 'rate', text: 'Protocol part of the origination fee rate' },
  partner_origination_fee_bps: { kind: 'rate', text: 'Partner part of the origination fee rate' },
  origination_fee: { kind: 'pips', rounding: 'up', text: 'Origination fee on the notional as spent' },
} as const satisfies FigureTable;

/** Live figures at the mark (specification, Resources, Position, `current`). */
export const currentFigures = {
  book_leverage_bps: { kind: 'leverage', rounding: 'down', text: 'Collateral plus principal, over collateral' },
  leverage_bps: { kind: 'leverage', text: 'Structural leverage' },
  market_leverage_bps: { kind: 'leverage?', rounding: 'down', text: 'Position value over equity; null without equity' },
  mark_price: { kind: 'price', text: 'Mark at which the position is valued' },
  notional: { kind: 'pips', rounding: 'down', text: 'Collateral plus principal' },
  position_token_units: { kind: 'tokens', text: 'Tokens of the position' },
  remaining_bps: {
    kind: 'rate?',
    rounding: 'down',
    text: 'Share of the opened tokens that remains; null before the opening',
  },
  collateral: { kind: 'pips', rounding: 'down', text: 'Collateral at cost' },
  effective_collateral: { kind: 'pips', rounding: 'down', text: 'Equity at the mark, never below zero' },
  unrealized_pnl: { kind: 'signedPips', rounding: 'down', text: 'Profit before opening fees' },
  unrealized_pnl_bps: { kind: 'rate', rounding: 'down', text: 'Profit before opening fees, over collateral' },
  net_unrealized_pnl: { kind: 'signedPips', rounding: 'down', text: 'Profit after all fees' },
  net_unrealized_pnl_bps: { kind: 'rate', rounding: 'down', text: 'Profit after all fees, over collateral' },
  position_value: { kind: 'pips', rounding: 'down', text: 'Tokens at the mark' },
  min_partial_close_token_units: { kind: 'tokens', text: 'Minimum of a partial close; 0 when none is possible' },
  max_partial_close_token_units: { kind: 'tokens', text: 'Maximum of a partial close; 0 when none is possible' },
} as const satisfies FigureTable;

/** Distance from liquidation (specification, Resources, Position, `risk`). */
export const riskFigures = {
  health_bps: { kind: 'rate', rounding: 'down', text: 'Health from liquidation price (0 %) to opening mark (100 %)' },
  current_liquidation_price: {
    kind: 'price',
    rounding: 'down',
    text: 'Mark at or below which liquidation is possible',
  },
  liquidation_buffer_bps: { kind: 'rate', rounding: 'down', text: 'Mark less liquidation price, over the mark' },
  liquidation_fee_bps: { kind: 'rate', text: 'Fee rate on the principal that a liquidation repays' },
  margin_buffer: { kind: 'pips', rounding: 'down', text: 'Position value above the liquidation threshold' },
} as const satisfies FigureTable;

/** Fees of an active position (specification, Resources, Position, `fees`). */
export const openFeeFigures = {
  lifetime_fee_apr_bps: { kind: 'rate', text: 'Yearly interest rate on the borrowed amount' },
  accrued_lifetime_fee: { kind: 'pips', rounding: 'up', text: 'Interest since the last change of the loan' },
  pending_lifetime_fee: { kind: 'pips', rounding: 'up', text: 'Unpaid interest until the last change of the loan' },
  accrued_venue_fee: { kind: 'pips', rounding: 'up', text: 'Venue fees of the opening and of sales' },
  total_fees: { kind: 'pips', text: 'Sum of origination fee, interest and venue fees as displayed' },
} as const satisfies FigureTable;

/** Result of a finished position (specification, Resources, Position, `result`). */
export const resultFigures = {
  realized_pnl: { kind: 'signedPips', rounding: 'down', text: 'Proceeds less collateral and repaid margin' },
  net_realized_pnl: { kind: 'signedPips', rounding: 'down', text: 'Realised profit less opening fees' },
  net_realized_pnl_bps: {
    kind: 'rate',
    rounding: 'down',
    text: 'Net realised profit over collateral and repaid margin',
  },
  proceeds: { kind: 'pips', rounding: 'down', text: 'USDC paid to the user' },
  collected_lifetime_fee: { kind: 'pips', rounding: 'up', text: 'Interest paid' },
  collected_liquidation_fee: { kind: 'pips', rounding: 'up', text: 'Liquidation fees paid' },
} as const satisfies FigureTable;

/** Fees of a finished position (specification, Resources, Position, `fees`). */
export const closedFeeFigures = {
  lifetime_fee_apr_bps: { kind: 'rate', text: 'Yearly interest rate on the borrowed amount' },
  total_lifetime_fee: { kind: 'pips', rounding: 'up', text: 'Interest paid over the whole life' },
  total_venue_fee: { kind: 'pips', rounding: 'up', text: 'Venue fees of the opening and of all sales' },
  total_fees: { kind: 'pips', text: 'Sum of all fees as displayed' },
} as const satisfies FigureTable;
