import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { type MarketWire, market } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, fieldOf, startTestApi, type TestAnswer, type TestApi, wallets } from '../../testing/startTestApi.ts';

const tickers = ['a-market', 'b-market', 'c-market', 'd-market', 'e-market'];
let api: TestApi;
let alice: string;

beforeAll(async () => {
  api = await startTestApi({ tickers });
  alice = await api.userOf(wallets.alice);
});
afterAll(() => api.close());

const get = (path: string): Promise<TestAnswer> => api.call(path, { authorization: alice });

function listed(answer: TestAnswer): readonly MarketWire[] {
  expect([answer.status, codeOf(answer)]).toEqual([200, undefined]);
  const data = fieldOf(answer.body, 'data');
  if (!Array.isArray(data)) throw new Error('a list has data');
  return data.map((item: unknown) => {
    const wire = market.encode(market.parse(item));
    expect(wire).toEqual(item);
    return wire;
  });
}

async function tickersOf(query: string): Promise<{ tickers: readonly string[]; hasMore: unknown }> {
  const answer = await get(`/markets?${query}`);
  return { tickers: listed(answer).map(({ ticker }) => ticker), hasMore: fieldOf(answer.body, 'has_more') };
}

/** A request without the `Cache-Control` that fetch adds to conditional ones. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const [response] = (await once(httpGet(url, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('GET /markets', () => {
  test('lists every active market with figures that fit the schema', async () => {
    const markets = listed(await get('/markets'));
    expect(markets.map(({ ticker }) => ticker)).toEqual(tickers);
    const [first] = markets;
    expect(first).toMatchObject({
      accepting_new_positions: true,
      rejection_reason_code: null,
      sided_eligibility: { yes: { accepting_new_positions: true, rejection_reason_code: null } },
      min_notional_usd: '5.00',
      leverage: { min_bps: 20_000, step_bps: 2_500 },
      status: 'active',
    });
    expect(first).not.toHaveProperty('prices');
    expect(fieldOf((await get('/markets')).body, 'total_count')).toBeUndefined();
  });

  test('the maximum is the least of its limits', async () => {
    for (const { max_notional_yes_usd_pips: maximum, ...rest } of listed(await get('/markets'))) {
      const bounds = [rest.capacity_max_notional_yes_usd_pips, rest.slippage_max_notional_yes_usd_pips];
      for (const bound of bounds) expect(BigInt(maximum ?? -1)).toBeLessThanOrEqual(BigInt(bound ?? 0));
    }
  });

  test('the largest notional is granted at the minimum leverage, and a cent more is not', async () => {
    const [first] = listed(await get('/markets?limit=1'));
    const maximum = BigInt(first?.max_notional_yes_usd_pips ?? 0);
    const quoteOf = async (pips: bigint) => {
      const answer = await api.call('/quotes', {
        authorization: alice,
        body: {
          market_ticker: first?.ticker,
          effective_side: 'yes',
          leverage_bps: 20_000,
          notional_amount_usd_pips: String(pips),
          slippage_bps: 500,
        },
      });
      return fieldOf(answer.body, 'notional_amount_usd_pips') ?? codeOf(answer);
    };
    expect(await quoteOf(maximum + 100n)).toBe('quote_user_position_limit_exceeded');
    expect(await quoteOf(maximum)).toBe(String(maximum));
  });

  test('capacity is unknown without the pool, and then so is the maximum', async () => {
    const { reading } = api.pool;
    api.pool.reading = null;
    const [first] = listed(await get('/markets?limit=1'));
    expect(first).toMatchObject({ capacity_max_notional_yes_usd: null, max_notional_yes_usd: null });
    api.pool.reading = reading;
  });

  test('prices only when asked for, null without recent data', async () => {
    const [first] = listed(await get('/markets?expand=prices,total_count'));
    expect(first?.prices).toMatchObject({ yes_ask_price_usd: '0.805', yes_ask_price_usd_pips: '8050' });
    api.live.bookAgeMs = 6_000;
    const [stale] = listed(await get('/markets?expand=prices'));
    expect(stale).toMatchObject({
      prices: null,
      accepting_new_positions: false,
      rejection_reason_code: 'QUOTE_MARKET_RISK_TOO_HIGH',
      slippage_max_notional_yes_usd: null,
    });
    api.live.bookAgeMs = 100;
  });

  test('pages forward and backward cover the list once', async () => {
    const first = await tickersOf('limit=2');
    expect(first).toEqual({ tickers: ['a-market', 'b-market'], hasMore: true });
    const second = await tickersOf('limit=2&starting_after=b-market');
    expect(second).toEqual({ tickers: ['c-market', 'd-market'], hasMore: true });
    expect(await tickersOf('limit=2&starting_after=d-market')).toEqual({ tickers: ['e-market'], hasMore: false });
    expect(await tickersOf('limit=2&ending_before=e-market')).toEqual({
      tickers: ['c-market', 'd-market'],
      hasMore: true,
    });
    expect(await tickersOf('limit=2&ending_before=b-market')).toEqual({ tickers: ['a-market'], hasMore: false });
  });

  test.each(['depth_desc', 'discovered_at_desc', 'ticker_asc'])('%s is a total order, page by page', async (sort) => {
    const whole = (await tickersOf(`sort=${sort}`)).tickers;
    const pages: string[] = [];
    for (let cursor = ''; ; cursor = `&starting_after=${pages.at(-1)}`) {
      const page = await tickersOf(`sort=${sort}&limit=2${cursor}`);
      pages.push(...page.tickers);
      if (page.hasMore !== true) break;
    }
    expect(pages).toEqual(whole);
  });

  test.each([
    ['query=a-market', ['a-market']],
    ['query=A-MARKET', ['a-market']],
    ['query=of%20b-m', ['b-market']],
    ['query=nothing', []],
    ['category=sport', []],
    ['category=crypto&provider=venue', tickers],
    ['status=closed', []],
    ['accepting_new_positions=true', tickers],
    ['accepting_new_positions=false', []],
  ])('%s', async (query, expected) => {
    expect((await tickersOf(query)).tickers).toEqual(expected);
  });

  test('a token id finds its market', async () => {
    const [first] = listed(await get('/markets?limit=1'));
    expect((await tickersOf(`query=${first?.venue.no_token_id}`)).tickers).toEqual([first?.ticker]);
  });

  test.each([
    'starting_after=unknown',
    'limit=0',
    'limit=101',
    'sort=x',
    'expand=unwinds',
    'starting_after=a-market&ending_before=b-market',
  ])('%s is an invalid request', async (query) => {
    expect(codeOf(await get(`/markets?${query}`))).toBe('invalid_request');
  });

  test('a final market is still listed, with what it paid, and takes nothing', async () => {
    const record = await api.store.markets.byTicker('e-market');
    const nowMs = api.clock.nowMs();
    for (const status of ['closed', 'determined', 'finalized'] as const) {
      await api.store.markets.moveStatus(record?.id ?? '', status, nowMs);
    }
    await expect.poll(async () => (await tickersOf('status=finalized')).tickers).toEqual(['e-market']);
    const [final] = listed(await get('/markets?status=finalized&expand=prices'));
    expect(final).toMatchObject({
      status: 'finalized',
      rejection_reason_code: 'QUOTE_MARKET_NOT_ACTIVE',
      prices: null,
      max_notional_yes_usd: '0.00',
    });
    await expect.poll(() => api.live.snapshotOf('e-market')).toBeNull();
    const body = {
      market_ticker: 'e-market',
      effective_side: 'yes',
      leverage_bps: 20_000,
      notional_amount_usd_pips: '1000000',
      slippage_bps: 300,
    };
    expect(codeOf(await api.call('/quotes', { authorization: alice, body }))).toBe('quote_market_not_active');
    expect(codeOf(await api.call('/quotes', { authorization: alice, body: { ...body, market_ticker: 'none' } }))).toBe(
      'customer_market_not_found',
    );
  });

  test('a disabled market names its reason, and quotes on it too', async () => {
    const record = await api.store.markets.byTicker('c-market');
    await api.store.markets.setDisabled(record?.id ?? '', 'force_disabled', api.clock.nowMs());
    await expect.poll(async () => (await tickersOf('accepting_new_positions=false')).tickers).toEqual(['c-market']);
    const body = {
      market_ticker: 'c-market',
      effective_side: 'yes',
      leverage_bps: 20_000,
      notional_amount_usd_pips: '1000000',
      slippage_bps: 300,
    };
    expect((await api.call('/quotes', { authorization: alice, body })).body).toMatchObject({
      error: { code: 'risk_engine_market_disabled', params: { reason: 'force_disabled' } },
    });
  });
});

describe('single market, search, events and series', () => {
  test('one market and lists: rules and their source when asked for', async () => {
    const rules = { rules: 'Resolves to "Up" when the price rises.', resolution_source: 'https://example.com/prices' };
    const one = (await get('/markets/a-market?expand=rules,prices')).body;
    expect(one).toMatchObject({ ...rules, yes_sub_title: 'Up', no_sub_title: 'Down', prices: expect.anything() });
    const [first] = listed(await get('/markets?expand=rules'));
    expect(first).toMatchObject(rules);
    expect(first).not.toHaveProperty('prices');
    expect((await get('/markets/a-market')).body).not.toHaveProperty('rules');
  });

  test('one market, with prices when asked for', async () => {
    const answer = await get('/markets/a-market');
    expect(market.encode(market.parse(answer.body))).toEqual(answer.body);
    expect(answer.body).not.toHaveProperty('prices');
    expect(fieldOf((await get('/markets/a-market?expand=prices')).body, 'prices', 'no_bid_price_usd')).toBe('0.395');
    expect(codeOf(await get('/markets/unknown'))).toBe('customer_market_not_found');
  });

  test('the deprecated search needs its query', async () => {
    expect(codeOf(await get('/markets/search'))).toBe('invalid_request');
    expect(listed(await get('/markets/search?query=a-market'))).toHaveLength(1);
  });

  test('events and series', async () => {
    expect(listed(await get('/events/event-of-a-market/markets')).map(({ ticker }) => ticker)).toEqual(['a-market']);
    expect(listed(await get('/series/series-1/markets?status=closed'))).toEqual([]);
    expect(codeOf(await get('/events/unknown/markets'))).toBe('customer_event_not_found');
    expect(codeOf(await get('/series/unknown/markets'))).toBe('customer_series_not_found');
  });

  test('the same list twice is answered from the cache of the client', async () => {
    const { headers } = await get('/markets');
    const again = await statusOf(`${api.api.url}/markets`, {
      Authorization: alice,
      'If-None-Match': headers.get('etag') ?? '',
    });
    expect(again).toBe(304);
  });
});
