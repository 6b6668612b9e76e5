import { samplePosition } from '@core/store/testing';
import { notImplementedRoutes, type RouteDefinition, type RouteName, routes } from '@core/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, fieldOf, startTestApi, type TestApi, wallets } from '../testing/startTestApi.ts';

let api: TestApi;
let user: string;
let draftId: string;

const size = {
  market_ticker: 'btc-up',
  effective_side: 'no',
  leverage_bps: 20_000,
  notional_amount_usd_pips: '1000000',
};
const quoteBody = { ...size, slippage_bps: 500 };

/** One call of every built route that must succeed: path with real names in it, and body. */
const calls: ReadonlyArray<readonly [RouteName, string, object?]> = [
  ['createToken', '/tokens', { wallet_address: wallets.bob }],
  ['getContractInfo', '/contract-info'],
  ['getFeeRates', '/fee-rates?ticker=btc-up'],
  ['createFeeReport', '/fee-reports', size],
  ['getPartnerLimits', '/partner-limits'],
  ['getUserLimits', '/user-limits'],
  ['listMarkets', '/markets?expand=prices,total_count'],
  ['searchMarkets', '/markets/search?query=btc'],
  ['getMarket', '/markets/btc-up?expand=prices'],
  ['listEventMarkets', '/events/event-of-btc-up/markets'],
  ['listSeriesMarkets', '/series/series-1/markets'],
  ['listPositions', '/positions?expand=unwinds,total_count'],
  ['listMarketPositions', '/markets/btc-up/positions'],
  ['listEventPositions', '/events/event-of-btc-up/positions'],
  ['listSeriesPositions', '/series/series-1/positions'],
  ['getPosition', `/positions/${samplePosition(1).id}?expand=unwinds`],
  ['getPositionTransactions', `/positions/${samplePosition(1).id}/transactions`],
  ['listPartialCloses', `/positions/${samplePosition(1).id}/partial-closes?expand=total_count`],
  ['listUnwinds', `/positions/${samplePosition(1).id}/unwinds?status=all`],
  ['createQuote', '/quotes?expand=max_gain', quoteBody],
  ['createDraftQuote', '/draft-quotes?expand=max_gain', quoteBody],
  ['promoteDraftQuote', '/promoted-quotes/{draft}?expand=max_gain', {}],
];

beforeAll(async () => {
  api = await startTestApi({ config: { idNamespace: 'lev' } });
  user = await api.userOf(wallets.alice);
  const record = await api.store.markets.byTicker('btc-up');
  await api.store.positions.put({
    position: samplePosition(1, {
      partnerId: api.partners[0]?.record.id ?? '',
      walletAddress: wallets.alice.toLowerCase(),
      marketId: record?.id ?? '',
    }),
    transactions: [],
    unwinds: [],
    partialCloses: [],
  });
  const draft = await api.call('/draft-quotes', { authorization: user, body: quoteBody });
  draftId = String(fieldOf(draft.body, 'id'));
});
afterAll(() => api.close());

test('every built route stands in the table of calls', () => {
  const built = Object.keys(routes).filter((name) => ![...notImplementedRoutes].some((other) => other === name));
  expect(calls.map(([name]) => name).toSorted()).toEqual(built.toSorted());
});

const namedCalls = calls.map(([name, path, body]) => ({ name, path, body }));
test.each(namedCalls)('$name answers what the interface documents', async ({ name, path, body }) => {
  const route: RouteDefinition = routes[name];
  const authorization = route.auth === 'partner' ? api.keyOf() : user;
  // With a lead-in configured, IDs carry it on the way out and need it on the way in.
  const address = path.replace('{draft}', draftId).replace('/pos_', '/lev_pos_');
  const answer = await api.call(address, { authorization, ...(body !== undefined && { body }) });
  expect([answer.status, codeOf(answer)]).toEqual([route.response.status, undefined]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const { schema } = route.response;
  expect(schema.encode(schema.decode(answer.body))).toEqual(answer.body);
});

test.each([...notImplementedRoutes])('%s says that it is not built', async (name) => {
  const route: RouteDefinition = routes[name];
  const address = route.path.replaceAll(/\{\w+\}/g, 'something');
  const authorization = route.auth === 'partner' ? api.keyOf() : user;
  const answer = await api.call(address, { method: route.method, authorization });
  expect([answer.status, codeOf(answer)]).toEqual([501, 'not_implemented']);
});

test('an ID without the lead-in names nothing', async () => {
  const answer = await api.call(`/positions/${samplePosition(1).id}`, { authorization: user });
  expect(codeOf(answer)).toBe('customer_position_not_found');
  expect(draftId).toMatch(/^lev_dro_/);
});
