import { readFileSync, writeFileSync } from 'node:fs';
import { foldPosition, lowerHex, unwindReasons } from '@core/position';
import {
  authorized,
  context,
  ended,
  hashOf,
  historyOf,
  nothing,
  reduced,
  sale,
  samplePosition,
  untilOpen,
} from '@core/position/testing';
import { leverageBps, tokenUnits, usdcUnits } from '@core/pricing';
import { exampleOf, type RouteDefinition, type RouteExample, type RouteName, routes } from '@core/wire';
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

/** One call of every route that must succeed: path with real names in it, and body. */
const calls: ReadonlyArray<readonly [RouteName, string, object?]> = [
  ['createToken', '/tokens', { wallet_address: wallets.bob }],
  ['getContractInfo', '/contract-info'],
  ['getFeeRates', '/fee-rates?ticker=btc-up'],
  ['createFeeReport', '/fee-reports', size],
  ['getPartnerLimits', '/partner-limits'],
  ['getUserLimits', '/user-limits'],
  ['listMarkets', '/markets?expand=prices,total_count'],
  ['searchMarkets', '/markets/search?query=btc'],
  ['getMarket', '/markets/btc-up?expand=prices,rules'],
  ['listEventMarkets', '/events/event-of-btc-up/markets'],
  ['listSeriesMarkets', '/series/series-1/markets'],
  ['getPriceHistory', '/markets/btc-up/price-history?range=1h'],
  ['getOrderBook', '/markets/btc-up/order-book'],
  ['getMarketStatistics', '/market-statistics?tickers=btc-up,eth-up'],
  ['listPositions', '/positions?expand=unwinds,ledger,total_count'],
  ['listMarketPositions', '/markets/btc-up/positions'],
  ['listEventPositions', '/events/event-of-btc-up/positions'],
  ['listSeriesPositions', '/series/series-1/positions'],
  ['getPosition', `/positions/${samplePosition(1).id}?expand=unwinds,ledger`],
  ['getPositionTransactions', `/positions/${samplePosition(1).id}/transactions`],
  ['listPartialCloses', `/positions/${samplePosition(1).id}/partial-closes?expand=total_count`],
  ['listUnwinds', `/positions/${samplePosition(1).id}/unwinds?status=all`],
  ['createQuote', '/quotes?expand=max_gain,transaction', quoteBody],
  ['createDraftQuote', '/draft-quotes?expand=max_gain', quoteBody],
  ['createSampleEvents', '/sample-events', {}],
  ['promoteDraftQuote', '/promoted-quotes/{draft}?expand=max_gain,transaction', {}],
];

const forcedSale = reduced('unwind', 'open', { distribution: { ...nothing, ...sale } });
/** An opening, and a sale by the service. */
const life = foldPosition(historyOf(...untilOpen, authorized('unwind'), ended('unwind'), forcedSale), {
  ...context,
  unwindOrders: new Map([[hashOf(50), { reason: 'price_drop_severe', rung: null }]]),
});

