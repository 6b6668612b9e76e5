import { partnerTermsOf } from '@core/policy';
import { usdcUnits } from '@core/pricing';
import type { KeeperReport } from '@core/runtime';
import { execute, openTestStore, type TestStore } from '@core/store/testing';
import { quotedRiskDigest, recoverQuoteSigner } from '@core/vault';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reportKeeper, sharesSeen } from '../../testing/aheadKeeper.ts';
import { quoteBody } from '../../testing/quoteBody.ts';
import { codeOf, fieldOf, send, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;
let own: TestStore;
const body = { ...quoteBody, leverage_bps: 20_000 };
type Exit = KeeperReport['exits'][number];
const exitOf = (exitSeconds: number, changes: Partial<Exit> = {}): Exit => ({
  category: 'crypto',
  saleCount: 80,
  p95Ms: 4_000,
  exitSeconds,
  isOpen: true,
  ...changes,
});
const deadOpenings: KeeperReport['fills'][number] = {
  category: 'crypto',
  kind: 'opening',
  windowMs: 600_000,
  filledCount: 0,
  unfilledCount: 3,
  lastFilledAtMs: null,
  lastUnfilledAtMs: 1,
  hasFillers: false,
};

beforeAll(async () => {
  own = await openTestStore();
  api = await startTestApi({ store: own, terms: partnerTermsOf({ riskMode: 'committed' }) });
  // Half an hour before the end the exit time matters more than the price.
  api.clock.advanceMs(11.5 * 3_600_000);
  alice = await api.userOf(wallets.alice);
});
afterAll(() => api.close());
beforeEach(() => says({}));

/** Record a keeper's report and wait until the service has read it. */
async function says(changes: Partial<KeeperReport>): Promise<void> {
  await reportKeeper(api.store.heartbeats, { nowMs: api.clock.nowMs(), ...changes });
  const detail = (await api.store.heartbeats.byName('keeper'))?.detail;
  const { unseenTickers, exits, fills } = detail as KeeperReport;
  await expect.poll(keeper).toMatchObject({
    is_venue_taking_orders: changes.isVenueTakingOrders ?? true,
    is_price_signer_answering: changes.isPriceSignerAnswering ?? true,
    unseen_markets: unseenTickers,
    exits: exits.map(({ exitSeconds, isOpen }) => ({ exit_seconds: exitSeconds, is_open: isOpen })),
    fills: fills.map(({ category, kind, hasFillers }) => ({ category, kind, has_fillers: hasFillers })),
  });
}

/** The keeper as `/readyz` shows it. */
const keeper = async () => fieldOf((await send(`${api.api.origin}/readyz`, {})).body, 'keepers', '0');
const draft = async (ticker = 'btc-up') => {
  const answer = await api.call('/draft-quotes', { authorization: alice, body: { ...body, market_ticker: ticker } });
  return [answer.status, codeOf(answer)];
};
const marketOf = async (ticker: string) => (await api.call(`/markets/${ticker}`, { authorization: alice })).body;

test('what is measured of a keeper is shown, and a longer exit lowers the leverage of markets and quotes', async () => {
  const maximumAt = async (exitSeconds: number) => {
    await says({ exits: [exitOf(exitSeconds)] });
    expect(fieldOf(await keeper(), 'exits')).toEqual([
      { category: 'crypto', sale_count: 80, p95_ms: 4_000, exit_seconds: exitSeconds, is_open: true },
    ]);
    const leverage = fieldOf(await marketOf('btc-up'), 'leverage', 'max_market_leverage_per_notional', 'yes');
    const maxLeverage = Number(fieldOf(leverage, 'at100_usd_bps'));
    const request = { ...body, leverage_bps: 100_000, slippage_bps: 500, allow_revision: true };
    const granted = await api.call('/draft-quotes', { authorization: alice, body: request });
    return [maxLeverage, Number(fieldOf(granted.body, 'leverage_bps'))] as const;
  };
  const [quick, usual, slow] = [await maximumAt(15), await maximumAt(40), await maximumAt(80)];
  expect(quick[0]).toBeGreaterThan(usual[0]);
  expect(usual[0]).toBeGreaterThan(slow[0]);
  expect(usual[1]).toBeGreaterThan(slow[1]);
  // What a market shows for a notional is what a quote of it is granted at the default slippage.
  for (const [maxLeverage, granted] of [quick, usual, slow]) expect(granted).toBe(maxLeverage);
});

test.each<[string, Partial<KeeperReport>]>([
  ['sales take too long', { exits: [exitOf(80, { isOpen: false })] }],
  ['no filler takes openings of the category', { fills: [deadOpenings] }],
  ['no filler takes sales of the category', { fills: [{ ...deadOpenings, kind: 'sale' }] }],
  ['the venue refuses orders', { isVenueTakingOrders: false }],
  ['no price signer answers', { isPriceSignerAnswering: false }],
])('while %s nothing is quoted, and it is again afterwards', async (_name, changes) => {
  expect(await draft()).toEqual([201, undefined]);
  await says(changes);
  expect(await draft()).toEqual([503, 'quote_creation_disabled']);
  expect(await draft('unknown')).toEqual(
    'exits' in changes || 'fills' in changes ? [404, 'customer_market_not_found'] : [503, 'quote_creation_disabled'],
  );
  await says({});
  expect(await draft()).toEqual([201, undefined]);
});

test('the keeper has too little native coin → not ready by name, no quotes, and both again once it has', async () => {
  const readiness = async () => {
    const { status, body: shown } = await send(`${api.api.origin}/readyz`, {});
    return [status, fieldOf(shown, 'missing')];
  };
  const refusal = 'insufficient funds for gas * price + value';
  const coin = { balanceWei: '0', minimumWei: '12000000000000000', reserveWei: '60000000000000000' };
  const problems = ['balance_too_low', 'sends_refused'];
  await says({ chain: { headAgeMs: 0, leadMs: 0, nonceAgeMs: 6_000, refusal, coin, problems } });
  await expect.poll(readiness).toEqual([503, ['keeper_balance_too_low', 'keeper_sends_refused']]);
  expect(fieldOf(await keeper(), 'chain')).toMatchObject({
    refusal,
    coin: { balance_wei: '0', minimum_wei: coin.minimumWei, reserve_wei: coin.reserveWei },
  });
  expect(await draft()).toEqual([503, 'quote_creation_disabled']);
  await says({ chain: { headAgeMs: 0, leadMs: 0, nonceAgeMs: 0, refusal: null, coin, problems: [] } });
  await expect.poll(readiness).toEqual([200, []]);
  expect(await draft()).toEqual([201, undefined]);
});

test('no debt was checked lately, or too few price signers answer → not ready by name, as quotes are refused; an empty pool is named', async () => {
  const readiness = async () => {
    const { status, body: shown } = await send(`${api.api.origin}/readyz`, {});
    return [status, fieldOf(shown, 'missing')];
  };
  await says({ shareGroups: sharesSeen(3_600_000) });
  await expect.poll(readiness).toEqual([503, ['markets_unwatched']]);
  expect(await draft()).toEqual([400, 'quote_market_not_ready']);
  await says({ isPriceSignerAnswering: false });
  await expect.poll(readiness).toEqual([503, ['price_signers']]);
  expect(await draft()).toEqual([503, 'quote_creation_disabled']);
  await says({});
  await expect.poll(readiness).toEqual([200, []]);
  const { reading } = api.pool;
  api.pool.reading = reading && { ...reading, freeLiquidityUsdcUnits: usdcUnits(0n) };
  expect(await readiness()).toEqual([200, ['pool_empty']]);
  api.pool.reading = reading;
  expect(await readiness()).toEqual([200, []]);
});

test('no filler takes openings, or sales → not ready by name, with the numbers', async () => {
  const readiness = async () => {
    const { status, body: shown } = await send(`${api.api.origin}/readyz`, {});
    return [status, fieldOf(shown, 'missing')];
  };
  await says({ fills: [deadOpenings] });
  await expect.poll(readiness).toEqual([503, ['openings_unfilled']]);
  expect(fieldOf(await keeper(), 'fills', '0', 'summary')).toBe(
    'crypto openings: 0 of 3 grants of the last 10 minutes were filled',
  );
  await says({ fills: [{ ...deadOpenings, kind: 'sale' }] });
  await expect.poll(readiness).toEqual([503, ['sales_unfilled']]);
  // Grants of another category say nothing about those of this one.
  for (const others of [{ hasFillers: true }, { category: 'sport' }] as const) {
    await says({ fills: [{ ...deadOpenings, ...others }] });
    await expect.poll(() => draft()).toEqual([201, undefined]);
  }
  await says({ fills: [{ ...deadOpenings, hasFillers: true }] });
  await expect.poll(readiness).toEqual([200, []]);
});

test('no keeper has reported within a minute → not ready by name, no quotes, and both again once one has', async () => {
  const readiness = async () => {
    const { status, body: shown } = await send(`${api.api.origin}/readyz`, {});
    return [status, fieldOf(shown, 'missing')];
  };
  await execute(own.database.databaseUrl, 'DELETE FROM heartbeats');
  await expect.poll(readiness).toEqual([503, ['keeper_silent']]);
  expect(await draft()).toEqual([503, 'quote_creation_disabled']);
  expect((await api.call('/positions', { authorization: alice })).status).toBe(200);
  await says({});
  await expect.poll(readiness).toEqual([200, []]);
  expect(await draft()).toEqual([201, undefined]);
});

test('a closed category closes no other', async () => {
  await says({ exits: [exitOf(80, { category: 'sport', isOpen: false })] });
  expect(await draft()).toEqual([201, undefined]);
});

test('a market whose debts the keeper cannot see is not quoted on, and shows it; the others are', async () => {
  await says({ unseenTickers: ['btc-up'] });
  expect(await draft()).toEqual([400, 'quote_market_not_ready']);
  expect(await draft('eth-up')).toEqual([201, undefined]);
  expect(await marketOf('btc-up')).toMatchObject({
    accepting_new_positions: false,
    rejection_reason_code: 'QUOTE_MARKET_RISK_TOO_HIGH',
  });
  expect(await marketOf('eth-up')).toMatchObject({ accepting_new_positions: true });
});

test('a look at the debts that is older than five seconds makes no market ready, and none at all neither', async () => {
  await says({ shareGroups: sharesSeen(6_000) });
  await expect.poll(() => draft()).toEqual([400, 'quote_market_not_ready']);
  await says({ shareGroups: sharesSeen(null), unseenTickers: ['eth-up'] });
  expect(await draft()).toEqual([400, 'quote_market_not_ready']);
});

test('a heartbeat that says nothing of itself promises nothing', async () => {
  const before = (await api.store.heartbeats.byName('keeper'))?.lastHeartbeatAtMs ?? 0;
  await api.store.heartbeats.report({ name: 'keeper', nowMs: before + 1, succeeded: true });
  await expect.poll(() => draft()).toEqual([503, 'quote_creation_disabled']);
  expect(await keeper()).toBeUndefined();
});

test('a quote in committed mode fixes a ladder and the exit time, signed by the quote signer', async () => {
  await says({ exits: [exitOf(40)] });
  const answer = await api.call('/quotes', { authorization: alice, body });
  expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
  const record = await api.store.quotes.byId(String(fieldOf(answer.body, 'id')));
  if (record === null) throw new Error('the quote is not stored');
  const { exitSeconds, plannedUnwinds, riskMode } = record.figures;
  expect([riskMode, exitSeconds]).toEqual(['committed', 40]);
  expect(plannedUnwinds.map(({ rung, targetLeverageBps }) => [rung, Number(targetLeverageBps)])).toEqual([
    [1, 15_000],
    [2, 12_500],
  ]);
  const vault = String(fieldOf(answer.body, 'venue_vault_contract_address')) as Address;
  const positionKey = record.positionKey;
  const digest = quotedRiskDigest({ positionKey, exitSeconds, plannedUnwinds, chainId: 31_337, vault });
  const signature = record.riskSignature as Hex;
  expect(await recoverQuoteSigner({ digest, signature })).toBe(api.signer.address);
});
