import { SigningKey } from '@core/vault';
import {
  type CredentialTerms,
  DerivedCredentials,
  HttpVenueClient,
  realVenueProfile,
  simulatorProfile,
  type UserMessage,
  UserSocket,
} from '@core/venue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';
import { eventually, read, send } from '../testing/simHttp.ts';
import { orderBody, Trader } from '../testing/trader.ts';

describe.each([
  ['simulator', simulatorProfile],
  ['real', realVenueProfile],
])('a venue of the %s profile that requires credentials', (_name, profile) => {
  const credentialTerms = { ...profile.login, chainId: profile.chainId };
  const key = `0x${'7'.repeat(64)}` as const;
  let sim: VenueSim;
  let trader: Trader;

  beforeAll(async () => {
    sim = await startVenueSim({
      seed: 'credentials',
      profile,
      requiresCredentials: true,
      acceptsForeignMakers: true,
      remembersBalances: false,
      settlementTimes: { retryMs: 50, confirmMs: 50 },
    });
    trader = new Trader(key, sim.venue.options.domain);
  });

  afterAll(async () => {
    await sim.close();
  });

  const credentialsOf = (privateKey: `0x${string}`, terms: CredentialTerms = credentialTerms) =>
    new DerivedCredentials({
      url: sim.url,
      account: new SigningKey(privateKey),
      terms,
      nowMs: () => sim.venue.nowMs,
      retry: { maxAttempts: 1 },
    });

  const clientOf = (credentials: DerivedCredentials) =>
    new HttpVenueClient({ url: sim.url, credentials, retry: { maxAttempts: 1 } });

  const purchase = async () => {
    const { market } = await listPlainMarket(sim.venue);
    const order = trader.sign({
      tokenId: market.tokenIdOf(0),
      side: 'BUY',
      pricePips: 5_300n,
      tokenUnits: 10_000_000n,
    });
    return { order: { ...order, signatureType: 0 }, orderType: 'FOK', owner: 'ignored' } as const;
  };

  it('takes an order, shows its trades and sends them to the account’s own socket', async () => {
    const credentials = credentialsOf(key);
    const client = clientOf(credentials);
    const received: UserMessage[] = [];
    const socket = new UserSocket({
      url: `${sim.wsUrl}/ws/user`,
      auth: await credentials.credentials(),
      onMessage: (message) => received.push(message),
    });
    await eventually(
      async () => {
        await client.placeOrder(await purchase());
        return received.length;
      },
      (count) => count > 0,
    );
    const placed = await client.placeOrder(await purchase());
    expect(placed.status).toBe('matched');
    expect(await client.order(placed.orderId)).toMatchObject({ status: 'matched' });
    expect(await client.trades({ orderId: placed.orderId })).toMatchObject([{ tradeId: placed.tradeIds[0] }]);
    const tradesOf = () => received.flatMap((message) => (message.kind === 'trade' ? message.trade.tradeId : []));
    expect(await eventually(tradesOf, (ids) => ids.includes(placed.tradeIds[0] ?? ''))).toContain(placed.tradeIds[0]);
    socket.close();
  });

  it('returns equal credentials for one account and different ones for another', async () => {
    const mine = await credentialsOf(key).credentials();
    expect(await credentialsOf(key).credentials()).toEqual(mine);
    const others = await credentialsOf(`0x${'8'.repeat(64)}`).credentials();
    expect([others.apiKey, others.secret, others.passphrase]).not.toContain(mine.apiKey);
    expect(others.secret).not.toBe(mine.secret);
  });

  it('refuses a signature of another domain, and private requests without credentials', async () => {
    const foreign = clientOf(credentialsOf(key, { ...credentialTerms, chainId: 1 }));
    await expect(foreign.trades({ tradeId: 'x' })).rejects.toMatchObject({ code: 'credentials_refused' });
    const bare = new HttpVenueClient({ url: sim.url, retry: { maxAttempts: 1 } });
    await expect(bare.placeOrder(await purchase())).rejects.toMatchObject({ code: 'credentials_refused' });
    await expect(bare.order('0x01')).rejects.toMatchObject({ code: 'credentials_refused' });
    const { order } = await purchase();
    expect((await send(sim, '/order', orderBody(order, 'FOK'))).status).toBe(401);
    expect((await fetch(`${sim.url}/order`, { method: 'DELETE', body: '{}' })).status).toBe(401);
    expect((await read(sim, '/data/orders')).status).toBe(401);
    expect((await read(sim, '/markets?limit=1')).status).toBe(200);
  });

  it.each(['SIGNATURE', 'TIMESTAMP', 'PASSPHRASE', 'API_KEY', 'ADDRESS'])('refuses a wrong %s', async (name) => {
    const headers = await credentialsOf(key).headersOf({ method: 'GET', path: '/data/trades', body: '' });
    const ask = async (changes: Record<string, string>) =>
      (await fetch(`${sim.url}/data/trades?id=x`, { headers: { ...headers, ...changes } })).status;
    expect(await ask({})).toBe(200);
    const header = `${credentialTerms.headerPrefix}${name}`;
    expect(
      await ask({ [header]: `${headers[header]?.slice(0, -1)}${headers[header]?.endsWith('1') ? '2' : '1'}` }),
    ).toBe(401);
    expect(await ask({ [header]: '' })).toBe(401);
  });

  it('refuses a signature made for another path or body, and an order of another owner', async () => {
    const credentials = credentialsOf(key);
    const { order } = await purchase();
    const { apiKey } = await credentials.credentials();
    const body = JSON.stringify(orderBody(order, 'FOK', apiKey));
    const post = async (signed: string, sent: string) => {
      const headers = await credentials.headersOf({ method: 'POST', path: '/order', body: signed });
      const response = await fetch(`${sim.url}/order`, { method: 'POST', headers: { ...headers }, body: sent });
      return { status: response.status, text: await response.text() };
    };
    expect((await post(`${body} `, body)).status).toBe(401);
    const foreign = JSON.stringify(orderBody(order, 'FOK', 'another owner'));
    expect(await post(foreign, foreign)).toMatchObject({ status: 400, text: expect.stringContaining('owner') });
    expect((await post(body, body)).status).toBe(200);
    const headers = await credentials.headersOf({ method: 'GET', path: '/data/trades', body: '' });
    expect((await fetch(`${sim.url}/data/orders`, { headers: { ...headers } })).status).toBe(401);
  });

  it('closes the user socket of a subscription without the three values', async () => {
    const { apiKey, ...rest } = await credentialsOf(key).credentials();
    for (const auth of [{ apiKey }, { apiKey, ...rest, secret: 'c2VjcmV0' }, { apiKey, ...rest, passphrase: '' }]) {
      const reasons: string[] = [];
      const socket = new UserSocket({
        url: `${sim.wsUrl}/ws/user`,
        auth,
        onMessage: () => undefined,
        onDisconnect: (reason) => reasons.push(reason),
      });
      await eventually(
        () => reasons.length,
        (count) => count > 0,
      );
      socket.close();
      expect(reasons[0]).toBe('lost');
    }
  });
});
