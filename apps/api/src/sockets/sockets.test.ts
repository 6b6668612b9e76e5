import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { MarketRecord } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { partnerTermsOf } from '@core/policy';
import type { Hex, Position } from '@core/position';
import { raw, tokenUnits, usdPips } from '@core/pricing';
import { settledEvents } from '@core/store/testing';
import {
  closeCodes,
  type EventDefinition,
  eventFrame,
  events,
  gateways,
  position as positionSchema,
  serverFrames,
  socketLimits,
} from '@core/wire';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listedMarketOf } from '../../testing/listedMarketOf.ts';
import { notify, writePosition, writtenPosition } from '../../testing/positionWriter.ts';
import { type ReceivedFrame, RefusedError, SocketClient } from '../../testing/socketClient.ts';
import { fieldOf, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;
let bob: string;
let market: MarketRecord;
const clients: SocketClient[] = [];
let lastNumber = 0;

beforeAll(async () => {
  api = await startTestApi({ config: { corsOrigins: ['https://shop.example'], idNamespace: 'lev' } });
  alice = await api.userOf(wallets.alice);
  bob = await api.userOf(wallets.bob);
  const record = await api.store.markets.byTicker('btc-up');
  if (record === null) throw new Error('the market is listed');
  market = record;
});
afterEach(() => {
  for (const client of clients.splice(0)) client.end();
});
afterAll(() => api.close());

type Gateway = keyof typeof gateways;
const address = (gateway: Gateway, query = ''): string =>
  `${api.api.origin.replace('http', 'ws')}/v1/ws/prediction-markets${gateways[gateway].path}${query}`;

function connect(gateway: Gateway, authorization: string | null, options: { query?: string; headers?: object } = {}) {
  const headers = { ...(authorization !== null && { Authorization: authorization }), ...options.headers };
  const client = new SocketClient(address(gateway, options.query), { headers });
  clients.push(client);
  return client;
}

async function refusalOf(client: SocketClient): Promise<number> {
  const refusal = await client.opened().then(
    () => null,
    (cause: unknown) => cause,
  );
  return refusal instanceof RefusedError ? refusal.status : 0;
}

/** A client of alice's that has its snapshot. */
async function joined(gateway: Gateway = 'user', authorization = alice): Promise<SocketClient> {
  const client = connect(gateway, authorization);
  await client.frame(gateway === 'markets' ? 'connected' : 'snapshot');
  return client;
}

const ownerOf = (wallet: Hex, partner = 0) => ({
  partnerId: api.partners[partner]?.record.id ?? '',
  walletAddress: wallet,
});

/** A position with its first event written. */
async function created(wallet: Hex, status: Position['status'] = 'open', partner = 0): Promise<Position> {
  lastNumber += 1;
  const position = writtenPosition({ number: lastNumber, ...ownerOf(wallet, partner), market, status });
  await writePosition(api.store, position, 'position.opened');
  return position;
}

const idsOf = (frames: readonly ReceivedFrame[]): readonly unknown[] => frames.map(({ data }) => data?.['id']);
const wireIdOf = ({ id }: Position): string => `lev_${id}`;

describe('F24: who may connect', () => {
  test('a refusal is an HTTP answer before the upgrade, on every gateway and for every wrong credential', async () => {
    const second = api.keyOf(1);
    const wrong: ReadonlyArray<readonly [Gateway, string | null]> = [
      ['user', null],
      ['user', 'Bearer nonsense'],
      ['user', api.keyOf()],
      ['partner', alice],
      ['partner', null],
      ['partner', 'Api-Key sbx_skey_unknown'],
      ['partner', `Api-Key ${second.split(' ')[1]?.replace('sbx_', 'live_')}`],
      ['markets', null],
    ];
    for (const [gateway, authorization] of wrong) {
      expect([gateway, await refusalOf(connect(gateway, authorization))]).toEqual([gateway, 401]);
    }
    const stranger = new SocketClient(`${address('user')}/nowhere`, { headers: { Authorization: alice } });
    expect(await refusalOf(stranger)).toBe(404);
  });

  test('a refusal has the body and the code of any other', async () => {
    const { hostname, port } = new URL(api.api.origin);
    const response = await fetch(`http://${hostname}:${port}/v1/ws/prediction-markets/positions`);
    expect(response.status).toBe(404);
    const body = await upgradeBody(address('user'));
    expect(fieldOf(JSON.parse(body), 'error', 'code')).toBe('unauthorized');
  });

  test('answers an invalid address with not_found, without an error in the log', async () => {
    const errors: unknown[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => errors.push(line) });
    const other = await startTestApi({ logger });
    const { hostname, port } = new URL(other.api.origin);
    for (const path of ['//', 'http://', '/\\\\:80:80/']) {
      expect([path, await upgradeStatus({ hostname, port, path })]).toEqual([path, 404]);
    }
    expect(errors).toEqual([]);
    await other.close();
  });

  test('a foreign origin is refused, a listed one and a client without one are let in', async () => {
    const foreign = connect('user', alice, { headers: { Origin: 'https://evil.example' } });
    expect(await refusalOf(foreign)).toBe(403);
    const listed = connect('user', alice, { headers: { Origin: 'https://shop.example' } });
    expect((await listed.frame('connected'))['connection_id']).toMatch(/^con_/);
    await joined();
  });

  test('a browser authenticates by subprotocol, and the token is not echoed', async () => {
    const protocols = ['lev.v1', `bearer.${alice.split(' ')[1]}`];
    const client = new SocketClient(address('user'), { protocols });
    clients.push(client);
    await client.frame('connected');
    expect(client.socket.protocol).toBe('lev.v1');
    const alone = new SocketClient(address('user'), { protocols: [protocols[1] ?? ''] });
    expect(await refusalOf(alone)).toBe(401);
  });

  test('an address that keeps failing is refused before its credential is verified', async () => {
    const other = await startTestApi({ limits: 'real' });
    const url = `${other.api.origin.replace('http', 'ws')}/v1/ws/prediction-markets/positions`;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 31; attempt += 1) {
      statuses.push(await refusalOf(new SocketClient(url, { headers: { Authorization: 'Bearer x' } })));
    }
    expect([...new Set(statuses.slice(0, 30))]).toEqual([401]);
    expect(statuses.at(-1)).toBe(429);
    const refusal = await refusedHeaders(new SocketClient(url, { headers: { Authorization: other.keyOf() } }));
    expect(refusal).toMatchObject({ status: 429, 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '0' });
    expect(refusal['retry-after']).toBe(refusal['x-ratelimit-reset']);
    expect(Number(refusal['retry-after']) > 5 && Number(refusal['retry-after']) <= 60).toBe(true);
    await other.close();
  });

  test('a refusal for its credential carries the rate headers of the bucket it was charged to', async () => {
    const other = await startTestApi({ limits: 'real' });
    const url = `${other.api.origin.replace('http', 'ws')}/v1/ws/prediction-markets/positions`;
    expect(await refusedHeaders(new SocketClient(url))).toMatchObject({
      status: 401,
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'retry-after': undefined,
    });
    await other.close();
  });

  test('accepted handshakes are counted for each wallet, with room to come back several times over', async () => {
    const wallet = await api.userOf('0x976EA74026E726554dB657fA54763abd0C3a0aa9');
    for (let count = 0; count < socketLimits.handshakesPerWallet; count += 1) {
      const client = await connect('user', wallet).opened();
      client.end();
    }
    const refusal = await refusedHeaders(connect('markets', wallet));
    expect(refusal).toMatchObject({ status: 429, 'x-ratelimit-limit': String(socketLimits.handshakesPerWallet) });
    expect(Number(refusal['retry-after'])).toBeGreaterThan(0);
    await joined('user', alice);
  });

  test('one wallet has so many connections and no more; a closed one makes room', async () => {
    const wallet = await api.userOf('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC');
    const own = await Promise.all(
      Array.from({ length: socketLimits.connectionsPerWallet }, () => joined('user', wallet)),
    );
    expect(await connect('markets', wallet).closed()).toBe(closeCodes.tooMany.code);
    own[0]?.end();
    await expect
      .poll(async () => {
        const client = connect('user', wallet);
        await client.opened();
        return Promise.race([client.closed(), client.frame('snapshot').then(() => 'in')]);
      })
      .toBe('in');
  });
});

