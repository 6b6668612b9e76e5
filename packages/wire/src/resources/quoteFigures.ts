import type { FigureTable } from '../codecs/figures.ts';

/** Fees and total of a quote (specification, Resources, Quote), in the order they are shown. */
export const quoteFigures = {
  liquidation_fee_bps: 'rate',
  lifetime_fee_apr_bps: 'rate',
  origination_fee_bps: 'rate',
  origination_fee: 'money',
  protocol_origination_fee_bps: 'rate',
  protocol_origination_fee: 'money',
  partner_origination_fee_bps: 'rate',
  partner_origination_fee: 'money',
  expected_open_trading_fee: 'money',
  partner_trading_fee_bps: 'rate',
  partner_trading_fee: 'money',
  venue_trading_fee_bps: 'rate',
  total_user_amount: 'money',
} as const satisfies FigureTable;

/** What an opening can gain at most; only with `expand=max_gain`. */
export const maxGainFigures = {
  gross_max_gain: 'signedMoney',
  net_max_gain: 'signedMoney',
} as const satisfies FigureTable;

/** The same figures as a fee report shows them: amounts in units alone. */
export const feeReportFigures = {
  expected_open_trading_fee: 'units',
  gross_max_gain: 'signedUnits',
  net_max_gain: 'signedUnits',
  origination_fee_bps: 'rate',
  origination_fee: 'units',
  protocol_origination_fee_bps: 'rate',
  partner_origination_fee_bps: 'rate',
  partner_trading_fee_bps: 'rate',
  venue_trading_fee_bps: 'rate',
  total_user_amount: 'units',
} as const satisfies FigureTable;
