import { leverageBps, rateBps, usdPips } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { marketListQuery, marketSearchQuery } from './marketQueries.ts';
import { positionListQuery } from './positionQueries.ts';
import { feeReportRequest, promotionRequest, quoteRequest, tokenRequest } from './quoteRequest.ts';

const body = {
  market_ticker: 'btc-up',
  effective_side: 'yes',
  leverage_bps: 30_000,
  notional_amount_usd_pips: '2500000',
  slippage_bps: 300,
};

function without(key: keyof typeof body): Record<string, unknown> {
  const { [key]: _left, ...rest } = body;
  return rest;
}

describe('quoteRequest', () => {
  test('decodes to quantities with the documented defaults', () => {
    expect(quoteRequest.parse(body)).toEqual({
      market_ticker: 'btc-up',
      effective_side: 'yes',
      leverage_bps: leverageBps(30_000n),
      notional_amount_usd_pips: usdPips(2_500_000n),
      slippage_bps: rateBps(300n),
      provider: 'venue',
      allow_revision: false,
      allow_partial_fill: false,
    });
  });

  test.each(['market_ticker', 'effective_side', 'leverage_bps', 'notional_amount_usd_pips', 'slippage_bps'] as const)(
    'needs %s',
    (key) => {
      expect(quoteRequest.safeParse(without(key)).success).toBe(false);
    },
  );

  test.each([
    { leverage_bps: 30_001 },
    { leverage_bps: 30_000.5 },
    { leverage_bps: '30000' },
    { slippage_bps: 99 },
    { slippage_bps: 1001 },
    { notional_amount_usd_pips: 2_500_000 },
    { notional_amount_usd_pips: '-1' },
    { effective_side: 'YES' },
    { provider: 'other' },
    { allow_revision: 'true' },
    { surprise: 1 },
    { market_ticker: 7 },
  ])('refuses %o', (change) => {
    expect(quoteRequest.safeParse({ ...body, ...change }).success).toBe(false);
  });

  test('accepts values that a gate refuses with a code', () => {
    for (const change of [
      { leverage_bps: 0 },
      { leverage_bps: 110_000 },
      { min_fill_bps: 1 },
      { notional_amount_usd_pips: '0' },
      { market_ticker: '' },
      { market_ticker: 'x'.repeat(5_000) },
    ]) {
      expect(quoteRequest.safeParse({ ...body, ...change }).success).toBe(true);
    }
  });

  test('the message of the leverage step names its rule', () => {
    expect(quoteRequest.safeParse({ ...body, leverage_bps: 30_001 }).error?.issues[0]).toMatchObject({
      path: ['leverage_bps'],
      message: 'must be a multiple of 2500',
    });
  });
});

describe('other bodies', () => {
  test('a promotion has no body or an empty object', () => {
    expect(promotionRequest.safeParse(undefined).success).toBe(true);
    expect(promotionRequest.safeParse({}).success).toBe(true);
    expect(promotionRequest.safeParse({ leverage_bps: 20_000 }).success).toBe(false);
  });

  test('the entry price of a fee report is between 1 and 9999 pips', () => {
    const { slippage_bps: _slippage, ...report } = body;
    expect(feeReportRequest.safeParse(report).success).toBe(true);
    for (const price of ['1', '9999']) {
      expect(feeReportRequest.safeParse({ ...report, entry_price_usd_pips: price }).success).toBe(true);
    }
    for (const price of ['0', '10000', '-5', '0.5', 5]) {
      expect(feeReportRequest.safeParse({ ...report, entry_price_usd_pips: price }).success).toBe(false);
    }
  });

  test('accepts any text as a wallet: its form has a code', () => {
    for (const text of ['', 'nonsense', 'x'.repeat(5_000)]) {
      expect(tokenRequest.safeParse({ wallet_address: text }).success).toBe(true);
    }
    expect(tokenRequest.safeParse({ wallet_address: 7 }).success).toBe(false);
  });
});

describe('queries', () => {
  test('markets: have the documented defaults', () => {
    expect(marketListQuery.parse({})).toEqual({ limit: 25, sort: 'ticker_asc', status: 'active' });
  });

  test('markets: text becomes numbers, booleans and keys', () => {
    expect(
      marketListQuery.parse({ limit: '3', accepting_new_positions: 'false', expand: 'prices,total_count' }),
    ).toMatchObject({
      limit: 3,
      accepting_new_positions: false,
      expand: ['prices', 'total_count'],
    });
  });

  test.each([
    { limit: '0' },
    { limit: '101' },
    { limit: 'ten' },
    { limit: ['1', '2'] },
    { starting_after: 'a', ending_before: 'b' },
    { sort: 'price' },
    { expand: 'unwinds' },
    { expand: '' },
    { status: 'open' },
    { accepting_new_positions: '1' },
    { query: '' },
    { unknown: 'x' },
  ])('markets: refuses %o', (query) => {
    expect(marketListQuery.safeParse(query).success).toBe(false);
  });

  test('search: requires its query', () => {
    expect(marketSearchQuery.safeParse({}).success).toBe(false);
    expect(marketSearchQuery.safeParse({ query: 'btc' }).success).toBe(true);
  });

  test('positions: status and state exclude each other, and two spellings of the token must agree', () => {
    expect(positionListQuery.parse({})).toEqual({ limit: 25, sort_by: 'created_at', sort_direction: 'desc' });
    expect(positionListQuery.safeParse({ status: 'open', state: 'active' }).success).toBe(false);
    expect(positionListQuery.safeParse({ token_id: '1', venue_token_id: '2' }).success).toBe(false);
    expect(positionListQuery.safeParse({ token_id: '1', venue_token_id: '1' }).success).toBe(true);
  });
});
