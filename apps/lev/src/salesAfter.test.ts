import type { LedgerRow } from '@core/sdk';
import { expect, test } from 'vitest';
import { salesAfter } from './salesAfter.ts';

const opening: LedgerRow = {
  kind: 'opening',
  executed_at: '2026-11-21T00:00:00.000Z',
  transaction_hash: '0x01',
  token_units: '80000000',
  price_usd_pips: '5000',
  price_usd: '0.50',
  trade_usdc_units: '40000000',
  repaid_usdc_units: '0',
  fee_usdc_units: '400000',
  paid_in_usdc_units: '20400000',
  paid_out_usdc_units: '0',
  realized_pnl_usdc_units: '0',
  remaining_token_units: '80000000',
  remaining_principal_usdc_units: '20000000',
  remaining_fee_usdc_units: '0',
  leverage_bps: 20_000,
  reason: null,
  reason_detail: null,
};
const soldBefore: LedgerRow = {
  ...opening,
  kind: 'close',
  transaction_hash: '0x02',
  token_units: '10000000',
  paid_in_usdc_units: '0',
  remaining_token_units: '70000000',
};
const first: LedgerRow = {
  ...soldBefore,
  transaction_hash: '0x03',
  token_units: '40000000',
  trade_usdc_units: '21000000',
  repaid_usdc_units: '10000000',
  fee_usdc_units: '100001',
  paid_out_usdc_units: '10899999',
  remaining_token_units: '30000000',
};
const second: LedgerRow = {
  ...first,
  token_units: '30000000',
  trade_usdc_units: '15400000',
  fee_usdc_units: '0',
  paid_out_usdc_units: '5400000',
  remaining_token_units: '0',
};
const withRows = (...data: readonly LedgerRow[]) => ({ ledger: { data } });

test('two sales of one transaction after an earlier one: their sum at the average price', () => {
  const { value, text } = salesAfter(withRows(opening, soldBefore), withRows(opening, soldBefore, first, second));
  expect(text).toBe(
    'sold           70.00 tokens at 52.0 ¢\n' +
      'repaid         20.00 USD\n' +
      'fees           0.1001 USD\n' +
      'to the wallet  16.2999 USD',
  );
  expect(value).toEqual({
    step: 'sold',
    token_units: '70000000',
    price_usd_pips: '5200',
    repaid_usdc_units: '20000000',
    fee_usdc_units: '100001',
    paid_out_usdc_units: '16299999',
  });
});

test('margin added since, and no sale: no tokens were sold', () => {
  const margin: LedgerRow = { ...opening, kind: 'margin', transaction_hash: '0x04' };
  const { value, text } = salesAfter(withRows(opening), withRows(opening, margin));
  expect([value, text]).toEqual([{ step: 'sold', token_units: '0' }, 'No tokens were sold.']);
});
