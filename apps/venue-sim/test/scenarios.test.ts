import { setTimeout as delay } from 'node:timers/promises';
import type { VenueDomain } from '@core/vault';
import { HttpVenueClient } from '@core/venue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarios } from '../src/scenario/playScenario.ts';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import type { RunningMarket } from '../src/venue/marketRegistry.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';
import { eventually, play, read, send } from '../testing/simHttp.ts';
import { SocketListener } from '../testing/socketListener.ts';
import { orderBody, Trader } from '../testing/trader.ts';

let sim: VenueSim;
let trader: Trader;
const scenarioNames = new Set<string>();

beforeAll(async () => {
  sim = await startVenueSim({
    seed: 'scenarios',
    settlementTimes: { retryMs: 50, confirmMs: 50 },
    oracleTimes: { requestMs: 100, proposeMs: 200, livenessMs: 60_000 },
  });
  const domain: VenueDomain = sim.venue.options.domain;
  trader = new Trader(`0x${'7'.repeat(64)}`, domain);
});

afterAll(async () => {
  await sim.close();
});

/** Return an unused market at even odds. */
const freshMarket = (): Promise<RunningMarket> => listPlainMarket(sim.venue);

/** Return the winner market of a game in play. */
function gameMarket(): RunningMarket {
  const running = sim.venue.markets.listed.find(({ market }) => {
    const { event, sportsMarketType, isNegRisk } = market.definition;
    const fixture = event.gameSlug === null ? undefined : sim.venue.fixture(event.gameSlug);
    const isInPlay = fixture !== undefined && fixture.secondsPlayed > 0 && fixture.endedMs === null;
    return isInPlay && sportsMarketType === 'moneyline' && !isNegRisk;
  });
  if (running === undefined) throw new Error('no game is in play');
  return running;
}

const playHere = async (
  name: string,
  running: RunningMarket | null,
  params: Record<string, unknown> = {},
): Promise<ReturnType<typeof JSON.parse>> => {
  scenarioNames.add(name);
  return play(sim, name, running === null ? { params } : { market: running.market.slug, params });
};

const bookOf = async ({ market }: RunningMarket, outcome: 0 | 1 = 0) =>
  (await read(sim, `/book?token_id=${market.tokenIdOf(outcome)}`)).body;

const midOf = async ({ market }: RunningMarket, outcome: 0 | 1 = 0): Promise<number> =>
  Number((await read(sim, `/midpoint?token_id=${market.tokenIdOf(outcome)}`)).body.mid);

const spreadOf = async ({ market }: RunningMarket): Promise<number> =>
  Number((await read(sim, `/spread?token_id=${market.tokenIdOf(0)}`)).body.spread);

const sizeOf = (levels: readonly { readonly size: string }[]): number =>
  levels.reduce((sum, level) => sum + Number(level.size), 0);

const buy = ({ market }: RunningMarket, tokens: bigint) =>
  trader.sign({
    tokenId: market.tokenIdOf(0),
    side: 'BUY',
    pricePips: (market.bestAskPips(0) ?? 9_000n) + 200n,
    tokenUnits: tokens * 1_000_000n,
  });

const recordOf = async ({ market }: RunningMarket) => (await read(sim, `/markets?slug=${market.slug}`)).body[0];

