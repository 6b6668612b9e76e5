import { expect, test } from 'vitest';
import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits, usdPips } from '../units/quantity.ts';
import { type FigureTable, wireFiguresOf } from './figureTable.ts';

const table = {
  fee_bps: { kind: 'rate', text: 'Rate' },
  filled_bps: { kind: 'rate?', text: 'Rate that may be unknown' },
  leverage_bps: { kind: 'leverage', text: 'Leverage' },
  market_leverage_bps: { kind: 'leverage?', text: 'Leverage that may be unknown' },
  position_token_units: { kind: 'tokens', text: 'Tokens' },
  mark_price: { kind: 'price', text: 'Price' },
  entry_price: { kind: 'price?', text: 'Price that may be unknown' },
  notional: { kind: 'pips', text: 'Money in pips' },
  pnl: { kind: 'signedPips', text: 'Signed money in pips' },
  total_fee: { kind: 'money', text: 'Money' },
  gain: { kind: 'signedMoney', text: 'Signed money' },
  budget: { kind: 'units', text: 'Units' },
  net: { kind: 'signedUnits', text: 'Signed units' },
} as const satisfies FigureTable;

const figures = {
  feeBps: rateBps(100n),
  filledBps: null,
  leverageBps: leverageBps(30_000n),
  marketLeverageBps: leverageBps(25_000n),
  positionTokenUnits: tokenUnits(7n),
  markPricePips: pricePips(5_050n),
  entryPricePips: null,
  notionalUsdPips: usdPips(1_000_000n),
  pnlUsdPips: usdPips(-150n),
  totalFeeUsdPips: usdPips(16n),
  totalFeeUsdcUnits: usdcUnits(1_501n),
  gainUsdPips: usdPips(-2n),
  gainUsdcUnits: usdcUnits(-101n),
  budgetUsdcUnits: usdcUnits(5n),
  netUsdcUnits: usdcUnits(-5n),
};

test('wireFiguresOf: converts every kind to its fields, in the order of the table', () => {
  const fields = {
    fee_bps: 100,
    filled_bps: null,
    leverage_bps: 30_000,
    market_leverage_bps: 25_000,
    position_token_units: '7',
    mark_price_usd_pips: '5050',
    mark_price_usd: '0.505',
    entry_price_usd_pips: null,
    entry_price_usd: null,
    notional_usd_pips: '1000000',
    notional_usd: '100.00',
    pnl_usd_pips: '-150',
    pnl_usd: '-0.015',
    total_fee_usd_pips: '16',
    total_fee_usd: '0.0016',
    total_fee_usdc_units: '1501',
    gain_usd_pips: '-2',
    gain_usd: '-0.0002',
    gain_usdc_units: '-101',
    budget_usdc_units: '5',
    net_usdc_units: '-5',
  };
  expect(Object.entries(wireFiguresOf(table, figures))).toEqual(Object.entries(fields));
});

test('wireFiguresOf: throws for a figure that the domain lacks', () => {
  const { feeBps: _feeBps, ...others } = figures;
  expect(() => wireFiguresOf(table, others as typeof figures)).toThrow(RangeError);
});
