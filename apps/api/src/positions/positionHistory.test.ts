import type { Position, PositionPartialClose, PositionUnwind } from '@core/position';
import { lowerHex } from '@core/position';
import { hashOf, samplePosition } from '@core/position/testing';
import { leverageBps, pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import { type RouteDefinition, routes } from '@core/wire';
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
let nowMs: number;
const minute = 60_000;
const finalizedNumber = 100n;

/** Two tokens in three were sold one after the other, the last of them in a block that is not final yet. */
const partialCloses = (): readonly PositionPartialClose[] =>
  [0, 1, 2, 3].map((sequence) => ({
    sequence,
    executedAtMs: nowMs - (10 - sequence) * minute,
    soldTokenUnits: tokenUnits(40_000_000n),
    saleProceedsUsdcUnits: usdcUnits(22_222_255n),
    capitalRepaidUsdcUnits: usdcUnits(16_000_000n),
    userPayoutUsdcUnits: usdcUnits(6_000_199n),
    remainingTokenUnits: tokenUnits(200_000_000n - 40_000_000n * BigInt(sequence + 1)),
    newLeverageBps: leverageBps(50_000n),
    blockNumber: finalizedNumber - 2n + BigInt(sequence),
  }));

const unwindsOf = (count: number): readonly PositionUnwind[] =>
  Array.from({ length: count }, (_, sequence) => ({
    sequence,
    executedAtMs: nowMs - (count - sequence) * 1_000,
    beforeLeverageBps: leverageBps(50_000n - BigInt(sequence) * 100n),
    afterLeverageBps: leverageBps(50_000n - BigInt(sequence + 1) * 100n),
    reason: [null, 'price_drop_severe', 'moon_phase'][sequence % 3] ?? null,
    rung: null,
    blockNumber: 7n,
  }));

/** Three rungs, of which the second was carried out: leverage is at its target, so the first one is not needed. */
const ladder: NonNullable<Position['quotedRisk']> = {
  exitSeconds: 60,
  plannedUnwinds: [
    { rung: 1, triggerPricePips: pricePips(4_700n), targetLeverageBps: leverageBps(42_500n) },
    { rung: 2, triggerPricePips: pricePips(4_550n), targetLeverageBps: leverageBps(30_000n) },
    { rung: 3, triggerPricePips: pricePips(4_400n), targetLeverageBps: leverageBps(20_000n) },
  ],
  signature: '0x',
};
const rungUnwind = (): PositionUnwind => ({
  sequence: 0,
  executedAtMs: nowMs - 1_000,
  beforeLeverageBps: leverageBps(50_000n),
  afterLeverageBps: leverageBps(30_000n),
  reason: 'price_drop_warning',
  rung: 2,
  blockNumber: 7n,
});

beforeAll(async () => {
  api = await startTestApi();
  alice = await api.userOf(wallets.alice);
  bob = await api.userOf(wallets.bob);
  nowMs = api.clock.nowMs();
  const market = await api.store.markets.byTicker('btc-up');
  const put = (number: number, changes: Partial<Position>, unwinds: readonly PositionUnwind[]) =>
    api.store.positions.put({
      position: samplePosition(number, {
        partnerId: api.partners[0]?.record.id ?? '',
        walletAddress: lowerHex(wallets.alice),
        marketId: market?.id ?? '',
        ...changes,
      }),
      transactions: [],
      unwinds,
      partialCloses: number === 1 ? partialCloses() : [],
      ledger: [],
    });
  await put(1, {}, unwindsOf(3));
  const committed = { riskMode: 'committed', quotedRisk: ladder } as const;
  await put(2, { ...committed, structuralLeverageBps: leverageBps(30_000n) }, [rungUnwind()]);
  await put(3, committed, unwindsOf(101));
  await put(4, committed, unwindsOf(98));
  const [rung] = ladder.plannedUnwinds;
  const plannedUnwinds = rung === undefined ? [] : Array.from({ length: 101 }, () => rung);
  await put(5, { ...committed, quotedRisk: { ...ladder, plannedUnwinds } }, []);
  const block = { chainKey: 'test', blockNumber: finalizedNumber, blockHash: hashOf(1), blockTimeMs: nowMs };
  await api.store.chain.advance({ cursor: { ...block, finalizedNumber }, blocks: [], events: [] });
});
afterAll(() => api.close());

const idOf = (number: number): string => samplePosition(number).id;
const get = (path: string, authorization = alice): Promise<TestAnswer> => api.call(path, { authorization });

function rowsOf(answer: TestAnswer, route: RouteDefinition): readonly unknown[] {
  expect([answer.status, codeOf(answer)]).toEqual([200, undefined]);
  const { schema } = route.response;
  expect(schema.encode(schema.decode(answer.body))).toEqual(answer.body);
  const data = fieldOf(answer.body, 'data');
  return Array.isArray(data) ? data : [];
}

describe('GET /positions/{position_id}/partial-closes', () => {
  const path = (query = '', number = 1): string => `/positions/${idOf(number)}/partial-closes${query}`;
  const timesOf = (answer: TestAnswer) =>
    rowsOf(answer, routes.listPartialCloses).map((row) => fieldOf(row, 'executed_at'));
  const at = (sequence: number): string => new Date(nowMs - (10 - sequence) * minute).toISOString();

  test('lists what is final on chain, in order of time, rounded down', async () => {
    const answer = await get(path());
    const rows = rowsOf(answer, routes.listPartialCloses);
    expect(timesOf(answer)).toEqual([at(0), at(1), at(2)]);
    expect(answer.body).toMatchObject({ has_more: false });
    expect(answer.body).not.toHaveProperty('total_count');
    expect(rows[0]).toEqual({
      executed_at: at(0),
      sold_token_units: '40000000',
      average_sale_price_usd_pips: '5555',
      average_sale_price_usd: '0.5555',
      sale_proceeds_usd_pips: '222222',
      sale_proceeds_usd: '22.2222',
      capital_repaid_usd_pips: '160000',
      capital_repaid_usd: '16.00',
      user_payout_usd_pips: '60001',
      user_payout_usd: '6.0001',
      remaining_position_token_units: '160000000',
      new_leverage_bps: 50_000,
    });
  });

  test('pages by limit and by cursors of `executed_at`', async () => {
    const first = await get(path('?limit=1&expand=total_count'));
    expect(timesOf(first)).toEqual([at(0)]);
    expect(first.body).toMatchObject({ has_more: true, total_count: 3 });
    const rest = await get(path(`?limit=2&starting_after=${at(0)}`));
    expect(timesOf(rest)).toEqual([at(1), at(2)]);
    expect(rest.body).toMatchObject({ has_more: false });
    const before = await get(path(`?limit=1&ending_before=${at(2)}`));
    expect(timesOf(before)).toEqual([at(1)]);
    expect(before.body).toMatchObject({ has_more: true });
  });

  test.each(['?limit=0', '?starting_after=nonsense', '?ending_before=2020-01-01T00:00:00.000Z', '?status=executed'])(
    '%s is malformed or names nothing',
    async (query) => {
      expect(codeOf(await get(path(query)))).toBe('invalid_request');
    },
  );

  test('a cursor that is not final yet names nothing', async () => {
    expect(codeOf(await get(path(`?starting_after=${at(3)}`)))).toBe('invalid_request');
  });

  test('both cursors are malformed, none is an empty list', async () => {
    expect(codeOf(await get(path(`?starting_after=${at(0)}&ending_before=${at(2)}`)))).toBe('invalid_request');
    expect((await get(path('', 2))).body).toEqual({ data: [], has_more: false });
  });

  test("a stranger's position is not found, like one that does not exist", async () => {
    const answers = [await get(path(), bob), await get(path('', 99)), await get('/positions/nonsense/partial-closes')];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'customer_position_not_found'));
    expect(new Set(answers.map(textWithoutId)).size).toBe(1);
  });
});