describe('scenarios of prices and books', () => {
  it('crash and pump move the price of the side they name, and the socket shows it', async () => {
    const running = await freshMarket();
    const listener = await SocketListener.open(sim, 'market', {
      assets_ids: [running.market.tokenIdOf(0).toString()],
      type: 'market',
    });
    listener.clear();
    await playHere('crash', running, { to: '0.2' });
    expect(await midOf(running)).toBeCloseTo(0.2, 1);
    expect(await listener.waitFor((message) => message.event_type === 'price_change')).toBeDefined();
    listener.close();
    const other = await freshMarket();
    const before = await midOf(other, 1);
    await playHere('pump', other, { side: 'NO', by: 0.25 });
    expect(await midOf(other, 1)).toBeCloseTo(before + 0.25, 1);
  });

  it('pin fixes the current or a given price, from which a crash moves it', async () => {
    let fair = 0.5;
    const fairAt = () => ({ kind: 'model', fair }) as const;
    const running = await listPlainMarket(sim.venue, {
      fairSource: { fairAt, pastFairAt: () => null, outcomeAt: () => null },
    });
    const { making } = running;
    await playHere('pin', running);
    fair = 0.8;
    expect(making.fairAt(sim.venue.nowMs)).toEqual({ kind: 'model', fair: 0.5 });
    await playHere('pin', running);
    await playHere('crash', running, { to: '0.2' });
    fair = 0.4;
    expect(making.fairAt(sim.venue.nowMs)).toEqual({ kind: 'model', fair: expect.closeTo(0.2, 6) });
    await playHere('calm', running);
    expect(making.fairAt(sim.venue.nowMs)).toEqual({ kind: 'model', fair: 0.4 });
    await playHere('pin', running, { to: '0.7' });
    expect(await midOf(running)).toBeCloseTo(0.7, 1);
    expect(making.fairAt(sim.venue.nowMs)).toEqual({ kind: 'model', fair: 0.7 });
  });

  it('spread_blow_out parts the two sides', async () => {
    const running = await freshMarket();
    const before = await spreadOf(running);
    await playHere('spread_blow_out', running, { cents: 20 });
    expect(await spreadOf(running)).toBeGreaterThanOrEqual(before + 0.18);
  });

  it('depth_drain thins both sides or empties one', async () => {
    const running = await freshMarket();
    const before = await bookOf(running);
    await playHere('depth_drain', running, { remaining_pct: 5 });
    const drained = await bookOf(running);
    expect(sizeOf(drained.bids)).toBeLessThan(sizeOf(before.bids) * 0.1);
    await playHere('depth_drain', running, { remaining_pct: 0, book_side: 'bids' });
    const oneSided = await bookOf(running);
    expect(oneSided.bids).toEqual([]);
    expect(oneSided.asks.length).toBeGreaterThan(5);
    expect((await read(sim, `/midpoint?token_id=${running.market.tokenIdOf(0)}`)).body.mid).toBe('');
  });

  it('cancel_storm cancels quotes in bulk', async () => {
    const running = await freshMarket();
    const listener = await SocketListener.open(sim, 'market', {
      assets_ids: [running.market.tokenIdOf(0).toString()],
      type: 'market',
    });
    listener.clear();
    await playHere('cancel_storm', running);
    const removedIn = (changes: { size: string }[]): number => changes.filter(({ size }) => size === '0').length;
    // The market keeps quoting during the storm: other changes may precede it.
    const storm = await listener.waitFor(
      (message) => message.event_type === 'price_change' && removedIn(message.price_changes) > 4,
    );
    const tokenId = running.market.tokenIdOf(0).toString();
    expect(storm.price_changes.some(({ asset_id: id }: { asset_id: string }) => id === tokenId)).toBe(true);
    listener.close();
  });

  it('large_holder owns the share it was given', async () => {
    const running = await freshMarket();
    await playHere('large_holder', running, { side: 'no', share_pct: 80 });
    const { body } = await read(sim, `/holders?market=${running.market.definition.conditionId}`);
    const [yes, no] = body.map(
      ({ holders, total_supply: total }: { holders: { amount: string }[]; total_supply: string }) =>
        Number(holders[0]?.amount) / Number(total),
    );
    expect(no).toBeCloseTo(0.8, 3);
    expect(yes).toBeLessThan(0.5);
  });

  it('feed_freeze silences the socket while REST continues', async () => {
    const running = await freshMarket();
    const tokenId = running.market.tokenIdOf(0).toString();
    await playHere('feed_freeze', running, { seconds: 60 });
    const listener = await SocketListener.open(sim, 'market', { assets_ids: [tokenId], type: 'market' });
    const { timestamp } = await bookOf(running);
    const laterBy = async () => Number((await bookOf(running)).timestamp) - Number(timestamp);
    await expect.poll(laterBy, { interval: 200 }).toBeGreaterThan(1_000);
    expect(listener.received.filter((message) => message.event_type !== 'PONG')).toEqual([]);
    await playHere('calm', running);
    expect(await listener.waitFor((message) => ['price_change', 'book'].includes(message.event_type))).toBeDefined();
    listener.close();
  });

  it('stale_book freezes the book on every channel', async () => {
    const running = await freshMarket();
    await playHere('stale_book', running, { seconds: 60 });
    const before = await bookOf(running);
    await delay(1_500);
    expect(await bookOf(running)).toEqual(before);
  });
});