describe('the stream', () => {
  test('connected, snapshot, then numbered events; every frame fits the document', async () => {
    const open = await created(wallets.alice);
    const closedPosition = await created(wallets.alice, 'closed');
    const client = await joined();
    const snapshot = await client.frame('snapshot');
    const positions = positionSchema.array().parse(snapshot['positions']);
    expect(positions.map(({ id }) => id)).toContain(wireIdOf(open));
    expect(positions.map(({ id }) => id)).not.toContain(wireIdOf(closedPosition));
    await writePosition(api.store, { ...open, status: 'closing' }, 'position.close_requested');
    await notify(api.store, open, { code: 'ORDER_FULFILLMENT_RETRYING', attempt: 2, max_attempts: 3 });
    await writePosition(api.store, { ...open, status: 'unwinding' }, null);
    const received = await client.events(3);
    expect(received.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'position.close_requested'],
      [2, 'notification'],
      [3, 'position.updated'],
    ]);
    expect(client.frames.map(({ frame }) => frame)).toEqual(['connected', 'snapshot', 'event', 'event', 'event']);
    for (const frame of client.frames) {
      expect(serverFrames[frame.frame as keyof typeof serverFrames].safeParse(frame).error).toBeUndefined();
    }
    for (const frame of received) {
      const definition: EventDefinition = events[eventFrame.parse(frame).type];
      expect(definition.data.encode(definition.data.decode(frame.data))).toEqual(frame.data);
    }
  });

  test("an event's position is what REST shows", async () => {
    const open = await created(wallets.alice);
    const client = await joined();
    await writePosition(api.store, { ...open, status: 'closing' }, 'position.close_requested');
    const [event] = await client.events(1);
    const { body } = await api.call(`/positions/${wireIdOf(open)}`, { authorization: alice });
    expect({ ...event?.data, timing: null, fees: null }).toEqual({ ...(body as object), timing: null, fees: null });
  });

  test('F24: no one sees an event of another wallet or partner, and a partner sees no notification', async () => {
    const [mine, theirs, partner, otherPartner] = await Promise.all([
      joined('user', alice),
      joined('user', bob),
      joined('partner', api.keyOf(0)),
      joined('partner', api.keyOf(1)),
    ]);
    const own = await created(wallets.alice);
    await notify(api.store, own, { code: 'ORDER_FULFILLMENT_FAILED', reason: 'order_not_filled' });
    const foreign = await created(wallets.bob);
    const elsewhere = await created(wallets.alice, 'open', 1);
    expect(idsOf(await partner.events(2))).toEqual([wireIdOf(own), wireIdOf(foreign)]);
    expect(idsOf(await theirs.events(1))).toEqual([wireIdOf(foreign)]);
    expect(idsOf(await otherPartner.events(1))).toEqual([wireIdOf(elsewhere)]);
    const [first, second] = await mine.events(2);
    expect([first?.data?.['id'], second?.type]).toEqual([wireIdOf(own), 'notification']);
    expect(fieldOf(second?.data, 'params', 'position_id')).toBe(wireIdOf(own));
    expect([mine, theirs, partner, otherPartner].map(({ eventFrames }) => eventFrames.length)).toEqual([2, 1, 2, 1]);
  });

  test('F24: a client that comes back gets what it missed, once and in order', async () => {
    const client = await joined();
    const one = await created(wallets.alice);
    const [first] = await client.events(1);
    client.end();
    await writePosition(api.store, { ...one, status: 'closing' }, 'position.close_requested');
    const two = await created(wallets.alice);
    await created(wallets.bob);
    const again = connect('user', alice, { query: `?resume_from=${first?.id}` });
    const missedEvents = await again.events(2);
    expect(missedEvents.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'position.close_requested'],
      [2, 'position.opened'],
    ]);
    expect(again.frames.map(({ frame }) => frame)).toEqual(['connected', 'event', 'event']);
    await writePosition(api.store, { ...two, status: 'closed' }, 'position.closed');
    const all = await again.events(3);
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
  });

  test('an event that is unknown, removed or of another wallet cannot be resumed from: a snapshot follows', async () => {
    const theirs = await joined('user', bob);
    await created(wallets.bob);
    const [foreign] = await theirs.events(1);
    for (const id of [foreign?.id, 'evt_unknown', 'nonsense', 'evt_sample1n1', '']) {
      const client = connect('user', alice, { query: `?resume_from=${id}` });
      await client.frame('snapshot');
      expect(client.frames.map(({ frame }) => frame)).toEqual(['connected', 'resync_required', 'snapshot']);
      expect(client.frames[1]?.['reason']).toBe('unknown_event');
    }
  });

  test('snapshot and stream meet without a hole and without a doubled event, while positions are written', async () => {
    const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
    const token = await api.userOf(wallet);
    const numbers = Array.from({ length: 4 }, () => created(wallet));
    const positions = await Promise.all(numbers);
    const stopping = new AbortController();
    const writing = positions.map(async (position) => {
      for (let units = raw(position.tokenUnits) + 1n; !stopping.signal.aborted; units += 1n) {
        const smaller = { ...position, tokenUnits: tokenUnits(units) };
        await writePosition(api.store, smaller, 'position.partial_closed');
      }
    });
    const joining = Array.from({ length: 12 }, () => joined('user', token));
    const joinedClients = await Promise.all(joining);
    await Promise.all(joinedClients.map((client) => client.events(10)));
    stopping.abort();
    await Promise.all(writing);
    const { body } = await api.call('/positions', { authorization: token });
    const rest = new Map(unitsOf(fieldOf(body, 'data')));
    for (const client of joinedClients) {
      await client.until(() => (isSame(foldOf(client), rest) ? true : undefined));
      // From the snapshot on each position's size grows by one with each event: a hole or a repetition would show.
      const sizes = new Map(unitsOf(client.frames.find(({ frame }) => frame === 'snapshot')?.['positions']));
      for (const { data } of client.eventFrames) {
        const [[id, units] = ['', 0n]] = unitsOf([data]);
        expect(units).toBe((sizes.get(id) ?? 0n) + 1n);
        sizes.set(id, units);
      }
    }
  });

  test("a position that the chain forgot sends its owner's connections back to the start", async () => {
    const { removeAnnounced } = await import('@core/store');
    const open = await created(wallets.alice);
    // A snapshot names the last event that no running transaction of the server can precede.
    await settledEvents(api.store.outbox);
    const client = await joined();
    const last = (await client.frame('snapshot'))['last_event_id'];
    await api.store.transaction((unit) => removeAnnounced(unit, [open.positionKey], api.clock.nowMs()));
    const again = await client.until(({ frames }) => frames.filter(({ frame }) => frame === 'snapshot')[1]);
    expect(unitsOf(again['positions']).map(([id]) => id)).not.toContain(wireIdOf(open));
    expect((await client.frame('resync_required'))['reason']).toBe('chain_reorganised');
    const late = connect('user', alice, { query: `?resume_from=${String(last)}` });
    expect((await late.frame('resync_required'))['reason']).toBe('chain_reorganised');
  });
});

