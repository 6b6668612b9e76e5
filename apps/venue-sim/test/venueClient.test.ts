import type { VenueMarket } from '@core/market';
import { raw } from '@core/pricing';
import { followedClock } from '@core/runtime';
import type { VenueDomain } from '@core/vault';
import {
  BookStore,
  bookAgeMsOf,
  checkIdentity,
  EndpointPauses,
  HttpPriceHistory,
  HttpReferenceFeeds,
  HttpVenueClient,
  isVenueFault,
  MarketSocket,
  markOf,
  type UserMessage,
  UserSocket,
} from '@core/venue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';
import { eventually, play, read, send } from '../testing/simHttp.ts';
import { Trader } from '../testing/trader.ts';

const toPips = (price: string): bigint => BigInt(Math.round(Number(price) * 10_000));

/** Venue adapter of the service against the simulator: the same code as against the real venue. */
describe('the venue adapter', () => {
  let sim: VenueSim;
  let client: HttpVenueClient;
  let trader: Trader;
  let domain: VenueDomain;
  /** The clock of the client's pauses. */
  let monotonicMs = 0;

  beforeAll(async () => {
    sim = await startVenueSim({ seed: 'contract', settlementTimes: { retryMs: 50, confirmMs: 50 } });
    const pauses = new EndpointPauses(() => monotonicMs);
    client = new HttpVenueClient({ url: sim.url, retry: { maxAttempts: 1 }, pauses });
    domain = sim.venue.options.domain;
    trader = new Trader(`0x${'5'.repeat(64)}`, domain);
  });

  afterAll(async () => {
    await sim.close();
  });

  const catalogue = async (limit: number): Promise<VenueMarket[]> => {
    const markets: VenueMarket[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<HttpVenueClient['cataloguePage']>> = await client.cataloguePage({
        limit,
        ...(cursor === null ? {} : { cursor }),
      });
      expect(page.unreadable).toEqual([]);
      markets.push(...page.markets);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return markets;
  };

  it('reads the whole catalogue, page by page, and proves every market’s identity but neg-risk ones', async () => {
    const markets = await catalogue(7);
    expect(new Set(markets.map(({ ticker }) => ticker)).size).toBe(markets.length);
    expect(markets.length).toBeGreaterThanOrEqual(24);
    const { oracle, collateralToken } = sim.venue.options;
    for (const market of markets) {
      const check = checkIdentity(market, { collateralToken, oracles: [oracle], oracleAggregator: null });
      expect([market.ticker, check.kind]).toEqual([market.ticker, market.isNegRisk ? 'refused' : 'proven']);
      expect(market.category).not.toBe('unsupported');
      expect(market.closeTimeMs).not.toBeNull();
    }
    expect(new Set(markets.map(({ cryptoAsset }) => cryptoAsset))).toEqual(new Set(['BTC', 'ETH', 'SOL', 'XRP', null]));
    const sports = new Set(markets.map(({ sport }) => sport));
    expect(sports).toEqual(new Set(['tennis', 'basketball', 'baseball', 'esport', 'soccer', null]));
    expect(markets.some(({ game }) => game?.isLive === true)).toBe(true);
    expect(new Set(markets.map(({ sportsMarketType }) => sportsMarketType))).toEqual(
      new Set(['moneyline', 'spreads', 'totals', null]),
    );
    // One record has fees on and no schedule: it must be read as unknown, one has no fees at all.
    expect(
      markets.filter(({ venueFeeSchedule }) => venueFeeSchedule === null).map(({ cryptoAsset }) => cryptoAsset),
    ).toEqual(['XRP']);
    expect(markets.some(({ venueFeeSchedule }) => venueFeeSchedule?.ratePpm === 0n)).toBe(true);
  });

  it('reads books with their hash, prices, ticks, history and holders', async () => {
    const { slug } = (await listPlainMarket(sim.venue)).market;
    const market = (await catalogue(100)).find(({ ticker }) => ticker === slug);
    const tokenId = market?.tokenIds?.yes ?? '';
    const book = await client.book(tokenId);
    expect(book?.isHashValid).toBe(true);
    expect(book?.bids.length).toBeGreaterThan(5);
    const bodyOf = async (path: string) => (await read(sim, path)).body;
    const best = { ask: book?.asks[0]?.pricePips, bid: book?.bids[0]?.pricePips };
    expect(toPips((await bodyOf(`/price?token_id=${tokenId}&side=SELL`)).price)).toBe(best.ask);
    expect(toPips((await bodyOf(`/price?token_id=${tokenId}&side=BUY`)).price)).toBe(best.bid);
    expect((await bodyOf(`/midpoint?token_id=${tokenId}`)).mid).toBe('0.5');
    expect(raw(await client.tickSize(tokenId))).toBe(100n);
    const startSeconds = Math.floor(sim.venue.nowMs / 1000) - 3_600;
    const { history } = await bodyOf(`/prices-history?market=${tokenId}&startTs=${startSeconds}&fidelity=5`);
    expect(history.length).toBeGreaterThanOrEqual(11);
    expect(history.every(({ p }: { p: unknown }) => typeof p === 'number' && p > 0 && p < 1)).toBe(true);
    const pastPrices = new HttpPriceHistory({ url: sim.url });
    const hour = await pastPrices.pastPrices(tokenId, { interval: '1h', fidelityMinutes: 5 });
    expect(hour.map(({ atMs }) => atMs / 1_000)).toEqual(history.map(({ t }: { t: number }) => t));
    expect(await pastPrices.pastPrices('12345', { interval: 'max', fidelityMinutes: 5 })).toEqual([]);
    const holders = await client.topHolders(market?.conditionId ?? '');
    expect(holders.map((holder) => holder.tokenId)).toEqual([market?.tokenIds?.yes, market?.tokenIds?.no]);
    expect(holders.every(({ largestShareBps }) => largestShareBps !== null && raw(largestShareBps) < 5_000n)).toBe(
      true,
    );
    const { body: terms } = await read(sim, `/markets/${market?.conditionId}`);
    expect(terms).toMatchObject({
      condition_id: market?.conditionId,
      accepting_orders: true,
      tokens: [
        { token_id: market?.tokenIds?.yes, winner: false },
        { token_id: market?.tokenIds?.no, winner: false },
      ],
    });
    expect(await client.book('12345')).toBeNull();
    expect(await bodyOf('/markets?slug=no-such-market')).toEqual([]);
  });

  it('places orders, follows their trades and hears of them on the user socket', async () => {
    const running = await listPlainMarket(sim.venue);
    const received: UserMessage[] = [];
    const socket = new UserSocket({
      url: `${sim.wsUrl}/ws/user`,
      auth: { apiKey: 'alice' },
      onMessage: (message) => received.push(message),
    });
    // The subscription is active once the first order arrives.
    await eventually(
      async () => {
        const low = trader.sign({
          tokenId: running.market.tokenIdOf(0),
          side: 'BUY',
          pricePips: 200n,
          tokenUnits: 10_000_000n,
        });
        await client.placeOrder({ order: { ...low, signatureType: 0 }, orderType: 'GTC', owner: 'alice' });
        return received.length;
      },
      (count) => count > 0,
    );
    const order = trader.sign({
      tokenId: running.market.tokenIdOf(0),
      side: 'BUY',
      pricePips: 5_300n,
      tokenUnits: 100_000_000n,
    });
    const placed = await client.placeOrder({ order: { ...order, signatureType: 0 }, orderType: 'FOK', owner: 'alice' });
    expect(placed.status).toBe('matched');
    expect(placed.takingUnits).toBeGreaterThanOrEqual(100_000_000n);
    expect(order.makerAmount - (placed.makingUnits ?? 0n)).toBeLessThan(10_000n);
    const trades = await eventually(
      () => client.trades({ orderId: placed.orderId }),
      (found) => found.every(({ status }) => status === 'CONFIRMED'),
    );
    expect(trades.map(({ status }) => status)).toEqual(['CONFIRMED']);
    expect(trades[0]?.transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    const state = await client.order(placed.orderId);
    expect(state?.status).toBe('matched');
    expect(state === null ? null : raw(state.matchedTokenUnits)).toBe(placed.takingUnits);
    const receivedStatuses = await eventually(
      () => received.flatMap((message) => (message.kind === 'trade' ? message.trade.status : [])),
      (statuses) => statuses.length >= 3,
    );
    expect(receivedStatuses).toEqual(['MATCHED', 'MINED', 'CONFIRMED']);
    socket.close();
    expect(await client.order(`0x${'0'.repeat(64)}`)).toBeNull();
  });

  it('reads killed orders, trade dates and ids of makers as the venue writes them', async () => {
    const running = await listPlainMarket(sim.venue);
    const tokenId = running.market.tokenIdOf(0);
    const received: UserMessage[] = [];
    const unreadable: string[] = [];
    const socket = new UserSocket({
      url: `${sim.wsUrl}/ws/user`,
      auth: { apiKey: 'dora' },
      onMessage: (message) => received.push(message),
      onUnreadable: () => unreadable.push('frame'),
    });
    const kill = async () => {
      const order = trader.sign({ tokenId, side: 'BUY', pricePips: 100n, tokenUnits: 100_000_000n });
      const killed = client.placeOrder({ order: { ...order, signatureType: 0 }, orderType: 'FOK', owner: 'dora' });
      await expect(killed).rejects.toMatchObject({ code: 'order_not_filled' });
      return received.length;
    };
    // The subscription is active once the first killed order arrives.
    await eventually(kill, (count) => count > 0);
    expect(received[0]).toMatchObject({
      kind: 'order',
      event: 'cancellation',
      order: { status: 'cancelled', matchedTokenUnits: 0n, originalTokenUnits: 100_000_000n, tradeIds: [] },
    });
    const instantForms = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      const order = trader.sign({ tokenId, side: 'BUY', pricePips: 6_000n, tokenUnits: 10_000_000n });
      const request = { order: { ...order, signatureType: 0 }, orderType: 'FOK', owner: 'dora' } as const;
      const { orderId, tradeIds } = await client.placeOrder(request);
      const [wire] = (await read(sim, `/data/trades?id=${tradeIds[0]}`)).body.data;
      instantForms.add(/^\d{10}$/.test(wire.match_time) ? 'seconds' : wire.match_time.includes('T') ? 'iso' : 'ms');
      const [trade] = await client.trades({ orderId });
      expect(Math.abs((trade?.matchedAtMs ?? 0) - sim.venue.nowMs)).toBeLessThan(60_000);
      expect(trade?.makerFills.some((fill) => fill.orderId.startsWith('quote-'))).toBe(true);
    }
    expect(instantForms).toEqual(new Set(['seconds', 'ms', 'iso']));
    await eventually(
      () => received.flatMap((message) => (message.kind === 'trade' ? message.trade.status : [])),
      (statuses) => statuses.filter((status) => status === 'CONFIRMED').length === 3,
    );
    const dated = received.flatMap((message) => (message.kind === 'trade' ? [message.trade] : []));
    expect(dated.filter(({ status }) => status === 'MATCHED').map(({ transactionHash }) => transactionHash)).toEqual([
      null,
      null,
      null,
    ]);
    expect(unreadable).toEqual([]);
    socket.close();
  });

  it('maps every refusal to the fault of its table', async () => {
    const running = await listPlainMarket(sim.venue);
    const { market } = running;
    const sign = (changes: { pricePips?: bigint; tokenUnits?: bigint; tokenId?: bigint } = {}) => ({
      ...trader.sign({
        tokenId: market.tokenIdOf(0),
        side: 'BUY',
        pricePips: 5_300n,
        tokenUnits: 10_000_000n,
        ...changes,
      }),
      signatureType: 0 as const,
    });
    const faultOf = async (
      order: ReturnType<typeof sign>,
      orderType: 'GTC' | 'FOK' | 'FAK' = 'FOK',
    ): Promise<string> => {
      try {
        await client.placeOrder({ order, orderType, owner: 'x' });
        return 'none';
      } catch (error) {
        return isVenueFault(error) ? error.code : String(error);
      }
    };
    expect(await faultOf(sign({ pricePips: 5_350n }))).toBe('order_off_tick');
    expect(await faultOf(sign({ tokenUnits: 1_000_000n }))).toBe('order_below_minimum_size');
    expect(await faultOf(sign({ pricePips: 100n, tokenUnits: 200_000_000n }))).toBe('order_not_filled');
    expect(await faultOf(sign({ pricePips: 100n, tokenUnits: 200_000_000n }), 'FAK')).toBe('order_not_filled');
    expect(await faultOf(sign({ tokenId: 77n }))).toBe('book_not_found');
    const resting = sign({ pricePips: 200n });
    expect(await faultOf(resting, 'GTC')).toBe('none');
    expect(await faultOf(resting, 'GTC')).toBe('order_duplicated');
    await play(sim, 'restart_425');
    expect(await faultOf(sign())).toBe('venue_restarting');
    await play(sim, 'calm');
    await play(sim, 'throttle_429');
    expect(await faultOf(sign())).toBe('venue_throttled');
    await play(sim, 'calm');
    // Not before the Retry-After second of the venue.
    expect(await faultOf(sign())).toBe('venue_throttled');
    monotonicMs += 1_000;
    await play(sim, 'resolve', { market: market.slug, params: { outcome: 'yes' } });
    expect(await faultOf(sign())).toBe('market_closed');
  });

  it('follows the clock and the reference feeds through an advance', async () => {
    const clock = await followedClock({ url: sim.url });
    const feeds = new HttpReferenceFeeds({ url: sim.url, clock });
    await feeds.refresh();
    const spot = feeds.spotOf('BTC');
    expect(Number(spot?.priceUsd)).toBeGreaterThan(1_000);
    const live = [...sim.venue.fixtures()].find(({ secondsPlayed, endedMs }) => secondsPlayed > 0 && endedMs === null);
    expect(feeds.gameOf(live?.slug ?? '')?.isLive).toBe(true);

    const store = new BookStore();
    const socket = new MarketSocket({
      url: `${sim.wsUrl}/ws/market`,
      onMessage: (message) => store.apply(message, clock.nowMs()),
    });
    const tokenId = (await listPlainMarket(sim.venue)).market.tokenIdOf(0).toString();
    socket.subscribe([tokenId]);
    await eventually(
      () => store.book(tokenId),
      (book) => book !== null,
    );
    const before = clock.nowMs();
    await send(sim, '/control/clock', { advance_seconds: 600 });
    expect(clock.nowMs() - before).toBeGreaterThanOrEqual(600_000);
    const book = await eventually(
      () => store.book(tokenId),
      (kept) => kept !== null && bookAgeMsOf(kept, clock.nowMs()) < 1_000,
    );
    // Right after the advance the book is fresh on the followed clock, so that it can be attested.
    expect(book === null ? null : markOf(book, clock.nowMs())?.isAttestable).toBe(true);
    await feeds.refresh();
    // Spot prices are dated by whole seconds.
    expect(feeds.spotOf('BTC')?.atMs ?? 0).toBeGreaterThan(before + 599_000);
    socket.close();
    feeds.close();
    clock.close();
  });
});
