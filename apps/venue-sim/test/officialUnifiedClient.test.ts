import { createPublicClient, createSecureClient, forkEnvironmentConfig, relayerApiKey } from '@polymarket/client';
import { fetchBalanceAllowance, updateBalanceAllowance } from '@polymarket/client/actions';
import { signerFrom } from '@polymarket/client/viem';
import { ClobClient } from '@polymarket/clob-client-v2';
import { RealTimeDataClient } from '@polymarket/real-time-data-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OfficialVenue, startOfficialVenue, walletOf } from '../testing/officialVenue.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';
import { eventually, play } from '../testing/simHttp.ts';

type SecureClient = Awaited<ReturnType<typeof createSecureClient>>;

/** Return all items of a paginated list. */
async function allOf<Item>(pages: AsyncIterable<{ readonly items: readonly Item[] }>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

/** Collect the messages of a subscription until it is closed. */
function collected<Event>(events: AsyncIterable<Event>): readonly Event[] {
  const received: Event[] = [];
  void (async () => {
    for await (const event of events) received.push(event);
  })();
  return received;
}

/** The venue's unified client and its client for reference prices, on the simulator under the real profile. */
describe('the official unified client', () => {
  let official: OfficialVenue;
  let client: SecureClient;
  let environment: ReturnType<typeof forkEnvironmentConfig>;
  const walletClient = walletOf(`0x${'b1'.repeat(32)}`);

  beforeAll(async () => {
    official = await startOfficialVenue('official unified');
    const { url, wsUrl } = official.sim;
    environment = forkEnvironmentConfig({
      name: 'simulator',
      rpc: 'http://127.0.0.1:1',
      clob: { rest: url, market: { ws: `${wsUrl}/ws/market` }, user: { ws: `${wsUrl}/ws/user` } },
      gamma: { rest: url },
      data: { rest: url },
      relayer: { rest: url },
      rtds: { ws: `${wsUrl}/ws/live-data` },
      sports: { ws: `${wsUrl}/ws/sports` },
      relayerPollFrequencyMs: 10,
    });
    // The relayer makes the account's wallet for a key of the account's own.
    const open = new ClobClient({ host: url, chain: 137, signer: walletClient, throwOnError: true });
    const creds = await open.createApiKey();
    const withKey = new ClobClient({ host: url, chain: 137, signer: walletClient, creds, throwOnError: true });
    const { key } = await withKey.createBuilderApiKey();
    client = await createSecureClient({
      environment,
      signer: signerFrom(walletClient),
      apiKey: relayerApiKey({ key, address: walletClient.account?.address ?? '' }),
    });
  });

  afterAll(async () => {
    await client.closeSubscriptions();
    await official.sim.close();
  });

  it('makes the deposit wallet of an account and trades for it', async () => {
    expect(await official.sim.venue.wallets.isMade(client.account.wallet)).toBe(true);
    const owner = walletClient.account?.address ?? '0x';
    expect(client.account.wallet).toBe(official.sim.venue.wallets.walletOf(owner)?.toLowerCase());
  });

  it('reads the catalogue by key, page by page, and finds a market and an event', async () => {
    const open = official.sim.venue.markets.listed.filter(({ market }) => market.stage !== 'resolved');
    const markets = await allOf(client.listMarkets({ pageSize: 20 }));
    expect(new Set(markets.map(({ slug }) => slug))).toEqual(new Set(open.map(({ market }) => market.slug)));
    const { slug, id } = official.market.market.definition;
    const market = await client.fetchMarket({ slug });
    expect(market).toMatchObject({ id, slug, conditionId: official.conditionId });
    const events = await allOf(client.listEvents({ pageSize: 20 }));
    expect(events.map((event) => event.slug)).toContain(slug);
    const holders = await client.listMarketHolders({ market: [official.conditionId] });
    expect(holders.map(({ token }) => token)).toEqual([official.tokenId, official.otherTokenId]);
  });

  it('reads books, prices and history', async () => {
    const { tokenId, otherTokenId } = official;
    const requests = [{ tokenId }, { tokenId: otherTokenId }];
    const publicClient = createPublicClient({ environment });
    expect((await publicClient.fetchOrderBook({ tokenId })).tokenId).toBe(tokenId);
    expect(await publicClient.fetchOrderBooks(requests)).toHaveLength(2);
    expect(await publicClient.fetchMidpoint({ tokenId })).toBe('0.5');
    expect(await publicClient.fetchMidpoints(requests)).toEqual({ [tokenId]: '0.5', [otherTokenId]: '0.5' });
    expect(await publicClient.fetchPrice({ tokenId, side: 'BUY' as never })).toBe('0.49');
    expect(await publicClient.fetchPrices([{ tokenId, side: 'SELL' as never }])).toEqual({
      [tokenId]: { SELL: '0.51' },
    });
    expect(await publicClient.fetchSpread({ tokenId })).toBe('0.02');
    expect(await publicClient.fetchSpreads(requests)).toEqual({ [tokenId]: '0.02', [otherTokenId]: '0.02' });
    const endTs = Math.floor(official.sim.venue.nowMs / 1000);
    const history = await publicClient.fetchPriceHistory({ tokenId, startTs: endTs - 3_600, endTs } as never);
    expect(JSON.stringify(history)).toContain('0.5');
  });

  it('places, pages and cancels orders, fills at once, and hears of it on the user socket', async () => {
    const { tokenId, conditionId } = official;
    const events = collected(await client.subscribe([{ topic: 'user' }] as never));
    const money = { assetType: 'COLLATERAL' } as never;
    expect(String((await fetchBalanceAllowance(client, money)).balance)).toBe('0');
    await updateBalanceAllowance(client, money);
    await updateBalanceAllowance(client, { assetType: 'CONDITIONAL', tokenId } as never);
    expect(Number((await fetchBalanceAllowance(client, money)).balance)).toBeGreaterThan(0);
    const placed = await client.placeLimitOrder({ tokenId, side: 'BUY' as never, price: 0.05, size: 10 });
    expect(placed).toMatchObject({ ok: true, status: 'live' });
    const orders = await allOf(client.listOpenOrders({ market: conditionId } as never));
    expect(orders).toMatchObject([{ makerAddress: client.account.wallet, price: '0.05', originalSize: '10' }]);
    const orderId = 'orderId' in placed ? placed.orderId : '';
    expect((await client.fetchOrder({ orderId })).status).toBe('LIVE');
    const crossing = await client.placeLimitOrder({
      tokenId,
      side: 'BUY' as never,
      price: 0.6,
      size: 10,
      postOnly: true,
    });
    expect(crossing).toMatchObject({ ok: false, code: 'post_only_would_cross' });
    const orderOf = (price: number) => client.createLimitOrder({ tokenId, side: 'BUY' as never, price, size: 10 });
    const batch = await client.postOrders([await orderOf(0.06), await orderOf(0.07)]);
    expect(batch.map(({ ok }) => ok)).toEqual([true, true]);
    expect((await client.cancelOrder({ orderId })).canceled).toEqual([orderId]);
    expect((await client.cancelMarketOrders({ market: conditionId } as never)).canceled).toHaveLength(2);
    const bought = await client.placeMarketOrder({ tokenId, side: 'BUY' as never, amount: 10 });
    expect(bought).toMatchObject({ ok: true, status: 'matched' });
    const sold = await client.placeMarketOrder({ tokenId, side: 'SELL' as never, shares: 6 });
    expect(sold).toMatchObject({ ok: true, status: 'matched', makingAmount: '6' });
    const trades = await allOf(client.listAccountTrades({ market: conditionId } as never));
    expect(trades.map(({ side }) => side)).toEqual(['BUY', 'SELL']);
    const kinds = await eventually(
      () => events.map((event: { readonly type?: string }) => event.type),
      (types) => types.includes('order') && types.includes('trade'),
    );
    expect(new Set(kinds)).toEqual(new Set(['order', 'trade']));
  });

  it('hears books, best prices, resolutions, games and reference prices', async () => {
    const { sim } = official;
    const ending = await listPlainMarket(sim.venue);
    const tokenId = ending.market.tokenIdOf(0).toString();
    const marketEvents = collected(
      await client.subscribe([{ topic: 'market', tokenIds: [tokenId], customFeatureEnabled: true }] as never),
    );
    const sports = collected(await client.subscribe([{ topic: 'sports' }] as never));
    const prices = collected(
      await client.subscribe([{ topic: 'prices.crypto.chainlink' }, { topic: 'prices.crypto.binance' }] as never),
    );
    await listPlainMarket(sim.venue);
    const slug = ending.market.slug;
    await play(sim, 'pump', { market: slug, params: { side: 'yes', to: '0.60' } });
    const typesOf = (events: readonly unknown[]) => new Set(events.map((event) => (event as { type: string }).type));
    await eventually(
      () => typesOf(marketEvents),
      (types) => types.has('best_bid_ask') && types.has('price_change'),
    );
    await play(sim, 'resolve', { market: slug, params: { outcome: 'yes' } });
    const types = await eventually(
      () => typesOf(marketEvents),
      (found) => found.has('market_resolved'),
    );
    for (const type of ['book', 'price_change', 'best_bid_ask', 'new_market', 'market_resolved']) {
      expect(types).toContain(type);
    }
    await eventually(
      () => sports.length,
      (count) => count > 0,
    );
    const topics = await eventually(
      () => new Set(prices.map((event) => (event as { topic: string }).topic)),
      (found) => found.size === 2,
    );
    expect(topics).toEqual(new Set(['prices.crypto.chainlink', 'prices.crypto.binance']));
    expect(sports.length).toBeGreaterThan(0);
  });

  it('serves the client of reference prices, without an answer to its pings', async () => {
    const received: { readonly topic: string; readonly type: string; readonly payload: { readonly symbol: string } }[] =
      [];
    const reference = new RealTimeDataClient({
      host: `${official.sim.wsUrl}/ws/live-data`,
      onMessage: (_client, message) => received.push(message as never),
      onConnect: (connected) =>
        connected.subscribe({ subscriptions: [{ topic: 'crypto_prices_twap_sixty', type: 'update' }] }),
    });
    reference.connect();
    await eventually(
      () => received.filter(({ type }) => type === 'update').length,
      (count) => count >= 4,
    );
    reference.disconnect();
    expect(new Set(received.map(({ payload }) => payload.symbol))).toEqual(
      new Set(['btc/usd', 'eth/usd', 'sol/usd', 'xrp/usd']),
    );
  });
});
