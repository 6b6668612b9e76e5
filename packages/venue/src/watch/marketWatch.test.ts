import type { MarketOverlay } from '@core/market';
import { tokenUnits } from '@core/pricing';
import { type FixedClock, fixedClock } from '@core/runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { level } from '../../testing/books.ts';
import { type FakeVenue, marketOfTest, startFakeVenue, startMs } from '../../testing/fakeVenue.ts';
import { until } from '../../testing/localServers.ts';
import { HttpVenueClient } from '../client/httpVenueClient.ts';
import type { ReferenceFeeds } from '../reference/referenceFeeds.ts';
import { MarketWatch } from './marketWatch.ts';
import type { MarketTick, WatchTiming } from './watchOptions.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) {
    await end();
  }
});

const overlay: MarketOverlay = {
  marketId: 'mkt_1',
  status: 'active',
  disabled: null,
  riskLevel: 'low',
  hasPayouts: false,
  isBreakerTripped: false,
};

const reference: ReferenceFeeds = {
  spotOf: (asset) => (asset === 'BTC' ? { asset, priceUsd: '97000', atMs: startMs } : null),
  gameOf: () => null,
  assets: () => new Set(['BTC']),
  close: () => undefined,
};

/** Quick, and without the periodic reads a test does not ask for. */
const quick: Partial<WatchTiming> = {
  sweepIntervalMs: 10,
  confirmAfterMs: 60_000,
  secondSourceMs: 60_000,
  minRetryMs: 10,
  maxRetryMs: 40,
  freezeGraceMs: 30,
  minReconnectIntervalMs: 100,
};

interface Setup {
  readonly venue: FakeVenue;
  readonly clock: FixedClock;
  readonly watch: MarketWatch;
  readonly ticks: MarketTick[];
  readonly faults: string[];
}

const setup = async (timing: Partial<WatchTiming> = {}): Promise<Setup> => {
  const venue = await startFakeVenue();
  endings.push(() => venue.close());
  venue.setBook('1', { bids: [[4_000, 100]], asks: [[4_200, 100]] });
  venue.setBook('2', { bids: [[5_800, 100]], asks: [[6_000, 100]] });
  const clock = fixedClock(startMs + 10_000);
  const faults: string[] = [];
  const watch = new MarketWatch({
    client: new HttpVenueClient({ url: venue.server.url, timeoutMs: 2_000, retry: { maxAttempts: 1 } }),
    marketSocketUrl: venue.marketSocketUrl,
    clock,
    reference,
    timing: { ...quick, ...timing },
    socketTiming: { minBackoffMs: 5, maxBackoffMs: 20, pingIntervalMs: 20, silenceMs: 60_000 },
    onFault: ({ code }) => faults.push(code),
  });
  endings.push(() => watch.close());
  const ticks: MarketTick[] = [];
  watch.onTick((tick) => ticks.push(tick));
  return { venue, clock, watch, ticks, faults };
};

/** Watched, both books there, the socket subscribed and its greeting digested. */
const live = async (timing: Partial<WatchTiming> = {}): Promise<Setup> => {
  const all = await setup(timing);
  all.watch.watch(marketOfTest(), overlay);
  await until(() => all.ticks.filter(({ tokenId }) => tokenId === '2').length >= 2);
  return all;
};

const readsOf = (venue: FakeVenue, tokenId: string) =>
  venue.server.requests.filter(({ path, query }) => path === '/book' && query.get('token_id') === tokenId).length;

