import type { Position, PositionTransaction } from '@core/position';
import { foldPosition, lowerHex } from '@core/position';
import {
  authorized,
  context,
  ended,
  hashOf,
  historyOf,
  nothing as noMoney,
  reduced,
  samplePosition,
  untilOpen,
  usdc,
} from '@core/position/testing';
import { tokenUnits, usdcUnits } from '@core/pricing';
import { type PositionWire, position, positionTransactions } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  codeOf,
  fieldOf,
  startTestApi,
  type TestAnswer,
  type TestApi,
  textWithoutId,
  wallets,
} from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;
let bob: string;
const minute = 60_000;

/** 20 USDC at 5x with added margin, half sold by the owner, and half of the rest by the service. */
const life = foldPosition(
  historyOf(
    ...untilOpen,
    { name: 'MarginAdded', args: { principalUsdcUnits: usdc(10_000_000), lifetimeFeeUsdcUnits: usdc(900) } },
    authorized('close'),
    ended('close'),
    reduced('close', 'open', {
      distribution: {
        ...noMoney,
        proceedsUsdcUnits: usdc(55_000_000),
        principalUsdcUnits: usdc(35_000_000),
        userUsdcUnits: usdc(20_000_000),
      },
    }),
    authorized('unwind'),
    ended('unwind'),
    reduced('unwind', 'open', {
      soldTokenUnits: tokenUnits(50_000_000n),
      tokenUnits: tokenUnits(50_000_000n),
      distribution: {
        ...noMoney,
        proceedsUsdcUnits: usdc(24_000_000),
        principalUsdcUnits: usdc(20_000_000),
        userUsdcUnits: usdc(4_000_000),
      },
    }),
  ),
  { ...context, unwindOrders: new Map([[hashOf(50), { reason: 'price_drop_severe', rung: null }]]) },
);

beforeAll(async () => {
  api = await startTestApi();
  alice = await api.userOf(wallets.alice);
  bob = await api.userOf(wallets.bob);
  const record = await api.store.markets.byTicker('btc-up');
  const nowMs = api.clock.nowMs();
  const own: Partial<Position> = {
    partnerId: api.partners[0]?.record.id ?? '',
    walletAddress: lowerHex(wallets.alice),
    marketId: record?.id ?? '',
    venueMarketId: record?.venueMarketId ?? '0x',
    venueTokenId: record?.yesTokenId ?? '',
  };
  const at = (minutesAgo: number): Partial<Position> => {
    const createdAtMs = nowMs - minutesAgo * minute;
    const openedAtMs = createdAtMs + 4_000;
    return { createdAtMs, openedAtMs, principalChangedAtMs: openedAtMs, leverageChangedAtMs: openedAtMs };
  };
  const put = (number: number, changes: Partial<Position>, transactions: readonly PositionTransaction[] = []) =>
    api.store.positions.put({
      position: samplePosition(number, { ...own, ...changes }),
      transactions,
      unwinds: [],
      partialCloses: [],
      ledger: number === 1 ? (life?.ledger ?? []) : [],
    });
  await put(1, at(30));
  await put(2, {
    ...at(20),
    chainState: 'pending',
    status: 'pending',
    openedAtMs: null,
    principalChangedAtMs: null,
    leverageChangedAtMs: null,
    spentUsdcUnits: null,
    openedTokenUnits: null,
    openedMarkPricePips: null,
  });
  await put(3, {
    ...at(10),
    chainState: 'closed',
    status: 'closed',
    closeReason: 'closed',
    closedAtMs: nowMs - minute,
    tokenUnits: tokenUnits(0n),
    principalUsdcUnits: usdcUnits(0n),
    proceedsUsdcUnits: usdcUnits(25_000_000n),
    collectedLifetimeFeeUsdcUnits: usdcUnits(500n),
  });
  await put(4, {
    ...at(5),
    chainState: 'reverted',
    status: 'cancelled',
    closeReason: 'reverted',
    failureReason: 'order_not_filled',
    closedAtMs: nowMs - 2 * minute,
    spentUsdcUnits: null,
    openedTokenUnits: null,
    openedAtMs: null,
    refundedUsdcUnits: usdcUnits(24_500_000n),
  });
  await put(5, { ...at(4), walletAddress: lowerHex(wallets.bob) });
  await put(6, { ...at(3), partnerId: api.partners[1]?.record.id ?? '' });
});
afterAll(() => api.close());

