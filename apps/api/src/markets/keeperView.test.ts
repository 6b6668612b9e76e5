import { policyAtExit, policyDefaults } from '@core/policy';
import {
  type FillReport,
  type Heartbeat,
  HeartbeatReader,
  type KeeperReport,
  keeperHeartbeatOf,
  marketShareOf,
} from '@core/runtime';
import { beforeEach, expect, test } from 'vitest';
import { wellReport } from '../../testing/aheadKeeper.ts';
import { KeeperView, type KeptMarket, missingOfKeepers } from './keeperView.ts';

const nowMs = 1_000_000;
const [first, second]: readonly KeptMarket[] = ['mkt_1', 'mkt_2'].map((id) => ({ id, ticker: id, category: 'crypto' }));
if (first === undefined || second === undefined) throw new Error('two markets');

let processMs = 0;
let recorded: Heartbeat[] = [];
let reader: HeartbeatReader;
let view: KeeperView;
beforeEach(() => {
  recorded = [];
  processMs = 0;
  reader = new HeartbeatReader({ all: async () => recorded }, 'keeper', () => processMs);
  view = new KeeperView(reader, policyDefaults);
});

/** Record a keeper's report of `agoMs` before now. */
async function says(address: string, changes: Partial<KeeperReport>, agoMs = 0): Promise<void> {
  const name = keeperHeartbeatOf(address);
  const detail: KeeperReport = { ...wellReport, address, ...changes };
  recorded = recorded.filter((one) => one.name !== name);
  recorded.push({ name, lastHeartbeatAtMs: nowMs - agoMs, detail });
  await reader.refresh();
}

type ShareGroups = KeeperReport['shareGroups'];
const sharesOf = (market: KeptMarket, debtWatchAgeMs: number | null, isHeld = true): ShareGroups =>
  groupOf(market, 64, { debtWatchAgeMs, isHeld });
const groupOf = (
  { id }: KeptMarket,
  shareCount: number,
  state: Pick<ShareGroups[number], 'debtWatchAgeMs' | 'isHeld'>,
): ShareGroups => [{ shareCount, shares: [marketShareOf(id ?? '', shareCount).share], ...state }];

test('of several keepers the one that has the share of a market speaks for it', async () => {
  await says('0xa', { shareGroups: sharesOf(first, 400), isVenueTakingOrders: false });
  await says('0xb', { shareGroups: sharesOf(second, 300), unseenTickers: ['mkt_1'] }, 2_000);
  expect(view.serviceOf(first, nowMs)).toMatchObject({
    isVenueTakingOrders: false,
    debtWatchAgeMs: 400,
    keeperHeartbeatAgeMs: 0,
  });
  expect(view.serviceOf(second, nowMs)).toMatchObject({
    isVenueTakingOrders: true,
    debtWatchAgeMs: 300,
    keeperHeartbeatAgeMs: 2_000,
  });
});

test('a share that was given away is as old as its last look, until the next keeper has looked', async () => {
  await says('0xa', { shareGroups: sharesOf(first, 1_500, false) });
  await says('0xb', { shareGroups: sharesOf(first, null) });
  processMs = 500;
  expect(view.debtWatchAgeMs(first)).toBe(2_000);
  await says('0xb', { shareGroups: sharesOf(first, 100) }, -1_000);
  expect(view.debtWatchAgeMs(first)).toBe(100);
  // The first one says nothing any more, and what it said grows old.
  processMs = 700;
  expect(view.debtWatchAgeMs(first)).toBe(300);
});

test('where no keeper has the share nothing was checked, and the one heard of last says how the service is', async () => {
  expect(view.serviceOf(first, nowMs)).toMatchObject({ keeperHeartbeatAgeMs: null, debtWatchAgeMs: null });
  await says('0xa', { shareGroups: sharesOf(second, 0) }, 3_000);
  await says('0xb', { shareGroups: [], isPriceSignerAnswering: false }, 1_000);
  expect(view.serviceOf(first, nowMs)).toMatchObject({
    keeperHeartbeatAgeMs: 1_000,
    isPriceSignerAnswering: false,
    debtWatchAgeMs: null,
  });
  expect(view.serviceOf({ ...first, id: null }, nowMs).debtWatchAgeMs).toBeNull();
});

test.each([['head_too_old'], ['clock_ahead'], ['nonce_stuck'], ['balance_too_low'], ['chain_unreachable']])(
  'service: the keeper of the market reports %s → as without a keeper, for its markets alone',
  async (problem) => {
    const chain = { headAgeMs: 120_000, leadMs: 0, nonceAgeMs: 0, refusal: null, coin: null, problems: [problem] };
    await says('0xa', { shareGroups: sharesOf(first, 0), chain });
    await says('0xb', { shareGroups: sharesOf(second, 0), chain: { ...chain, headAgeMs: 1_000, problems: [] } });
    expect(view.serviceOf(first, nowMs).keeperHeartbeatAgeMs).toBeNull();
    expect(view.serviceOf(second, nowMs).keeperHeartbeatAgeMs).toBe(0);
  },
);

