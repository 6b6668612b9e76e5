import type { FigureTable } from './figureTable.ts';

const rateOfOrigination = {
  kind: 'rate',
  text: 'Origination fee rate at the granted leverage, partner rate included',
} as const;
const partnerOriginationRate = { kind: 'rate', text: 'Partner part of the origination fee rate' } as const;
const protocolOriginationRate = { kind: 'rate', text: 'Protocol part of the origination fee rate' } as const;
const partnerTradingRate = { kind: 'rate', text: 'Partner builder fee rate on the notional' } as const;
const venueTradingRate = { kind: 'rate', rounding: 'down', text: "Venue's fee rate" } as const;
const totalText = 'Collateral plus origination fee plus opening trading fee';
const tradingFeeText = 'Opening trading fee: venue part with headroom plus partner part';
const grossGainText = 'Maximum gain: tokens redeemed at 1 USD less the notional';
const netGainText = 'Gross maximum gain less origination and opening trading fee';

/** Fees and total of a quote, in wire order (specification, Resources, Quote). */
export const quoteFigures = {
  liquidation_fee_bps: { kind: 'rate', text: 'Fee rate on the principal that a liquidation repays' },
  lifetime_fee_apr_bps: { kind: 'rate', text: 'Yearly interest rate on the borrowed amount' },
  origination_fee_bps: rateOfOrigination,
  origination_fee: { kind: 'money', rounding: 'up', text: 'Origination fee on the notional' },
  protocol_origination_fee_bps: protocolOriginationRate,
  protocol_origination_fee: { kind: 'money', text: 'Protocol part of the origination fee, the difference of both' },
  partner_origination_fee_bps: partnerOriginationRate,
  partner_origination_fee: { kind: 'money', text: 'Partner part of the origination fee; units down, pips up' },
  expected_open_trading_fee: { kind: 'money', rounding: 'up', text: tradingFeeText },
  partner_trading_fee_bps: partnerTradingRate,
  partner_trading_fee: { kind: 'money', rounding: 'up', text: 'Partner part of the opening trading fee' },
  venue_trading_fee_bps: venueTradingRate,
  total_user_amount: { kind: 'money', rounding: 'up', text: totalText },
} as const satisfies FigureTable;

/** Maximum gain of an opening; only with `expand=max_gain`. */
export const maxGainFigures = {
  gross_max_gain: { kind: 'signedMoney', rounding: 'down', text: grossGainText },
  net_max_gain: { kind: 'signedMoney', rounding: 'down', text: netGainText },
} as const satisfies FigureTable;

/** Figures of a fee report: amounts in units only. */
export const feeReportFigures = {
  expected_open_trading_fee: {
    kind: 'units',
    rounding: 'up',
    text: 'Opening trading fee: venue part plus partner part',
  },
  gross_max_gain: { kind: 'signedUnits', text: grossGainText },
  net_max_gain: { kind: 'signedUnits', text: netGainText },
  origination_fee_bps: rateOfOrigination,
  origination_fee: { kind: 'units', rounding: 'up', text: 'Origination fee on the notional' },
  protocol_origination_fee_bps: protocolOriginationRate,
  partner_origination_fee_bps: partnerOriginationRate,
  partner_trading_fee_bps: partnerTradingRate,
  venue_trading_fee_bps: venueTradingRate,
  total_user_amount: { kind: 'units', rounding: 'up', text: totalText },
} as const satisfies FigureTable;