const get = (path: string, authorization = alice): Promise<TestAnswer> => api.call(path, { authorization });
const idOf = (number: number): string => samplePosition(number).id;

function shown(item: unknown): PositionWire {
  const wire = position.encode(position.parse(item));
  expect(wire).toEqual(item);
  return wire;
}

async function idsOf(query: string): Promise<readonly string[]> {
  const answer = await get(`/positions?${query}`);
  expect([answer.status, codeOf(answer)]).toEqual([200, undefined]);
  const data = fieldOf(answer.body, 'data');
  return Array.isArray(data) ? data.map((item: unknown) => shown(item).id) : [];
}

describe('GET /positions', () => {
  test("lists the wallet's positions within its partner, newest first", async () => {
    expect(await idsOf('')).toEqual([4, 3, 2, 1].map(idOf));
  });

  test.each([
    ['state=active', [2, 1]],
    ['state=inactive', [4, 3]],
    ['status=open', [1]],
    ['status=closed', [3]],
    ['sort_direction=asc', [1, 2, 3, 4]],
    ['sort_by=closed_at', [3, 4, 2, 1]],
    ['limit=2', [4, 3]],
    ['ticker=btc-up', [4, 3, 2, 1]],
    ['ticker=eth-up', []],
  ])('%s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected.map(idOf));
  });

  test('cursors page through, a cursor of another wallet is invalid', async () => {
    expect(await idsOf(`limit=2&starting_after=${idOf(3)}`)).toEqual([2, 1].map(idOf));
    expect(await idsOf(`limit=2&ending_before=${idOf(1)}`)).toEqual([3, 2].map(idOf));
    expect(codeOf(await get(`/positions?starting_after=${idOf(5)}`))).toBe('invalid_request');
    expect(codeOf(await get('/positions?starting_after=nonsense'))).toBe('invalid_request');
  });

  test('scoped routes filter by market, event and series, and refuse unknown ones', async () => {
    for (const path of ['/markets/btc-up', '/events/event-of-btc-up', '/series/series-1']) {
      const answer = await get(`${path}/positions?expand=total_count`);
      expect(fieldOf(answer.body, 'total_count')).toBe(4);
      const narrowed = await get(`${path}/positions?expand=total_count&ticker=eth-up`);
      expect(narrowed.body).toEqual({ data: [], has_more: false, total_count: 0 });
    }
    expect(codeOf(await get('/markets/unknown/positions'))).toBe('customer_market_not_found');
    expect(codeOf(await get('/events/unknown/positions'))).toBe('customer_event_not_found');
    expect(codeOf(await get('/series/unknown/positions'))).toBe('customer_series_not_found');
  });
});