describe('GET /positions/{position_id}/unwinds', () => {
  const path = (query = '', number = 1): string => `/positions/${idOf(number)}/unwinds${query}`;

  test('answers the `unwinds` expansion by default', async () => {
    const answer = await get(path());
    const expanded = await get(`/positions/${idOf(1)}?expand=unwinds`);
    expect(answer.body).toEqual(fieldOf(expanded.body, 'unwinds'));
    expect(rowsOf(answer, routes.listUnwinds)).toMatchObject([
      { before_leverage_bps: 50_000, after_leverage_bps: 49_900, reason: null, reason_detail: null },
      { before_leverage_bps: 49_900, after_leverage_bps: 49_800, reason: 'price_drop_severe' },
      { before_leverage_bps: 49_800, after_leverage_bps: 49_700, reason: 'unknown' },
    ]);
    expect((await get(path('?status=executed'))).body).toEqual(answer.body);
  });

  test('`planned` leaves executed rows out, `all` keeps them', async () => {
    expect(rowsOf(await get(path('?status=planned')), routes.listUnwinds)).toEqual([]);
    expect(rowsOf(await get(path('?status=all')), routes.listUnwinds)).toHaveLength(3);
  });

  test('lists a hundred rows and says that there are more', async () => {
    const answer = await get(path('?status=all', 3));
    expect(rowsOf(answer, routes.listUnwinds)).toHaveLength(100);
    expect(answer.body).toMatchObject({ has_more: true });
  });

  test('counts ladder rows among the hundred and reports omitted ones', async () => {
    const both = await get(path('?status=all', 4));
    expect(rowsOf(both, routes.listUnwinds)).toHaveLength(100);
    expect(both.body).toMatchObject({ has_more: true });
    expect(rowsOf(both, routes.listUnwinds).slice(-2)).toMatchObject([{ rung: 1 }, { rung: 2 }]);
    expect((await get(path('', 4))).body).toMatchObject({ has_more: false });
    for (const status of ['planned', 'all']) {
      const long = await get(path(`?status=${status}`, 5));
      expect(rowsOf(long, routes.listUnwinds)).toHaveLength(100);
      expect(long.body).toMatchObject({ has_more: true });
    }
  });

  test('`expand=planned_unwinds` shows the ladder of a committed position, and nothing on an adaptive one', async () => {
    const committed = await get(`/positions/${idOf(2)}?expand=planned_unwinds`);
    const rungOf = (rung: number, price: [string, string], target: number) => ({
      rung,
      trigger: { kind: 'price', price_usd_pips: price[0], price_usd: price[1] },
      target_leverage_bps: target,
      triggered_at: null,
      executed_unwind_id: null,
    });
    const rungs = [
      { ...rungOf(1, ['4700', '0.47'], 42_500), status: 'superseded' },
      {
        ...rungOf(2, ['4550', '0.455'], 30_000),
        status: 'triggered',
        triggered_at: new Date(nowMs - 1_000).toISOString(),
        executed_unwind_id: `unw_${idOf(2).slice('pos_'.length)}_1`,
      },
      { ...rungOf(3, ['4400', '0.44'], 20_000), status: 'planned' },
    ];
    expect(fieldOf(committed.body, 'planned_unwinds')).toEqual({ data: rungs, has_more: false });
    expect(fieldOf((await get(`/positions?expand=planned_unwinds&limit=100`)).body, 'data')).toContainEqual(
      expect.objectContaining({ planned_unwinds: { data: rungs, has_more: false } }),
    );
    // The deprecated route: the whole ladder, behind the executed rows where both are asked for.
    expect(fieldOf((await get(path('?status=planned', 2))).body, 'data')).toEqual(rungs);
    const all = fieldOf((await get(path('?status=all', 2))).body, 'data') as readonly unknown[];
    expect(all).toEqual([expect.objectContaining({ after_leverage_bps: 30_000 }), ...rungs]);
    expect(fieldOf((await get(path('', 2))).body, 'data')).toEqual([all[0]]);
    const adaptive = await get(`/positions/${idOf(1)}?expand=planned_unwinds`);
    expect(adaptive.body).not.toHaveProperty('planned_unwinds');
  });

  test('rejects an unknown status; hides positions of other wallets', async () => {
    expect(codeOf(await get(path('?status=superseded')))).toBe('invalid_request');
    expect(codeOf(await get(path(), bob))).toBe('customer_position_not_found');
  });
});
