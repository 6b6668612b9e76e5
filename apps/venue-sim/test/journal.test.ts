import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { movableClock } from '../src/venue/simClock.ts';
import { play, read, send, sendCsv } from '../testing/simHttp.ts';
import { orderBody, Trader } from '../testing/trader.ts';

let folder = '';
let machineMs = 0;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'venue-'));
  machineMs = Date.UTC(2026, 6, 24, 10, 7, 13, 250);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const journalFile = () => path.join(folder, 'venue.ndjson');
/** Open a venue on the folder's journal, with a clock driven by the test. */
const open = () =>
  startVenueSim({ seed: 'kept', clock: movableClock(() => machineMs), isTimerOn: false, journalFile: journalFile() });

function pass(sim: VenueSim, seconds: number): void {
  for (let second = 0; second < seconds; second += 5) {
    machineMs += 5_000;
    sim.venue.advanceWorlds();
    sim.venue.tickAll();
  }
}

test('a restarted venue keeps its number of strikes', async () => {
  const options = { clock: movableClock(() => machineMs), isTimerOn: false, journalFile: journalFile() };
  const first = await startVenueSim({ ...options, seed: 'kept', strikesPerAsset: 20 });
  const before = await knownOf(first);
  await first.close();
  const second = await open();
  const after = await knownOf(second);
  await second.close();
  expect(after.markets.length).toBeGreaterThan(100);
  expect(after).toEqual(before);
});

/** Return everything observable of worlds, markets, orders and trades. */
async function knownOf(sim: VenueSim) {
  const { venue } = sim;
  await venue.markets.listingDone();
  await venue.reportingDone();
  await venue.queue.settled();
  const trades = [...venue.orders.ledger.trades()];
  return {
    spot: venue.spot.printedPrice('BTC'),
    games: [...venue.fixtures()].map(({ slug, model, endedMs }) => [slug, model.score, model.period, endedMs]),
    markets: venue.markets.listed.map(({ market, making }) => ({
      slug: market.slug,
      id: market.definition.id,
      conditionId: market.definition.conditionId,
      stage: market.stage,
      resolution: market.resolution,
      fair: market.stage === 'trading' ? making.fairAt(venue.nowMs) : null,
    })),
    trades: trades.map(({ market, ...trade }) => ({ ...trade, market: market.slug })),
    orders: trades.map(({ takerOrderId }) => venue.orders.ledger.order(takerOrderId)?.status),
  };
}

const csv = 'market_id,t_unix,bid,ask\n4,1000,0.14,0.16\n4,1123,0.15,0.17\n4,9000,0.2,0.25\n';

/** Apply every kind of input that a restart must preserve, hours apart. */
async function liveThrough(sim: VenueSim) {
  const { markets } = sim.venue;
  const slugOf = (isWanted: (market: (typeof markets.listed)[number]['market']) => boolean) =>
    markets.listed.find(({ market }) => isWanted(market) && market.isAcceptingOrders)?.market.slug ?? '';
  const daily = slugOf(({ definition }) => definition.category === 'crypto' && definition.hasFineTick);
  const inPlay = slugOf(({ definition }) => (definition.gameStartMs ?? Number.POSITIVE_INFINITY) < machineMs);
  const ended = slugOf(({ slug, definition }) => definition.category === 'sport' && slug !== inPlay);
  await play(sim, 'spot_move', { market: daily, params: { pct: 2 } });
  await play(sim, 'lead_change', { market: inPlay });
  pass(sim, 60);
  await play(sim, 'crash', { market: daily, params: { side: 'yes', by: '0.05', hold_seconds: 20_000 } });
  await play(sim, 'ghost_fill', { market: daily });
  const replayed = await sendCsv(sim, '/control/replays?market=4', csv);
  expect(replayed.status).toBe(201);
  await play(sim, 'resolve', { market: ended, params: { outcome: 'no' } });
  const { market } = markets.bySlug(daily) ?? {};
  if (market === undefined) throw new Error('no daily market');
  const { domain } = sim.venue.options;
  const trader = new Trader(`0x${'5'.repeat(64)}`, domain);
  const tokenId = market.tokenIdOf(0);
  const resting = orderBody(trader.sign({ tokenId, side: 'BUY', pricePips: 200n, tokenUnits: 50_000_000n }), 'GTC');
  const { body: placed } = await send(sim, '/order', resting);
  expect(placed.status).toBe('live');
  const other = markets.bySlug(inPlay)?.market;
  if (other === undefined) throw new Error('no game in play');
  const takenBody = orderBody(
    trader.sign({ tokenId: other.tokenIdOf(0), side: 'BUY', pricePips: 9_900n, tokenUnits: 10_000_000n }),
    'FAK',
  );
  expect((await send(sim, '/order', takenBody)).body.status).toBe('matched');
  await send(sim, '/control/clock', { advance_seconds: 3_600 });
  pass(sim, 1_200);
  return { restingId: String(placed.orderID), daily };
}