describe('snapshots', () => {
  test('a market that is not watched has none', async () => {
    const { watch } = await setup();
    expect(watch.snapshotOf('btc-up-or-down')).toBeNull();
    expect(watch.snapshotOf('mkt_1')).toBeNull();
  });

  test('before the first book everything observed is null', async () => {
    const { watch, venue } = await setup();
    venue.bookReply = { status: 500, json: {} };
    venue.isFrozen = true;
    watch.watch(marketOfTest(), overlay);
    expect(watch.snapshotOf('mkt_1')).toMatchObject({
      facts: { ticker: 'btc-up-or-down', subject: { kind: 'crypto', asset: 'BTC', isAssetSupported: true } },
      yes: {
        book: null,
        bookAgeMs: null,
        priceAgeMs: null,
        lastMidPricePips: null,
        minimumBids: null,
        secondSource: null,
      },
      no: { book: null },
    });
  });

  test('by ticker, id and condition; one instant; both sides; reference and statistics', async () => {
    const { watch, clock } = await live();
    clock.advanceMs(1_500);
    const snapshot = watch.snapshotOf('btc-up-or-down');
    expect(snapshot).toMatchObject({
      nowMs: startMs + 11_500,
      yes: {
        book: { bids: [level(4_000, 100)], asks: [level(4_200, 100)] },
        bookAgeMs: 1_500,
        priceAgeMs: 1_500,
        lastMidPricePips: 4_100n,
        minimumBids: [level(4_000, 100)],
        openLeveragedTokenUnits: 0n,
        secondSource: { pricePips: 4_100n, ageMs: 1_500 },
      },
      no: { lastMidPricePips: 5_900n },
      reference: { ageMs: 11_500, isLive: false },
      isBreakerTripped: false,
    });
    expect(watch.snapshotOf('mkt_1')).toEqual(snapshot);
    expect(watch.snapshotOf(`0x${'c0'.repeat(32)}`)).toEqual(snapshot);
  });

  test('mids of at least three moments make a TWAP', async () => {
    const { watch, clock, venue, ticks } = await live();
    for (const bid of [4_020, 4_040, 4_060]) {
      clock.advanceMs(1_000);
      const count = ticks.length;
      venue.setBook('1', { bids: [[bid, 100]], asks: [[4_200, 100]] });
      await until(() => ticks.length > count);
    }
    expect(watch.snapshotOf('mkt_1')?.yes.twap).toMatchObject({ lastSampleAgeMs: 0 });
    expect(watch.snapshotOf('mkt_1')?.yes.twap.sampleCount).toBeGreaterThanOrEqual(4);
    expect(watch.snapshotOf('mkt_1')?.yes.twap.pricePips).not.toBeNull();
    expect(watch.snapshotOf('mkt_1')?.no.twap.pricePips).toBeNull();
  });

  test('a changed tick size wins over the record’s', async () => {
    const { watch, venue } = await live();
    venue.broadcast(
      JSON.stringify({
        event_type: 'tick_size_change',
        market: '0xc0',
        asset_id: '1',
        timestamp: '1',
        new_tick_size: '0.001',
      }),
    );
    await until(() => watch.snapshotOf('mkt_1')?.facts.tickPricePips === (10n as unknown));
    expect(marketOfTest().tickPricePips).toBe(100n);
  });

  test('a trade is remembered and makes no book younger', async () => {
    const { watch, venue, clock, ticks } = await live();
    clock.advanceMs(4_000);
    const count = ticks.length;
    venue.broadcast(
      JSON.stringify({ event_type: 'last_trade_price', market: '0xc0', asset_id: '1', timestamp: '1', price: '0.415' }),
    );
    await until(() => watch.book('1')?.trades.length === 1);
    clock.advanceMs(1_000);
    expect(watch.snapshotOf('mkt_1')?.yes).toMatchObject({
      lastTrade: { pricePips: 4_150n, ageMs: 1_000 },
      bookAgeMs: 5_000,
    });
    expect(ticks).toHaveLength(count);
  });

  test('facts of the service are part of the snapshot', async () => {
    const { watch } = await live();
    watch.watch(marketOfTest(), { ...overlay, status: 'closed', isBreakerTripped: true, hasPayouts: true });
    watch.setOpenLeveraged('btc-up-or-down', 'no', tokenUnits(7n));
    watch.setOpenLeveraged('unknown', 'no', tokenUnits(7n));
    expect(watch.snapshotOf('mkt_1')).toMatchObject({
      facts: { status: 'closed', isSettlementDetected: true },
      yes: { openLeveragedTokenUnits: 0n },
      no: { openLeveragedTokenUnits: 7n },
      isBreakerTripped: true,
    });
    watch.watch(marketOfTest({ acceptingOrders: false }), overlay);
    expect(watch.snapshotOf('mkt_1')).toMatchObject({
      facts: { status: 'active', isAcceptingOrders: false },
      no: { openLeveragedTokenUnits: 7n },
    });
  });

  test('the largest holders are read', async () => {
    const { watch, venue } = await setup();
    venue.holders = [
      { token: '1', holders: [{ amount: 1 }, { amount: 3 }] },
      { token: 'other', holders: [] },
    ];
    watch.watch(marketOfTest(), overlay);
    await until(() => watch.snapshotOf('mkt_1')?.yes.topHolderShareBps !== null);
    expect(watch.snapshotOf('mkt_1')).toMatchObject({
      yes: { topHolderShareBps: 7_500n },
      no: { topHolderShareBps: null },
    });
  });

  test('marks follow the 5-second rule', async () => {
    const { watch, clock } = await live();
    expect(watch.mark('1')).toEqual({ pricePips: 4_100n, isAttestable: true });
    clock.advanceMs(5_001);
    expect(watch.mark('1')).toEqual({ pricePips: 4_100n, isAttestable: false });
    expect(watch.mark('unknown')).toBeNull();
    expect(watch.health()).toMatchObject({ marketCount: 1, staleMarketCount: 1, socketState: 'open' });
  });
});

