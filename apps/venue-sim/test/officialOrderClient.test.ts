import { realVenueProfile } from '@core/venue';
import {
  type ApiKeyCreds,
  AssetType,
  Chain,
  ClobClient,
  OrderType,
  PriceHistoryInterval,
  Side,
  SignatureTypeV2,
} from '@polymarket/clob-client-v2';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OfficialVenue, startOfficialVenue, walletOf } from '../testing/officialVenue.ts';
import { eventually } from '../testing/simHttp.ts';

/** The venue's own client for orders, on the simulator under the real profile. */
describe('the official order client', () => {
  let official: OfficialVenue;
  let creds: ApiKeyCreds;
  let wallet: Address;
  let client: ClobClient;
  const signer = walletOf(`0x${'a1'.repeat(32)}`);
  const chain = Chain.POLYGON;

  beforeAll(async () => {
    official = await startOfficialVenue('official orders');
    const { sim } = official;
    const host = sim.url;
    const open = new ClobClient({ host, chain, signer, throwOnError: true });
    creds = await open.createOrDeriveApiKey();
    const owner = signer.account?.address as Address;
    wallet = sim.venue.wallets.make(owner)?.wallet as Address;
    client = new ClobClient({
      host,
      chain,
      signer,
      creds,
      throwOnError: true,
      signatureType: SignatureTypeV2.POLY_1271,
      funderAddress: wallet,
    });
    await client.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    for (const token_id of [official.tokenId, official.otherTokenId]) {
      await client.updateBalanceAllowance({ asset_type: AssetType.CONDITIONAL, token_id });
    }
  });

  afterAll(async () => {
    await official.sim.close();
  });

  const limit = (price: number, size: number, side = Side.BUY) => ({
    tokenID: official.tokenId,
    price,
    size,
    side,
  });

  it('reads its keys: created once, derived afterwards, listed, created again after a revocation', async () => {
    expect(await client.getApiKeys()).toEqual({ apiKeys: [creds.key] });
    expect(await client.deriveApiKey()).toEqual(creds);
    await expect(client.createApiKey()).rejects.toThrow(/api key/i);
    expect(await client.getClosedOnlyMode()).toEqual({ closed_only: false });
    const readonly = await client.createReadonlyApiKey();
    expect(await client.getReadonlyApiKeys()).toEqual({ readonlyApiKeys: [readonly.apiKey] });
    expect(await client.deleteReadonlyApiKey(readonly.apiKey)).toBe(true);
    const builder = await client.createBuilderApiKey();
    expect(await client.getBuilderApiKeys()).toEqual([{ key: builder.key }]);
    await client.revokeBuilderApiKey();
    expect(await client.getBuilderApiKeys()).toEqual([]);
    const other = new ClobClient({
      host: official.sim.url,
      chain,
      signer: walletOf(`0x${'a2'.repeat(32)}`),
      throwOnError: true,
    });
    const otherCreds = await other.createApiKey();
    const otherPrivate = new ClobClient({
      host: official.sim.url,
      chain,
      signer: walletOf(`0x${'a2'.repeat(32)}`),
      creds: otherCreds,
      throwOnError: true,
    });
    await otherPrivate.deleteApiKey();
    await expect(otherPrivate.getApiKeys()).rejects.toThrow(/api key/i);
    expect(await other.createOrDeriveApiKey()).toEqual(otherCreds);
  });

  it('reads version, time and the markets of the order server', async () => {
    const { conditionId, tokenId, otherTokenId } = official;
    expect(await client.getOk()).toBe('OK');
    expect(await client.getVersion()).toBe(2);
    expect(Math.abs((await client.getServerTime()) - official.sim.venue.nowMs / 1000)).toBeLessThan(5);
    for (const page of [
      await client.getMarkets(),
      await client.getSimplifiedMarkets(),
      await client.getSamplingMarkets(),
      await client.getSamplingSimplifiedMarkets(),
    ]) {
      expect(page.next_cursor).toBe('LTE=');
      expect(page.data.map(({ condition_id }: { condition_id: string }) => condition_id)).toContain(conditionId);
    }
    expect((await client.getMarket(conditionId)).tokens.map(({ token_id }: { token_id: string }) => token_id)).toEqual([
      tokenId,
      otherTokenId,
    ]);
    const info = await client.getClobMarketInfo(conditionId);
    expect(info).toMatchObject({ mts: 0.01, nr: false, fd: { r: 0.07, e: 1 } });
    expect(await client.getTickSize(tokenId)).toBe('0.01');
    expect(await client.getNegRisk(tokenId)).toBe(false);
    expect(await client.getFeeExponent(otherTokenId)).toBe(1);
    expect(await client.getFeeRateBps(tokenId)).toBe(1000);
  });

  it('reads books and prices, one token and many', async () => {
    const { tokenId, otherTokenId } = official;
    const params = [
      { token_id: tokenId, side: Side.BUY },
      { token_id: otherTokenId, side: Side.SELL },
    ];
    const book = await client.getOrderBook(tokenId);
    const { hash } = book;
    expect(await client.getOrderBookHash(book)).toBe(hash);
    expect((await client.getOrderBooks(params)).map(({ asset_id }) => asset_id)).toEqual([tokenId, otherTokenId]);
    // The price of a side is the best order on it.
    expect(await client.getPrice(tokenId, Side.BUY)).toEqual({ price: book.bids.at(-1)?.price });
    expect(await client.getPrice(tokenId, Side.SELL)).toEqual({ price: book.asks.at(-1)?.price });
    expect(await client.getMidpoint(tokenId)).toEqual({ mid: '0.5' });
    expect(await client.getSpread(tokenId)).toEqual({ spread: '0.02' });
    expect(await client.getMidpoints(params)).toEqual({ [tokenId]: '0.5', [otherTokenId]: '0.5' });
    expect(await client.getSpreads(params)).toEqual({ [tokenId]: '0.02', [otherTokenId]: '0.02' });
    expect(await client.getPrices(params)).toEqual({ [tokenId]: { BUY: '0.49' }, [otherTokenId]: { SELL: '0.51' } });
    expect(await client.getLastTradePrice(tokenId)).toHaveProperty('price');
    expect(Array.isArray(await client.getLastTradesPrices(params))).toBe(true);
    // The client says that this is a list; it is an object with one.
    const { history } = Object(
      await client.getPricesHistory({ market: tokenId, interval: PriceHistoryInterval.ONE_HOUR }),
    );
    expect(history.length).toBeGreaterThan(50);
    expect(history.every(({ p }: { p: number }) => p === 0.5)).toBe(true);
  });

  it('places, reads and cancels resting orders, one by one, in batches, by market and all', async () => {
    const place = async (price: number, size = 10): Promise<string> => {
      const placed = await client.createAndPostOrder(limit(price, size));
      expect(placed).toMatchObject({ success: true, errorMsg: '', status: 'live' });
      return placed.orderID;
    };
    const openIds = async () => (await client.getOpenOrders({ market: official.conditionId })).map(({ id }) => id);
    const first = await place(0.05);
    const record = await client.getOrder(first);
    expect(record).toMatchObject({ id: first, owner: creds.key, maker_address: wallet, price: '0.05', status: 'LIVE' });
    expect(typeof record.created_at).toBe('number');
    expect(await client.isOrderScoring({ order_id: first })).toEqual({ scoring: true });
    expect(await client.cancelOrder({ orderID: first })).toEqual({ canceled: [first], not_canceled: {} });
    expect(await client.cancelOrder({ orderID: first })).toMatchObject({ canceled: [] });
    const batch = await client.postOrders([
      { order: await client.createOrder(limit(0.06, 10)), orderType: OrderType.GTC },
      { order: await client.createOrder(limit(0.07, 10)), orderType: OrderType.GTC },
      { order: await client.createOrder(limit(0.08, 1)), orderType: OrderType.GTC },
    ]);
    expect(batch.map(({ success }: { success: boolean }) => success)).toEqual([true, true, true]);
    const [one, two, refused] = batch;
    expect(refused?.errorMsg).toContain('lower than the minimum');
    expect(await openIds()).toHaveLength(2);
    expect((await client.cancelOrders([one?.orderID ?? ''])).canceled).toEqual([one?.orderID]);
    expect((await client.cancelMarketOrders({ asset_id: official.otherTokenId })).canceled).toEqual([]);
    expect((await client.cancelMarketOrders({ market: official.conditionId })).canceled).toEqual([two?.orderID]);
    await place(0.09);
    const expiring = await client.createAndPostOrder(
      { ...limit(0.1, 10), expiration: Math.floor(official.sim.venue.nowMs / 1000) + 3_600 },
      undefined,
      OrderType.GTD,
    );
    expect(expiring.status).toBe('live');
    expect((await client.cancelAll()).canceled).toHaveLength(2);
    expect(await openIds()).toEqual([]);
  });

  it('takes a post-only order that rests and refuses one that crosses', async () => {
    const resting = await client.createAndPostOrder(limit(0.11, 10), undefined, OrderType.GTC, true);
    expect(resting.status).toBe('live');
    await client.cancelOrder({ orderID: resting.orderID });
    const crossing = await client.createAndPostOrder(limit(0.6, 10), undefined, OrderType.GTC, true);
    expect(crossing).toMatchObject({ success: false, errorMsg: 'invalid post-only order: order crosses book' });
  });

  it('fills purchases and sales at once, and finds the hashes of their trades', async () => {
    const bought = await client.createAndPostMarketOrder({
      tokenID: official.tokenId,
      side: Side.BUY,
      amount: 12.34,
      orderType: OrderType.FOK,
    });
    expect(bought).toMatchObject({ success: true, status: 'matched' });
    expect(bought.transactionsHashes?.[0]).toMatch(/^0x[0-9a-f]{64}$/);
    const sold = await client.createAndPostMarketOrder(
      { tokenID: official.tokenId, side: Side.SELL, amount: 7.31, orderType: OrderType.FAK },
      undefined,
      OrderType.FAK,
    );
    expect(sold).toMatchObject({ success: true, status: 'matched', makingAmount: '7.31' });
    const trades = await client.getTrades({ market: official.conditionId });
    expect(trades.map(({ side }) => side)).toEqual(['BUY', 'SELL']);
    expect(trades.map(({ maker_address }) => maker_address)).toEqual([wallet, wallet]);
    const page = await client.getTradesPaginated({ asset_id: official.tokenId });
    expect(page).toMatchObject({ count: 2, next_cursor: 'LTE=' });
    expect(await client.getTrades({ asset_id: official.otherTokenId })).toEqual([]);
    const confirmedTrades = await eventually(
      () => client.getTrades({ id: bought.tradeIDs?.[0] ?? '' }),
      ([trade]) => trade?.status === 'CONFIRMED',
    );
    expect(confirmedTrades[0]?.transaction_hash).toBe(bought.transactionsHashes?.[0]);
  });

  it('gets the venue’s refusals: nothing to match, a foreign maker, another exchange, no balance', async () => {
    const far = { tokenID: official.tokenId, side: Side.BUY, amount: 5, price: 0.1 };
    await expect(client.createAndPostMarketOrder({ ...far, orderType: OrderType.FOK })).rejects.toThrow(
      'fully filled or killed',
    );
    await expect(
      client.createAndPostMarketOrder({ ...far, orderType: OrderType.FAK }, undefined, OrderType.FAK),
    ).rejects.toThrow('no orders found to match');
    const clientWith = (changes: Partial<ConstructorParameters<typeof ClobClient>[0]>) =>
      new ClobClient({ host: official.sim.url, chain, signer, creds, throwOnError: true, ...changes });
    const post = (other: ClobClient) => other.createAndPostOrder(limit(0.05, 10));
    await expect(post(clientWith({}))).rejects.toThrow('maker address not allowed');
    const foreign = clientWith({ signatureType: SignatureTypeV2.POLY_1271, funderAddress: `0x${'77'.repeat(20)}` });
    await expect(post(foreign)).rejects.toThrow('the order signer address has to be the address of the API KEY');
    const wrong = await client.createOrder(limit(0.05, 10), { version: 3 } as never);
    await expect(client.postOrder(wrong)).rejects.toThrow('order_version_mismatch');
    const poorSigner = walletOf(`0x${'a3'.repeat(32)}`);
    const poorOpen = clientWith({ signer: poorSigner });
    const poorCreds = await poorOpen.createApiKey();
    const creation = official.sim.venue.wallets.make(poorSigner.account?.address as Address);
    const poor = clientWith({
      signer: poorSigner,
      creds: poorCreds,
      signatureType: SignatureTypeV2.POLY_1271,
      funderAddress: creation?.wallet as Address,
    });
    expect(await poor.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).toMatchObject({ balance: '0' });
    await expect(post(poor)).rejects.toThrow('not enough balance / allowance');
    await poor.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    const { allowances } = Object(await poor.getBalanceAllowance({ asset_type: AssetType.COLLATERAL }));
    expect(Object.keys(allowances)).toEqual([realVenueProfile.contracts?.exchanges.v1]);
    expect((await post(poor)).status).toBe('live');
    await poor.cancelAll();
  });

  it('sends heartbeats, and reads notifications and builder fees', async () => {
    const first = await client.postHeartbeat('');
    const second = await client.postHeartbeat(first.heartbeat_id);
    expect(second.heartbeat_id).not.toBe(first.heartbeat_id);
    await expect(client.postHeartbeat(first.heartbeat_id)).rejects.toThrow('Invalid heartbeat');
    expect(await client.getNotifications()).toEqual([]);
    await client.dropNotifications({ ids: ['1'] });
    expect(await client.areOrdersScoring({ orderIds: [] })).toEqual({});
    const built = await client.createMarketOrder({
      tokenID: official.tokenId,
      side: Side.BUY,
      amount: 5,
      price: 0.6,
      builderCode: `0x${'0b'.repeat(32)}`,
    });
    expect((await client.postOrder(built, OrderType.FOK)).success).toBe(true);
    const { trades } = await client.getBuilderTrades({ builder_code: `0x${'0b'.repeat(32)}` });
    expect(trades).toHaveLength(1);
  });
});