describe('the markets gateway', () => {
  test('announces discoveries and changes to users and partners alike', async () => {
    const [user, partner] = await Promise.all([joined('markets', alice), joined('markets', api.keyOf())]);
    const { markets } = api.store;
    const nowMs = api.clock.nowMs();
    const listed = await markets.byTicker('eth-up');
    await markets.moveStatus(listed?.id ?? '', 'closed', nowMs);
    await markets.moveStatus(listed?.id ?? '', 'determined', nowMs);
    await markets.setDisabled(market.id, 'force_disabled', nowMs);
    for (const client of [user, partner]) {
      const received = await client.until(({ eventFrames }) =>
        eventFrames.some(({ data }) => data?.['ticker'] === 'btc-up') &&
        eventFrames.some(({ data }) => data?.['status'] === 'determined')
          ? eventFrames
          : undefined,
      );
      const disabled = received.find(({ data }) => data?.['ticker'] === 'btc-up');
      expect(disabled?.data).toMatchObject({
        accepting_new_positions: false,
        rejection_reason_code: 'RISK_ENGINE_MARKET_DISABLED',
      });
      expect(disabled?.data).not.toHaveProperty('title');
      for (const { data } of received) expect(events['market.updated'].data.safeParse(data).error).toBeUndefined();
    }
    await markets.setDisabled(market.id, null, nowMs);
    const last = user.eventFrames.at(-1)?.id;
    const again = connect('markets', alice, { query: `?resume_from=${last}` });
    const enabled = await again.until(({ eventFrames }) =>
      eventFrames.find(({ data }) => data?.['accepting_new_positions'] === true),
    );
    expect(enabled.data?.['ticker']).toBe('btc-up');
    expect((await again.frame('connected'))['last_event_id']).toMatch(/^evt_/);
  });
});