describe('fields missing on the wire', () => {
  it('book_without_hash sends books without their hash, then with it again', async () => {
    const running = await freshMarket();
    const frame = { assets_ids: [running.market.tokenIdOf(0).toString()], type: 'market' };
    const firstBook = async () => {
      const listener = await SocketListener.open(sim, 'market', frame);
      const book = await listener.waitFor((message) => message.event_type === 'book');
      listener.close();
      return book;
    };
    await playHere('book_without_hash', running);
    const unhashed = await firstBook();
    expect(unhashed).not.toHaveProperty('hash');
    expect(unhashed.bids.length).toBeGreaterThan(5);
    expect((await bookOf(running)).hash).toMatch(/^[0-9a-f]{40}$/);
    await playHere('calm', running);
    expect((await firstBook()).hash).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe('scenarios of matching and settlement', () => {
  it('ghost_fill answers matched and fails', async () => {
    const running = await freshMarket();
    await playHere('ghost_fill', running, { count: 1, retries: 0 });
    const { body } = await send(sim, '/order', orderBody(buy(running, 20n), 'FOK'));
    expect(body.status).toBe('matched');
    const trade = await eventually(
      async () => (await read(sim, `/data/trades?id=${body.tradeIDs[0]}`)).body.data[0],
      ({ status }) => status !== 'MATCHED',
    );
    expect(trade.status).toBe('FAILED');
    const honest = await send(sim, '/order', orderBody(buy(running, 20n), 'FOK'));
    const settlement = await eventually(
      async () => (await read(sim, `/data/trades?id=${honest.body.tradeIDs[0]}`)).body.data[0],
      ({ status }) => status === 'CONFIRMED',
    );
    expect(settlement.status).toBe('CONFIRMED');
  });

  it('partial_match fills a share of FAK and kills FOK', async () => {
    const running = await freshMarket();
    await playHere('partial_match', running, { count: 2, fill_pct: 40 });
    const killed = await send(sim, '/order', orderBody(buy(running, 100n), 'FOK'));
    expect(killed.status).toBe(400);
    const partly = await send(sim, '/order', orderBody(buy(running, 100n), 'FAK'));
    expect([partly.body.status, partly.body.takingAmount]).toEqual(['matched', '40']);
    const state = await read(sim, `/data/order/${partly.body.orderID}`);
    expect([state.body.status, state.body.size_matched]).toEqual(['MATCHED', '40']);
  });

  it('quote_token leaves one token to the makers: a purchase of it is sold to, one of the other minted', async () => {
    const running = await freshMarket();
    await playHere('quote_token', running, { token: 'no' });
    const { body } = await send(sim, '/order', orderBody(buy(running, 20n), 'FOK'));
    const [trade] = (await read(sim, `/data/trades?id=${body.tradeIDs[0]}`)).body.data;
    expect(new Set(trade.maker_orders.map((fill: { side: string }) => fill.side))).toEqual(new Set(['BUY']));
  });

  it('taker_delay answers delayed, and matches or not once the delay is over', async () => {
    const running = await freshMarket();
    const stateOf = async (id: string) => (await read(sim, `/data/order/${id}`)).body;
    const overOf = (id: string) =>
      eventually<{ readonly status: string; readonly size_matched: string }>(
        () => stateOf(id),
        ({ status }) => status !== 'DELAYED',
      );
    await playHere('taker_delay', running, { delay: 60 });
    const withdrawn = await send(sim, '/order', orderBody(buy(running, 22n), 'FOK'));
    expect([withdrawn.body.status, (await stateOf(withdrawn.body.orderID)).status]).toEqual(['delayed', 'DELAYED']);
    await fetch(`${sim.url}/order`, { method: 'DELETE', body: JSON.stringify({ orderID: withdrawn.body.orderID }) });
    expect((await stateOf(withdrawn.body.orderID)).status).toBe('CANCELED');
    await playHere('taker_delay', running, { delay: 1 });
    const { body } = await send(sim, '/order', orderBody(buy(running, 20n), 'FOK'));
    const matched = await overOf(body.orderID);
    expect(matched.status).toBe('MATCHED');
    expect(Number(matched.size_matched)).toBeGreaterThanOrEqual(20);
    const late = await send(sim, '/order', orderBody(buy(running, 21n), 'FOK'));
    await playHere('depth_drain', running, { remaining_pct: 0, book_side: 'asks' });
    expect(await overOf(late.body.orderID)).toMatchObject({ status: 'UNMATCHED', size_matched: '0' });
  });

  it('maker_fees and gross_fill change what is settled, not what is answered', async () => {
    const running = await freshMarket();
    await playHere('maker_fees', running);
    await playHere('gross_fill', running);
    expect((await recordOf(running)).feeSchedule.takerOnly).toBe(false);
    const { body } = await send(sim, '/order', orderBody(buy(running, 20n), 'FOK'));
    expect([body.status, body.takingAmount]).toEqual(['matched', expect.any(String)]);
  });

  it('loose_fills and operator_pause are refused where no exchange settles', async () => {
    const running = await freshMarket();
    const { address } = trader;
    const requests: readonly (readonly [string, RunningMarket | null, Record<string, unknown>])[] = [
      ['loose_fills', running, {}],
      ['operator_pause', null, { account: address }],
    ];
    for (const [name, market, params] of requests) {
      scenarioNames.add(name);
      const slug = market?.market.slug;
      const answer = await send(sim, '/control/scenarios', { name, ...(slug ? { market: slug } : {}), params });
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('paper')]);
    }
  });

  it('slow_settle leaves a trade at MATCHED until its delay ends', async () => {
    const running = await freshMarket();
    await playHere('slow_settle', running, { delay_seconds: 120 });
    const { body } = await send(sim, '/order', orderBody(buy(running, 10n), 'FOK'));
    const usual = await send(sim, '/order', orderBody(buy(await freshMarket(), 10n), 'FOK'));
    await eventually(
      async () => (await read(sim, `/data/trades?id=${usual.body.tradeIDs[0]}`)).body.data[0],
      ({ status }) => status === 'CONFIRMED',
    );
    expect((await read(sim, `/data/trades?id=${body.tradeIDs[0]}`)).body.data[0].status).toBe('MATCHED');
    await send(sim, '/control/clock', { advance_seconds: 120 });
    const trade = await eventually(
      async () => (await read(sim, `/data/trades?id=${body.tradeIDs[0]}`)).body.data[0],
      ({ status }) => status === 'CONFIRMED',
    );
    expect(trade.status).toBe('CONFIRMED');
  });

  it('sends owners their orders and trades on the user socket', async () => {
    const running = await freshMarket();
    const listener = await SocketListener.open(sim, 'user', { type: 'user', auth: { apiKey: 'carol' }, markets: [] });
    const low = trader.sign({
      tokenId: running.market.tokenIdOf(0),
      side: 'BUY',
      pricePips: 100n,
      tokenUnits: 5_000_000n,
    });
    const placed = await send(sim, '/order', orderBody(low, 'GTC', 'carol'));
    expect(placed.body.status).toBe('live');
    expect((await listener.waitFor((message) => message.type === 'PLACEMENT')).id).toBe(placed.body.orderID);
    const twice = await send(sim, '/order', orderBody(low, 'GTC', 'carol'));
    expect(twice.body.errorMsg).toContain('Duplicated');
    await send(sim, '/order', orderBody(buy(running, 10n), 'FOK', 'another owner'));
    await send(sim, '/order', orderBody(buy(running, 10n), 'FOK', 'carol'));
    expect((await listener.waitFor((message) => message.status === 'CONFIRMED')).owner).toBe('carol');
    await fetch(`${sim.url}/order`, { method: 'DELETE', body: JSON.stringify({ orderID: placed.body.orderID }) });
    expect((await listener.waitFor((message) => message.type === 'CANCELLATION')).status).toBe('CANCELED');
    expect(listener.received.every((message) => message.event_type === 'PONG' || message.owner === 'carol')).toBe(true);
    listener.close();
  });

  it('trading_stop and the minutes after a restart refuse with the venue’s answers', async () => {
    const running = await freshMarket();
    const order = (kind: 'FOK' | 'GTC', pips = 5_300n) =>
      orderBody(
        trader.sign({
          tokenId: running.market.tokenIdOf(0),
          side: 'BUY',
          pricePips: pips,
          tokenUnits: 10_000_000n,
        }),
        kind,
      );
    const answerTo = async (body: unknown) => (await send(sim, '/order', body)).status;
    for (const [kind, status] of [
      ['disabled', 503],
      ['cancel_only', 503],
      ['region', 403],
      ['closed_only', 400],
    ] as const) {
      await playHere('trading_stop', null, { kind });
      expect(await answerTo(order('FOK'))).toBe(status);
    }
    await playHere('restart_425', null, { seconds: 0.001, post_only_seconds: 60 });
    await eventually(
      () => sim.venue.outages.postOnlySecondsAt(sim.venue.nowMs),
      (seconds) => seconds > 0,
    );
    await playHere('trading_stop', null, { seconds: 0.001 });
    const { status, body } = await eventually(
      () => send(sim, '/order', order('FOK')),
      (answer) => answer.body.code !== undefined,
    );
    expect([status, body.code]).toEqual([503, 'post_only_mode']);
    expect(body.retry_after_seconds).toBeGreaterThan(50);
    expect(await answerTo({ ...order('GTC', 100n), postOnly: true })).toBe(200);
    const batch = await send(sim, '/orders', [order('FOK'), { ...order('GTC', 100n), postOnly: true }]);
    expect(
      batch.body.map(({ success, errorMsg }: { success: boolean; errorMsg: string }) => [success, errorMsg]),
    ).toEqual([
      [true, expect.stringContaining('post-only mode')],
      [true, ''],
    ]);
    await playHere('calm', null);
  });

  it('version_flip lists a market under the other contracts, with position ids and a condition of 31 bytes', async () => {
    const running = await freshMarket();
    const client = new HttpVenueClient({ url: sim.url });
    const { slug, conditionId } = running.market.definition;
    const recordOf = async () => (await read(sim, `/markets?slug=${slug}`)).body[0];
    const before = await recordOf();
    expect([before.version, before.conditionId, before.positionIds]).toEqual(['v1', conditionId, undefined]);
    await playHere('version_flip', running);
    const record = await recordOf();
    expect([record.version, record.clobTokenIds, record.conditionId.length]).toEqual(['v2', undefined, 64]);
    const { markets } = await client.cataloguePage({ limit: 500, conditionIds: [conditionId] });
    expect(markets[0]).toMatchObject({
      version: 'v2',
      conditionId: `${record.conditionId}00`,
      tokenIds: { yes: record.positionIds[0], no: record.positionIds[1] },
    });
    await playHere('calm', running);
    expect(await recordOf()).toMatchObject({ version: 'v1', conditionId });
  });

  it('price_feed silences the venue’s price socket alone', async () => {
    const until = await playHere('price_feed', null, { kind: 'silent', seconds: 60 });
    expect(until.until_ms).toBeGreaterThan(sim.venue.nowMs);
    expect(sim.venue.outages.priceFaultAt(sim.venue.nowMs)).toBe('silent');
    await playHere('calm', null);
    expect(sim.venue.outages.priceFaultAt(sim.venue.nowMs)).toBeNull();
  });

  it('restart_425 and throttle_429 answer for the venue', async () => {
    const running = await freshMarket();
    await playHere('restart_425', null, { seconds: 60 });
    expect((await send(sim, '/order', orderBody(buy(running, 10n), 'FOK'))).status).toBe(425);
    expect((await read(sim, `/book?token_id=${running.market.tokenIdOf(0)}`)).status).toBe(200);
    await playHere('calm', null);
    await playHere('throttle_429', null, { seconds: 60, scope: 'orders' });
    expect((await read(sim, '/data/trades?id=none')).status).toBe(429);
    expect((await read(sim, '/markets?limit=1')).status).toBe(200);
    await playHere('throttle_429', null, { seconds: 60 });
    expect((await read(sim, '/markets?limit=1')).status).toBe(429);
    expect((await read(sim, '/control/clock')).status).toBe(200);
    await playHere('calm', null);
    expect((await send(sim, '/order', orderBody(buy(running, 10n), 'FOK'))).status).toBe(200);
  });
});

describe('scenarios of the world and the oracle', () => {
  it('lead_change swaps the leader', async () => {
    const running = gameMarket();
    const slug = running.market.definition.event.gameSlug;
    const gameOf = async () =>
      (await read(sim, '/reference/games')).body.games.find((game: { slug: string }) => game.slug === slug);
    const before = await gameOf();
    await playHere('lead_change', running);
    const after = await gameOf();
    expect(after.score).not.toBe(before.score);
    const refusal = await send(sim, '/control/scenarios', {
      name: 'lead change',
      market: (await freshMarket()).market.slug,
    });
    expect(refusal.status).toBe(400);
  });

  it('spot_move moves the reference price and the market with it', async () => {
    const running = sim.venue.markets.listed.find(({ market }) => market.slug.startsWith('bitcoin-up-or-down-on'));
    if (running === undefined) throw new Error('no daily market');
    const before = Number((await read(sim, '/reference/spot')).body.assets.BTC.price_usd);
    await playHere('spot_move', running, { pct: 15 });
    const after = Number((await read(sim, '/reference/spot')).body.assets.BTC.price_usd);
    expect(after / before).toBeGreaterThan(1.1);
    const { body } = await read(sim, `/price?token_id=${running.market.tokenIdOf(0)}&side=BUY`);
    expect(Number(body.price)).toBeGreaterThan(0.9);
  });

  it('propose, dispute, flip: the proposal changes and nothing is paid yet', async () => {
    const running = await freshMarket();
    const early = await send(sim, '/control/scenarios', { name: 'dispute', market: running.market.slug });
    expect(early.status).toBe(400);
    await playHere('propose', running, { outcome: 'yes' });
    expect((await recordOf(running)).umaResolutionStatus).toBe('proposed');
    expect((await recordOf(running)).acceptingOrders).toBe(false);
    await playHere('dispute', running, { seconds: 3_600 });
    expect((await recordOf(running)).umaResolutionStatus).toBe('disputed');
    await playHere('flip', running);
    expect(running.market.proposed).toBe(1);
    expect((await recordOf(running)).closed).toBe(false);
    expect((await send(sim, '/order', orderBody(buy(running, 10n), 'FOK'))).body.errorMsg).toContain(
      'market is closed',
    );
  });

  it('resolve and void end a market, and the socket sends it', async () => {
    const won = await freshMarket();
    const voided = await freshMarket();
    const listener = await SocketListener.open(sim, 'market', {
      custom_feature_enabled: true,
      assets_ids: [won.market.tokenIdOf(1).toString(), voided.market.tokenIdOf(0).toString()],
      type: 'market',
    });
    await playHere('resolve', won, { outcome: 'no' });
    const resolution = await listener.waitFor((message) => message.event_type === 'market_resolved');
    expect(resolution.winning_asset_id).toBe(won.market.tokenIdOf(1).toString());
    const record = await recordOf(won);
    expect([record.closed, record.outcomePrices, record.umaResolutionStatus]).toEqual([true, '["0","1"]', 'resolved']);
    expect(record.closedTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00$/);
    expect((await read(sim, `/book?token_id=${won.market.tokenIdOf(0)}`)).status).toBe(404);
    await playHere('void', voided);
    expect((await recordOf(voided)).outcomePrices).toBe('["0.5","0.5"]');
    const again = await send(sim, '/control/scenarios', { name: 'void', market: voided.market.slug });
    expect(again.status).toBe(400);
    listener.close();
  });
});

describe('the scenario route', () => {
  it('rejects unknown scenarios, markets and parameters with a helpful text', async () => {
    const slug = (await freshMarket()).market.slug;
    const refusalText = async (body: unknown): Promise<string> => {
      const answer = await send(sim, '/control/scenarios', body);
      expect(answer.status).toBe(400);
      return answer.body.error;
    };
    expect(await refusalText({ name: 'earthquake', market: slug })).toContain('crash');
    expect(await refusalText({ name: 'crash' })).toContain('market');
    expect(await refusalText({ name: 'crash', market: 'nowhere' })).toContain('nowhere');
    expect(await refusalText({ name: 'crash', market: slug, params: { depth: 3 } })).toContain('depth');
    expect(await refusalText({ name: 'resolve', market: slug, params: { outcome: 'maybe' } })).toContain('outcome');
    expect(await refusalText({ name: 'crash', market: slug, params: { to: '0.99' } })).toContain('below');
    expect(await refusalText([])).toContain('name');
  });

  it('accepts names in any notation and lists them with their parameters', async () => {
    const running = await freshMarket();
    expect((await play(sim, 'Spread blow-out', { market: running.market.slug })).name).toBe('spread_blow_out');
    const { body } = await read(sim, '/control/scenarios');
    expect(body.scenarios.map((known: { name: string }) => known.name)).toEqual(scenarios.map(({ name }) => name));
  });

  it('covers every scenario', () => {
    expect([...scenarioNames].sort()).toEqual(scenarios.map(({ name }) => name).sort());
  });
});
