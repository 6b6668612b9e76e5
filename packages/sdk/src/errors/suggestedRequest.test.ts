import { expect, test } from 'vitest';
import type { QuoteRequest } from '../generated/resources.ts';
import { suggestedRequestOf } from './suggestedRequest.ts';

const request: QuoteRequest = {
  market_ticker: 't',
  effective_side: 'yes',
  leverage_bps: 52_500,
  notional_amount_usd_pips: '2500000',
  slippage_bps: 500,
};

test('suggestedRequestOf: a leverage falls to the grid, not below the minimum', () => {
  const params = { current_book_leverage_bps: 52_500, max_leverage_bps: 33_000 };
  expect(suggestedRequestOf('quote_leverage_exceeds_model_max', params, request)).toEqual({
    ...request,
    leverage_bps: 32_500,
  });
  const tooLow = { ...params, max_leverage_bps: 19_999 };
  expect(suggestedRequestOf('quote_leverage_exceeds_model_max', tooLow, request)).toBeNull();
});

test('suggestedRequestOf: a notional rises to the collateral floor, rounded up, and falls to the available amount, rounded down', () => {
  const floor = {
    current_book_leverage_bps: 52_500,
    current_collateral_usd_pips: '9999',
    max_leverage_bps: 20_000,
    min_collateral_usd_pips: '10001',
  };
  expect(suggestedRequestOf('quote_leverage_exceeds_collateral_floor', floor, request)).toMatchObject({
    notional_amount_usd_pips: '52506',
  });
  const cap = {
    available_borrowed_usdc_units: '1',
    available_notional_usdc_units: '12345678',
    cap_usdc_units: '1',
    current_borrowed_usdc_units: '0',
    requested_borrowed_usdc_units: '2',
  };
  expect(suggestedRequestOf('quote_user_capital_exceeded', cap, request)).toMatchObject({
    notional_amount_usd_pips: '123456',
  });
  const full = { available_capacity_usd_pips: '0', current_notional_usd_pips: '1', limit_usd_pips: '1' };
  expect(suggestedRequestOf('quote_user_position_limit_exceeded', full, request)).toBeNull();
});

test('suggestedRequestOf: resubmits a revision; null for a code without a hint', () => {
  const params = {
    revision: 'notional_and_leverage_reduced',
    requested_leverage_bps: 52_500,
    requested_notional_usd_pips: '2500000',
    acceptable_leverage_bps: 30_000,
    acceptable_notional_usd_pips: '900000',
    acceptable_collateral_usdc_units: '30000000',
  } as const;
  expect(suggestedRequestOf('QUOTE_REVISION_REQUIRED', params, request)).toEqual({
    ...request,
    leverage_bps: 30_000,
    notional_amount_usd_pips: '900000',
  });
  expect(suggestedRequestOf('quote_entry_book_one_sided', {}, request)).toBeNull();
});