describe('what a market shows to a partner', () => {
  test('two moves at once are announced as one change', async () => {
    const [first, second] = [await joined('markets', alice), await joined('markets', alice)];
    const nowMs = api.clock.nowMs();
    const venueMarket = sampleVenueMarket('moved-at-once', nowMs);
    await api.store.markets.sync([listedMarketOf(venueMarket)], nowMs);
    for (const client of [first, second]) await client.events(1);
    const listed = await api.store.markets.byTicker('moved-at-once');
    await api.store.transaction(async ({ markets }) => {
      await markets.moveStatus(listed?.id ?? '', 'closed', nowMs);
      await markets.moveStatus(listed?.id ?? '', 'determined', nowMs);
    });
    await api.store.markets.setDisabled(market.id, 'force_disabled', nowMs);
    for (const client of [first, second]) {
      await client.until(({ eventFrames }) => eventFrames.find(({ data }) => data?.['ticker'] === market.ticker));
      const own = client.eventFrames.filter(({ data }) => data?.['ticker'] === 'moved-at-once');
      expect(own.map(({ type, data }) => [type, data?.['status']])).toEqual([
        ['market.discovered', 'active'],
        ['market.updated', 'determined'],
      ]);
    }
    await api.store.markets.setDisabled(market.id, null, nowMs);
  });

  test('terms that change act on connections that are open, and on what REST remembers', async () => {
    // Whatever is built once is kept for the whole test.
    const own = await startTestApi({ config: { marketListAgeMs: 3_600_000 } });
    const { record, apiKey } = own.partners[0] ?? {};
    if (record === undefined) throw new Error('there is a partner');
    const authorization = `Api-Key ${apiKey}`;
    const url = `${own.api.origin.replace('http', 'ws')}/v1/ws/prediction-markets/markets`;
    const client = new SocketClient(url, { headers: { Authorization: authorization } });
    clients.push(client);
    await client.frame('connected');
    const minimumsByRest = async (): Promise<readonly unknown[]> => {
      const [list, single] = [
        await own.call('/markets', { authorization }),
        await own.call('/markets/btc-up', { authorization }),
      ];
      return [fieldOf(list.body, 'data', '0', 'min_collateral_usd'), fieldOf(single.body, 'min_collateral_usd')];
    };
    expect(await minimumsByRest()).not.toContain('77.00');
    await own.store.partners.updateTerms(record.id, partnerTermsOf({ minCollateralUsdPips: usdPips(770_000n) }));
    await expect.poll(minimumsByRest, { interval: 50 }).toEqual(['77.00', '77.00']);
    const nowMs = own.clock.nowMs();
    await own.store.markets.sync([listedMarketOf(sampleVenueMarket('just-listed', nowMs))], nowMs);
    const [discovered] = await client.events(1);
    expect(discovered?.data?.['min_collateral_usd']).toBe('77.00');
    expect(await minimumsByRest()).toEqual(['77.00', '77.00']);
    const { body } = await own.call('/markets/just-listed', { authorization });
    expect(fieldOf(body, 'min_collateral_usd')).toBe('77.00');
    await own.close();
  });
});