describe('one position', () => {
  test('an open one is valued at the mark', async () => {
    const wire = shown((await get(`/positions/${idOf(1)}`)).body);
    expect(wire).toMatchObject({
      status: 'open',
      wallet_address: wallets.alice,
      effective_leverage_bps: 50_000,
      failure: null,
      // 200 tokens at a mark of 0.80 less 80 USDC of principal.
      current: { mark_price_usd: '0.80', position_value_usd: '160.00', min_partial_close_token_units: '40000000' },
      risk: { health_bps: 10_000, liquidation_fee_bps: 100 },
      timing: { settlement_state: 'none', market_status: 'active', is_settlement_pending: false },
      entry: { collateral_usd: '20.00', notional_usd: '100.00', initial_fill_bps: 10_000, open_latency_ms: 4_000 },
    });
    expect(wire).not.toHaveProperty('close_reason');
  });

  test('a pending one shows the quote, without profit or loss', async () => {
    expect(shown((await get(`/positions/${idOf(2)}`)).body)).toMatchObject({
      status: 'pending',
      entry: { effective_entry_price_usd: null, initial_fill_bps: null, opened_at: null },
      current: { unrealized_pnl_usd: '0.00', net_unrealized_pnl_bps: 0, remaining_bps: null },
      risk: { health_bps: 10_000 },
    });
  });

  test('a closed one shows its result: net is all received less all paid', async () => {
    // 25 received for 20 of collateral, 1 of origination and 3.40 of opening fees.
    expect(shown((await get(`/positions/${idOf(3)}`)).body)).toMatchObject({
      status: 'closed',
      close_reason: 'closed',
      result: { proceeds_usd: '25.00', realized_pnl_usd: '5.00', net_realized_pnl_usd: '0.60' },
      fees: { origination_fee_usd: '1.00', total_venue_fee_usd: '3.40' },
    });
  });

  test('a reverted one has its collateral back and no fees', async () => {
    expect(shown((await get(`/positions/${idOf(4)}`)).body)).toMatchObject({
      status: 'cancelled',
      close_reason: 'reverted',
      failure: { reason: 'order_not_filled' },
      result: { proceeds_usd: '20.00', realized_pnl_usd: '0.00', net_realized_pnl_usd: '0.00' },
      entry: { origination_fee_usd: '0.00' },
      fees: { total_fees_usd: '0.00', origination_fee_usd: '0.00' },
    });
  });

  test('`expand=unwinds` adds the completed ones', async () => {
    const wire = shown((await get(`/positions/${idOf(1)}?expand=unwinds,planned_unwinds`)).body);
    expect(wire.unwinds).toMatchObject({ data: [], has_more: false, origination_leverage_bps: 50_000 });
    expect(wire).not.toHaveProperty('planned_unwinds');
    expect(shown((await get(`/positions/${idOf(1)}`)).body)).not.toHaveProperty('unwinds');
  });

  test('`expand=ledger` adds each movement and the totals, also in lists', async () => {
    const { ledger } = shown((await get(`/positions/${idOf(1)}?expand=ledger`)).body);
    expect(ledger).toMatchObject({
      paid_in_usdc_units: '34400900',
      paid_out_usdc_units: '24000000',
      fee_usdc_units: '4400900',
      sold_token_units: '150000000',
      average_exit_price_usd_pips: '5266',
      has_more: false,
    });
    expect(ledger?.data.map(({ kind, price_usd_pips: price }) => [kind, price])).toEqual([
      ['opening', '5000'],
      ['margin', null],
      ['close', '5500'],
      ['unwind', '4800'],
    ]);
    expect(ledger?.data.at(-1)).toMatchObject({
      token_units: '50000000',
      trade_usdc_units: '24000000',
      repaid_usdc_units: '20000000',
      paid_out_usdc_units: '4000000',
      realized_pnl_usdc_units: '0',
      remaining_token_units: '50000000',
      reason: 'price_drop_severe',
    });
    const { body } = await get('/positions?expand=ledger');
    expect(fieldOf(body, 'data')).toContainEqual(expect.objectContaining({ ledger }));
    expect(shown((await get(`/positions/${idOf(1)}`)).body)).not.toHaveProperty('ledger');
  });

  test("another wallet's, another partner's, unknown and malformed IDs are not found, all alike", async () => {
    const ids = [idOf(5), idOf(6), idOf(99), 'nonsense'];
    const answers = await Promise.all(ids.map((id) => get(`/positions/${id}`)));
    expect(answers.map(codeOf)).toEqual(ids.map(() => 'customer_position_not_found'));
    expect(new Set(answers.map(textWithoutId)).size).toBe(1);
    expect(codeOf(await get(`/positions/${idOf(5)}/transactions`))).toBe('customer_position_transactions_not_found');
    expect((await get(`/positions/${idOf(5)}`, bob)).status).toBe(200);
  });
});

describe('transactions', () => {
  test('nine groups, exchange hashes only where a purpose routes to the exchange', async () => {
    const nothing = await get(`/positions/${idOf(1)}/transactions`);
    expect(positionTransactions.parse(nothing.body)).toEqual(nothing.body);
    expect(Object.keys(positionTransactions.parse(nothing.body))).toHaveLength(9);
  });
});