describe('keeping books alive', () => {
  test('a message ticks only its own market', async () => {
    const { watch, venue, ticks } = await live();
    venue.setBook('3', {});
    venue.setBook('4', {});
    watch.watch(
      marketOfTest({ slug: 'eth-up-or-down', clobTokenIds: '["3","4"]', conditionId: `0x${'c1'.repeat(32)}` }),
      {
        ...overlay,
        marketId: 'mkt_2',
      },
    );
    await until(() => watch.book('3') !== null && watch.book('4') !== null);
    // Reads and greetings that are still on their way may tick once more: a read after them is answered after them.
    await until(() => readsOf(venue, '3') > 0 && readsOf(venue, '4') > 0);
    await (await fetch(`${venue.server.url}/book?token_id=4`)).text();
    await new Promise((done) => setTimeout(done, 60));
    ticks.length = 0;
    venue.setBook('1', { bids: [[4_100, 5]] });
    await until(() => ticks.length > 0);
    expect(ticks).toEqual([{ ticker: 'btc-up-or-down', side: 'yes', tokenId: '1', atMs: startMs + 10_000 }]);
  });

  test('a quiet socket: books are confirmed over REST and stay fresh', async () => {
    const { watch, clock, venue } = await live({ confirmAfterMs: 30 });
    clock.advanceMs(60_000);
    await until(() => watch.snapshotOf('mkt_1')?.yes.bookAgeMs === 0 && watch.snapshotOf('mkt_1')?.no.bookAgeMs === 0);
    expect(readsOf(venue, '1')).toBeGreaterThanOrEqual(2);
    expect(watch.health().freezeCount).toBe(0);
  });

  test('an active socket is still checked against a second source', async () => {
    const { watch, clock, venue } = await live({ secondSourceMs: 40 });
    clock.advanceMs(20_000);
    venue.setBook('1', {});
    await until(() => watch.snapshotOf('mkt_1')?.yes.secondSource?.ageMs === 0);
    expect(readsOf(venue, '1')).toBeGreaterThanOrEqual(2);
  });

  test('an unreadable frame makes every book be read again; until then it ages', async () => {
    const { watch, venue, clock } = await live();
    venue.bookReply = 'hang';
    venue.broadcast('{"event_type":');
    await until(() => readsOf(venue, '1') >= 2);
    clock.advanceMs(3_000);
    expect(watch.snapshotOf('mkt_1')?.yes.bookAgeMs).toBe(3_000);
    venue.bookReply = null;
    await until(() => watch.snapshotOf('mkt_1')?.yes.bookAgeMs === 0);
  });

  test('changes that do not fit the book are repaired over REST', async () => {
    const { watch, venue } = await live();
    venue.isFrozen = true;
    venue.setBook('1', { bids: [[3_000, 9]], asks: [[3_200, 9]] });
    const change = { asset_id: '1', price: '0.30', size: '9', side: 'BUY', best_bid: '0.30', best_ask: '0.32' };
    venue.broadcast(
      JSON.stringify({
        event_type: 'price_change',
        market: '0xc0',
        timestamp: String(startMs + 100),
        price_changes: [change],
      }),
    );
    await until(() => watch.book('1')?.asks[0]?.pricePips === (3_200n as unknown));
    expect(watch.book('1')?.bids).toEqual([level(3_000, 9)]);
  });

  test('after a disconnect books are untrusted until their next read', async () => {
    const { watch, venue, ticks } = await live();
    venue.isFrozen = true;
    venue.setBook('1', { bids: [[1_000, 1]], asks: [[1_100, 1]] });
    venue.isFrozen = false;
    const count = ticks.length;
    for (const socket of venue.server.sockets) {
      socket.terminate();
    }
    await until(() => ticks.length > count && watch.book('1')?.bids[0]?.pricePips === (1_000n as unknown));
    await until(() => watch.health().socketState === 'open');
    expect(watch.book('1')?.asks).toEqual([level(1_100, 1)]);
  });

  test('a frozen feed: detected by REST, then reconnected', async () => {
    const { watch, venue } = await live({ confirmAfterMs: 20 });
    const subscriptions = () => venue.server.frames.filter((frame) => frame !== 'PING').length;
    const countBefore = subscriptions();
    venue.isFrozen = true;
    venue.setBook('1', { bids: [[2_000, 1]], asks: [[2_200, 1]] });
    await until(() => watch.health().freezeCount >= 1);
    await until(() => subscriptions() > countBefore);
    expect(watch.book('1')?.bids).toEqual([level(2_000, 1)]);
  });

  test('a feed that stays frozen: the wait between reconnects doubles', async () => {
    const { watch, venue } = await live({ confirmAfterMs: 5, minReconnectIntervalMs: 40 });
    venue.isFrozen = true;
    const startedAt = performance.now();
    const moving = setInterval(() => venue.setBook('1', { bids: [[1_000 + (performance.now() & 1_023), 1]] }), 10);
    endings.push(() => clearInterval(moving));
    await until(() => watch.health().freezeCount >= 4);
    // 40, 80 and 160 ms lie between four reconnections.
    expect(performance.now() - startedAt).toBeGreaterThan(280);
  });

  test('a moved clock: every book is confirmed at once', async () => {
    const venue = await startFakeVenue();
    endings.push(() => venue.close());
    venue.setBook('1', {});
    venue.setBook('2', {});
    const base = fixedClock(startMs);
    let emitMove: (nowMs: number) => void = () => undefined;
    const watch = new MarketWatch({
      client: new HttpVenueClient({ url: venue.server.url }),
      marketSocketUrl: venue.marketSocketUrl,
      clock: {
        nowMs: base.nowMs,
        onMove: (listener) => {
          emitMove = listener;
          return () => undefined;
        },
      },
      reference,
      timing: quick,
    });
    endings.push(() => watch.close());
    watch.watch(marketOfTest(), overlay);
    await until(() => watch.book('1') !== null && watch.book('2') !== null);
    base.advanceMs(3_600_000);
    emitMove(base.nowMs());
    await until(() => watch.snapshotOf('mkt_1')?.yes.bookAgeMs === 0 && watch.snapshotOf('mkt_1')?.no.bookAgeMs === 0);
    expect(watch.health().staleMarketCount).toBe(0);
  });

  test('failing reads are reported and repeated with a growing wait', async () => {
    const { watch, venue, faults } = await setup();
    venue.isFrozen = true;
    venue.bookReply = { status: 503, json: {} };
    watch.watch(marketOfTest(), overlay);
    await until(() => faults.length >= 6);
    expect(new Set(faults)).toEqual(new Set(['venue_unavailable']));
    venue.bookReply = null;
    await until(() => watch.health().staleMarketCount === 0);
    expect(watch.snapshotOf('mkt_1')).toMatchObject({ yes: { bookAgeMs: 0 }, no: { bookAgeMs: 0 } });
  });
});