test('a restarted venue restores worlds, markets, outcomes, orders and trades', async () => {
  const first = await open();
  const { restingId, daily } = await liveThrough(first);
  const before = await knownOf(first);
  const { lead } = { lead: first.venue.nowMs - machineMs };
  await first.close();
  // A line truncated by a kill.
  appendFileSync(journalFile(), '{"kind":"trade","trade":{"id":"t-cut');

  // The clock of a new process starts without the lead.
  const second = await open();
  expect(second.venue.nowMs - machineMs).toBe(0);
  machineMs += lead;
  second.venue.advanceWorlds();
  second.venue.tickAll();
  expect(await knownOf(second)).toEqual(before);
  const { body: order } = await read(second, `/data/order/${restingId}`);
  expect([order.status, order.size_matched]).toEqual(['LIVE', '0']);
  // It rests in the book: a seller at its price matches it.
  expect(second.venue.markets.bySlug(daily)?.market.book.order(restingId)?.remainingTokenUnits).toBe(50_000_000n);
  await second.close();

  const third = await open();
  expect(await knownOf(third)).toEqual(before);
  pass(third, 60);
  await third.close();
});

test('a pending match is settled after a restart', async () => {
  const first = await open();
  // A market near a dollar offers nothing.
  const isBalanced = (midPips: bigint | null): boolean => midPips !== null && midPips > 2_000n && midPips < 8_000n;
  const running = first.venue.markets.listed.find(
    ({ market }) => market.isAcceptingOrders && isBalanced(market.midPips()),
  );
  if (running === undefined) throw new Error('no market');
  const { market } = running;
  await play(first, 'slow_settle', { market: market.slug, params: { delay_seconds: 600, seconds: 600 } });
  const trader = new Trader(`0x${'6'.repeat(64)}`, first.venue.options.domain);
  const order = trader.sign({ tokenId: market.tokenIdOf(0), side: 'BUY', pricePips: 9_900n, tokenUnits: 6_000_000n });
  const { body } = await send(first, '/order', orderBody(order, 'FAK'));
  expect([body.status, first.venue.queue.openCount]).toEqual(['matched', 1]);
  await first.close();
  expect(readFileSync(journalFile(), 'utf8')).toContain('"kind":"match"');

  const second = await open();
  const statusOf = async () => (await read(second, `/data/trades?order_id=${body.orderID}`)).body.data[0].status;
  await second.venue.queue.settled();
  expect(await statusOf()).toBe('MINED');
  pass(second, 5);
  expect(await statusOf()).toBe('CONFIRMED');
  await second.close();
});

test('a damaged line in the middle is named with file and number', async () => {
  const sim = await open();
  await sim.close();
  const lines = readFileSync(journalFile(), 'utf8').split('\n').length;
  appendFileSync(journalFile(), '{"kind":"li{"kind":"listing","atMs":1}\n');
  await expect(open()).rejects.toThrow(
    `Line ${lines} of ${journalFile()} cannot be read: a part of a line stands before`,
  );
});