beforeAll(async () => {
  api = await startTestApi({ config: { idNamespace: 'lev' } });
  user = await api.userOf(wallets.alice);
  const nowMs = api.clock.nowMs();
  const record = await api.store.markets.byTicker('btc-up');
  const transaction = { blockNumber: 7n, logIndex: 0 };
  await api.store.positions.put({
    position: samplePosition(1, {
      partnerId: api.partners[0]?.record.id ?? '',
      walletAddress: lowerHex(wallets.alice),
      marketId: record?.id ?? '',
      closeDeferredAtMs: nowMs - 60_000,
    }),
    transactions: [
      {
        ...transaction,
        group: 'open',
        transactionHash: hashOf(31),
        routed: true,
        exchangeTransactionHashes: [hashOf(32)],
      },
      {
        ...transaction,
        group: 'force_unwind',
        transactionHash: hashOf(33),
        routed: true,
        exchangeTransactionHashes: [],
      },
    ],
    unwinds: Object.keys(unwindReasons).map((reason, sequence) => ({
      sequence,
      executedAtMs: nowMs - 600_000 + sequence * 1_000,
      beforeLeverageBps: leverageBps(50_000n - BigInt(sequence) * 1_000n),
      afterLeverageBps: leverageBps(49_000n - BigInt(sequence) * 1_000n),
      reason,
      rung: null,
      blockNumber: 7n,
    })),
    partialCloses: [
      {
        sequence: 0,
        executedAtMs: nowMs - 300_000,
        soldTokenUnits: tokenUnits(40_000_000n),
        saleProceedsUsdcUnits: usdcUnits(22_000_000n),
        capitalRepaidUsdcUnits: usdcUnits(16_000_000n),
        userPayoutUsdcUnits: usdcUnits(6_000_000n),
        remainingTokenUnits: tokenUnits(160_000_000n),
        newLeverageBps: leverageBps(50_000n),
        blockNumber: 7n,
      },
    ],
    ledger: life?.ledger ?? [],
  });
  await api.store.positions.put({
    position: samplePosition(2, {
      partnerId: api.partners[0]?.record.id ?? '',
      walletAddress: lowerHex(wallets.alice),
      marketId: record?.id ?? '',
      chainState: 'closed',
      status: 'closed',
      closeReason: 'closed',
      closedAtMs: nowMs - 60_000,
      tokenUnits: tokenUnits(0n),
      principalUsdcUnits: usdcUnits(0n),
      proceedsUsdcUnits: usdcUnits(25_000_000n),
      collectedLifetimeFeeUsdcUnits: usdcUnits(500n),
    }),
    transactions: [],
    unwinds: [],
    partialCloses: [],
    ledger: [],
  });
  const block = { chainKey: 'test', blockNumber: 9n, blockHash: hashOf(1), blockTimeMs: nowMs };
  await api.store.chain.advance({ cursor: { ...block, finalizedNumber: 9n }, blocks: [], events: [] });
  const draft = await api.call('/draft-quotes', { authorization: user, body: quoteBody });
  draftId = String(fieldOf(draft.body, 'id'));
});
afterAll(async () => {
  await api.close();
  if (!isRecording) return;
  const before: unknown = JSON.parse(readFileSync(examplesFile, 'utf8'));
  writeFileSync(examplesFile, `${JSON.stringify({ ...Object(before), ...recorded }, null, 2)}\n`);
});

/** File of the documents' examples. `RECORD_EXAMPLES=1` writes it from this run. */
const examplesFile = new URL('../../../packages/wire/src/openapi/examples.json', import.meta.url);
const recorded: Record<string, RouteExample> = {};
const isRecording = process.env['RECORD_EXAMPLES'] === '1';

/** Return names and kinds of everything in a value, without numbers, texts and the length of lists. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = new Set(value.map((entry) => JSON.stringify(shapeOf(entry))));
    return [...shapes].toSorted((a, b) => a.localeCompare(b));
  }
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  // The fields of an object have no order.
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(fields.map(([key, entry]) => [key, shapeOf(entry)]));
}

test('every route stands in the table of calls', () => {
  expect(calls.map(([name]) => name).toSorted()).toEqual(Object.keys(routes).toSorted());
});

const namedCalls = calls.map(([name, path, body]) => ({ name, path, body }));
test.each(namedCalls)('$name answers what the interface documents', async ({ name, path, body }) => {
  const route: RouteDefinition = routes[name];
  const authorization = route.auth === 'partner' ? api.keyOf() : user;
  // With a prefix configured, IDs carry it on the way out and need it on the way in.
  const address = path.replace('{draft}', draftId).replace('/pos_', '/lev_pos_');
  const answer = await api.call(address, { authorization, ...(body !== undefined && { body }) });
  expect([answer.status, codeOf(answer)]).toEqual([route.response.status, undefined]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const { schema } = route.response;
  expect(schema.encode(schema.decode(answer.body))).toEqual(answer.body);
  const [plainPath = ''] = address.split('?');
  const params = plainPath.split('/').filter((_part, index) => route.path.split('/')[index]?.startsWith('{') === true);
  recorded[name] = { params, request: body ?? null, response: answer.body };
  // What the documents show has the shape of what is answered.
  const example = isRecording ? recorded[name] : exampleOf(name);
  expect(shapeOf(example)).toEqual(shapeOf(recorded[name]));
});

test('an ID without the prefix names nothing', async () => {
  const answer = await api.call(`/positions/${samplePosition(1).id}`, { authorization: user });
  expect(codeOf(answer)).toBe('customer_position_not_found');
  expect(draftId).toMatch(/^lev_dro_/);
});