describe('the life of a connection', () => {
  test('a token that runs out is announced, renewed in band, and ends the connection when it is not', async () => {
    const own = await startTestApi();
    const token = await own.userOf(wallets.alice);
    const url = `${own.api.origin.replace('http', 'ws')}/v1/ws/prediction-markets/customer-positions`;
    const open = () => {
      const client = new SocketClient(url, { headers: { Authorization: token } });
      clients.push(client);
      return client;
    };
    const [renewing, sleeping] = [open(), open()];
    await Promise.all([renewing.frame('snapshot'), sleeping.frame('snapshot')]);
    own.clock.advanceMs(3_600_000 - 59_000);
    await Promise.all([renewing.frame('token_expiring'), sleeping.frame('token_expiring')]);
    const fresh = (await own.userOf(wallets.alice)).split(' ')[1];
    renewing.send({ action: 'authenticate', token: fresh });
    const { expires_at: expiresAt } = await renewing.frame('authenticated');
    expect(Date.parse(String(expiresAt))).toBeGreaterThan(own.clock.nowMs() + 3_500_000);
    own.clock.advanceMs(60_000);
    expect(await sleeping.closed()).toBe(closeCodes.badToken.code);
    renewing.send({ action: 'ping' });
    await renewing.frame('pong');
    await own.close();
    expect(await renewing.closed()).toBe(closeCodes.restart.code);
    expect((await renewing.frame('restarting'))['retry_after_ms']).toBeGreaterThan(0);
  });

  test("another wallet's token, a bad one and one of the other environment end the connection", async () => {
    const foreign = await joined();
    foreign.send({ action: 'authenticate', token: bob.split(' ')[1] });
    expect(await foreign.closed()).toBe(closeCodes.badToken.code);
    const bad = await joined();
    bad.send({ action: 'authenticate', token: 'nonsense' });
    expect(await bad.closed()).toBe(closeCodes.badToken.code);
    const wrong = await joined();
    const claims = Buffer.from(JSON.stringify({ aud: 'production' })).toString('base64url');
    wrong.send({ action: 'authenticate', token: `x.${claims}.x` });
    expect(await wrong.closed()).toBe(closeCodes.wrongEnvironment.code);
  });

  test('a revoked key ends its connections', async () => {
    const issued = await api.store.apiKeys.issue({
      partnerId: api.partners[1]?.record.id ?? '',
      environment: 'sandbox',
      nowMs: api.clock.nowMs(),
    });
    if (issued.kind !== 'issued') throw new Error('a second key may be issued');
    const client = await joined('partner', `Api-Key ${issued.secret}`);
    const other = await joined('partner', api.keyOf(1));
    await api.store.apiKeys.revoke(issued.record.id, api.clock.nowMs());
    expect(await client.closed()).toBe(closeCodes.badToken.code);
    expect(other.closeCode).toBeNull();
  });

  test('F24: a frame of 10 MB, a binary one, too many, and what is no action', async () => {
    const large = await joined();
    large.send('x'.repeat(10_000_000));
    expect([closeCodes.frameTooLarge.code, 1006]).toContain(await large.closed());
    const binary = await joined();
    binary.socket.send(Buffer.from([1, 2, 3]));
    expect(await binary.closed()).toBe(closeCodes.unsupportedFrame.code);
    const chatty = await joined();
    for (const frame of ['{', '[]', '{"action":"subscribe"}']) chatty.send(frame);
    await chatty.until(({ frames }) =>
      frames.filter(({ frame }) => frame === 'error').length === 3 ? true : undefined,
    );
    for (let count = 0; count < socketLimits.framesPerMinute; count += 1) chatty.send({ action: 'ping' });
    expect(await chatty.closed()).toBe(closeCodes.tooMany.code);
  });

  test('F24: a client that does not read is cut off, and another one misses nothing', async () => {
    const wallet = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
    const token = await api.userOf(wallet);
    const [slow, quick] = [await joined('user', token), await joined('user', token)];
    slow.socket.pause();
    const position = await created(wallet);
    let count = 1;
    const closes = (): Promise<boolean> =>
      Promise.race([slow.closed().then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, 1, false))]);
    // The operating system takes some megabytes before the service's own buffer fills.
    while (!(await closes()) && count < 20_000) {
      const entries = Array.from({ length: 200 }, (_, index) => index);
      await api.store.transaction((unit) =>
        unit.outbox.append(
          entries.map((index) => ({
            id: `evt_slow${count}n${index}`,
            type: 'notification',
            ...ownerOf(wallet),
            walletAddress: wallet.toLowerCase(),
            positionId: position.id,
            marketId: market.id,
            payload: {
              code: 'ORDER_FULFILLMENT_RETRYING',
              params: { position_id: position.id, attempt: 1, max_attempts: 3, note: 'x'.repeat(2_000) },
            },
            createdAtMs: api.clock.nowMs(),
          })),
        ),
      );
      count += 200;
      if (slow.socket.readyState === slow.socket.CLOSED) break;
      if (count > 8_000) slow.socket.resume();
    }
    expect([closeCodes.slowReader.code, 1006]).toContain(await slow.closed());
    const received = await quick.events(count);
    expect(received.map(({ seq }) => seq)).toEqual(received.map((_, index) => index + 1));
    expect(slow.eventFrames.length).toBeLessThan(count);
  });
});