describe('the set of markets', () => {
  test('an unwatched market is unsubscribed, and its late messages are dropped', async () => {
    const { watch, venue, ticks } = await live();
    watch.unwatch('mkt_1');
    watch.unwatch('mkt_1');
    expect(watch.snapshotOf('btc-up-or-down')).toBeNull();
    expect(watch.health().marketCount).toBe(0);
    await until(() => venue.server.frames.some((frame) => frame.includes('"unsubscribe"')));
    ticks.length = 0;
    venue.setBook('1', {});
    venue.setBook('2', {});
    await new Promise((done) => setTimeout(done, 30));
    expect(ticks).toEqual([]);
    expect(watch.book('1')).toBeNull();
  });

  test('a record with other tokens starts the market over', async () => {
    const { watch, venue } = await live();
    venue.setBook('8', { bids: [[1_000, 1]], asks: [[1_200, 1]] });
    venue.setBook('9', {});
    watch.watch(marketOfTest({ clobTokenIds: '["8","9"]' }), overlay);
    expect(watch.book('1')).toBeNull();
    await until(() => watch.snapshotOf('mkt_1')?.yes.lastMidPricePips === (1_100n as unknown));
  });

  test('a market without tokens is watched without books', async () => {
    const { watch } = await setup();
    watch.watch(marketOfTest({ clobTokenIds: '[]' }), overlay);
    expect(watch.snapshotOf('mkt_1')).toMatchObject({ facts: { yesTokenId: null }, yes: { book: null } });
  });

  test('a resolution sent by the socket is emitted as a hint', async () => {
    const { watch, venue } = await live();
    const resolved: string[] = [];
    watch.onResolved((ticker) => resolved.push(ticker));
    for (const market of [`0x${'ee'.repeat(32)}`, `0x${'C0'.repeat(32)}`]) {
      venue.broadcast(JSON.stringify({ event_type: 'market_resolved', market, timestamp: '1', winning_asset_id: '1' }));
    }
    await until(() => resolved.length === 1);
    expect(resolved).toEqual(['btc-up-or-down']);
    expect(watch.snapshotOf('mkt_1')?.facts.isSettlementDetected).toBe(false);
  });

  test('a refresh reads both books now', async () => {
    const { watch, venue, clock } = await live();
    clock.advanceMs(2_000);
    await watch.refresh('mkt_1');
    expect(watch.snapshotOf('mkt_1')).toMatchObject({
      yes: { bookAgeMs: 0, secondSource: { ageMs: 0 } },
      no: { bookAgeMs: 0 },
    });
    venue.bookReply = { status: 500, json: {} };
    await expect(watch.refresh('mkt_1')).rejects.toMatchObject({ code: 'venue_unavailable' });
  });

  test('callers during a refresh share the next one', async () => {
    const { watch, venue } = await live();
    const before = readsOf(venue, '1');
    await Promise.all(Array.from({ length: 16 }, () => watch.refresh('mkt_1')));
    const readCount = readsOf(venue, '1') - before;
    expect(readCount).toBeGreaterThanOrEqual(2);
    // Two, and what the regular reads do meanwhile.
    expect(readCount).toBeLessThan(8);
  });
});