test('missing: every keeper is stuck → each need once, and nothing while one of them can act', () => {
  const keeperWith = (...problems: string[]) => ({
    chain: { headAgeMs: 0, leadMs: 0, nonceAgeMs: 0, refusal: null, coin: null, problems },
    fills: [],
    fillCosts: [],
  });
  expect(missingOfKeepers([keeperWith('balance_too_low'), keeperWith('balance_too_low', 'nonce_stuck')])).toEqual([
    'keeper_balance_too_low',
    'keeper_nonce_stuck',
  ]);
  expect(missingOfKeepers([keeperWith('balance_too_low'), keeperWith()])).toEqual([]);
  expect(missingOfKeepers([keeperWith('balance_too_low'), { fills: [] }])).toEqual([]);
  expect(missingOfKeepers([])).toEqual(['keeper_silent']);
});

test('missing: grants of a kind are unfilled in a category and filled in no other one, as every keeper reports it', () => {
  const fillsOf = (category: string, filledCount: number, changes: Partial<FillReport> = {}): FillReport => ({
    category,
    kind: 'opening',
    windowMs: 600_000,
    filledCount,
    unfilledCount: 3,
    lastFilledAtMs: null,
    lastUnfilledAtMs: nowMs,
    hasFillers: filledCount > 0,
    ...changes,
  });
  const missing = (...keepers: readonly FillReport[][]) => missingOfKeepers(keepers.map((fills) => ({ fills })));
  const dead = fillsOf('crypto', 0);
  expect(missing([dead])).toEqual(['openings_unfilled']);
  expect(missing([dead, fillsOf('sport', 0, { hasFillers: true, unfilledCount: 1 })])).toEqual(['openings_unfilled']);
  expect(missing([dead, fillsOf('sport', 1)])).toEqual([]);
  expect(missing([dead], [])).toEqual([]);
  const deadSales = { ...dead, kind: 'sale' } as const;
  expect(missing([deadSales, fillsOf('crypto', 1)])).toEqual(['sales_unfilled']);
  expect(missing([dead, deadSales], [dead])).toEqual(['openings_unfilled']);
});

test('the exit time is that of the keeper of the market', async () => {
  const exitOf = (exitSeconds: number): KeeperReport['exits'] => [
    { category: 'crypto', saleCount: 80, p95Ms: 4_000, exitSeconds, isOpen: true },
  ];
  await says('0xa', { shareGroups: sharesOf(first, 0), exits: exitOf(40) });
  await says('0xb', { shareGroups: sharesOf(second, 0), exits: exitOf(80) });
  expect(view.policyOf(first)).toEqual(policyAtExit(policyDefaults, 40));
  expect(view.policyOf(second)).toEqual(policyAtExit(policyDefaults, 80));
});

test('keepers are shown by address for a minute after they were heard of', async () => {
  await says('0xb', {}, 1_000);
  await says('0xa', {}, 59_000);
  await says('0xc', {}, 60_000);
  expect(view.shown(nowMs).map(({ report }) => report.address)).toEqual(['0xa', '0xb']);
});

test('a share is shown with the keeper that checked it last, also when another died with it', async () => {
  const [left, right] = [marketShareOf('mkt_1', 64), marketShareOf('mkt_2', 64)];
  await says('0xa', { shareGroups: [...sharesOf(first, 300), ...sharesOf(second, 300)] }, 3_000);
  processMs = 3_000;
  await says('0xb', { shareGroups: sharesOf(first, 200) });
  const shares = () => view.shown(nowMs).map((keeper) => keeper.shares);
  expect(shares()).toEqual([[right], [left]]);
  // One that was given up is no keeper's until the next one has taken it.
  await says('0xb', { shareGroups: sharesOf(first, 100, false) }, -1_000);
  expect(shares()).toEqual([[right], []]);
  // Both keepers die: no share is shown once its last check is too old for quotes.
  processMs += 5_000;
  expect(shares()).toEqual([[], []]);
});

test('a change of the share count: the last check of a market counts, of whatever share and keeper', async () => {
  // The first keeper has released its larger share, and the second one has begun with a smaller one.
  await says('0xa', { shareGroups: groupOf(first, 8, { isHeld: false, debtWatchAgeMs: 1_500 }) });
  await says('0xb', { shareGroups: groupOf(first, 64, { isHeld: true, debtWatchAgeMs: null }) }, 1_000);
  expect(view.debtWatchAgeMs(first)).toBe(1_500);
  expect(view.debtWatchAgeMs(second)).toBeNull();
  expect(view.shown(nowMs).map(({ shares }) => shares)).toEqual([[], []]);
  await says('0xb', { shareGroups: groupOf(first, 64, { isHeld: true, debtWatchAgeMs: 200 }) });
  expect(view.debtWatchAgeMs(first)).toBe(200);
  expect(view.shown(nowMs).map(({ shares }) => shares)).toEqual([[], [marketShareOf('mkt_1', 64)]]);
  // One keeper with both: the larger share ages while the smaller one is checked.
  const both = [
    ...groupOf(first, 8, { isHeld: false, debtWatchAgeMs: 9_000 }),
    ...groupOf(first, 64, { isHeld: true, debtWatchAgeMs: 100 }),
  ];
  await says('0xb', { shareGroups: both }, -1_000);
  expect(view.debtWatchAgeMs(first)).toBe(100);
});