describe('sample events', () => {
  test("a token's user gets one of each, in order, one a second, on every own connection and no one else", async () => {
    const [mine, markets, theirs] = [await joined(), await joined('markets', alice), await joined('user', bob)];
    const answer = await api.call('/sample-events', { method: 'POST', authorization: alice });
    expect([answer.status, answer.body]).toEqual([202, { event_count: 20, interval_ms: 1_000 }]);
    const received = await mine.events(20);
    const user = Object.entries(events).filter(([, { gateways: of }]) => of.some((gateway) => gateway === 'user'));
    expect([...new Set(received.map(({ type }) => type))]).toEqual(user.map(([type]) => type));
    expect(received.map(({ seq }) => seq)).toEqual(received.map((_, index) => index + 1));
    expect(new Set(received.map(({ id }) => id)).size).toBe(20);
    expect([markets.eventFrames, theirs.eventFrames]).toEqual([[], []]);
  });

  test('once in 30 seconds for each wallet and for each partner', async () => {
    const throttled = await startTestApi({ limits: 'real' });
    const ask = (authorization: string) => throttled.call('/sample-events', { method: 'POST', authorization });
    const own = await throttled.userOf(wallets.alice);
    expect((await ask(own)).status).toBe(202);
    const again = await ask(own);
    expect([again.status, fieldOf(again.body, 'error', 'code')]).toEqual([429, 'too_many_requests']);
    expect(again.headers.get('x-ratelimit-limit')).toBe('1');
    const waitSeconds = Number(again.headers.get('retry-after'));
    expect(waitSeconds > 0 && waitSeconds <= 30).toBe(true);
    // Another token of the wallet is the same wallet; another wallet, the partner and another partner are not.
    expect((await ask(await throttled.userOf(wallets.alice))).status).toBe(429);
    expect((await ask(await throttled.userOf(wallets.bob))).status).toBe(202);
    for (const partner of [0, 1]) {
      expect((await ask(throttled.keyOf(partner))).status).toBe(202);
      expect((await ask(throttled.keyOf(partner))).status).toBe(429);
    }
    await throttled.close();
  });
});

type Sizes = ReadonlyMap<string, bigint>;

function unitsOf(positions: unknown): [string, bigint][] {
  if (!Array.isArray(positions)) throw new Error('positions are a list');
  return positions.map((position: unknown) => [
    String(fieldOf(position, 'id')),
    BigInt(String(fieldOf(position, 'current', 'position_token_units'))),
  ]);
}

/** Sizes after the snapshot and every event. */
function foldOf({ frames }: SocketClient): Sizes {
  const sizes = new Map<string, bigint>();
  for (const { frame, positions, data } of frames) {
    const announced = frame === 'snapshot' ? positions : frame === 'event' ? [data] : [];
    for (const [id, units] of unitsOf(announced)) sizes.set(id, units);
  }
  return sizes;
}

const isSame = (left: Sizes, right: Sizes): boolean =>
  left.size === right.size && [...left].every(([id, units]) => right.get(id) === units);

/** Status and rate headers of the answer to a request for a socket that is refused. */
async function refusedHeaders(client: SocketClient): Promise<Readonly<Record<string, unknown>>> {
  const [, response]: IncomingMessage[] = await once(client.socket, 'unexpected-response');
  response?.resume();
  const { 'retry-after': retryAfter, ...headers } = response?.headers ?? {};
  return { ...headers, status: response?.statusCode, 'retry-after': retryAfter };
}

/** Status of the answer to a request for a socket under an address as it is written. */
async function upgradeStatus(target: { hostname: string; port: string; path: string }): Promise<number | undefined> {
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
  const [response]: IncomingMessage[] = await once(get({ ...target, headers }), 'response');
  response?.resume();
  return response?.statusCode;
}

/** The body of the answer to a request for a socket without a credential. */
function upgradeBody(url: string): Promise<string> {
  return new Promise((resolve) => {
    const client = new SocketClient(url);
    client.socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve(body));
    });
  });
}
