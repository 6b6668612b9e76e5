import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deployLocal, type LocalChain, startLocalChain } from '@core/contracts/local';
import type { MarketRecord } from '@core/market';
import { partnerTermsOf } from '@core/policy';
import type { Hex, Position } from '@core/position';
import { walletOf } from '@core/position/testing';
import { raw, tokenUnits } from '@core/pricing';
import { openStore, type PositionEventType, type Store } from '@core/store';
import { createTestDatabase, endListeners, type TestDatabase } from '@core/store/testing';
import { HttpVenueClient } from '@core/venue';
import { startVenueSim, type VenueSim } from '@core/venue-sim';
import { localWorldOf, type ProgramEnvironment } from '@core/world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listedMarketOf } from '../testing/listedMarketOf.ts';
import { writePosition, writtenPosition } from '../testing/positionWriter.ts';
import { serviceEnvironment } from '../testing/serviceEnvironment.ts';
import { idsOf, lastingOf, runningApi, SocketFollower } from '../testing/socketFollower.ts';
import { type SpawnedApi, spawnApi } from '../testing/spawnApi.ts';
import { fieldOf, send } from '../testing/startTestApi.ts';

const clientCount = 200;
/** Two clients look at each wallet. */
const walletCount = clientCount / 2;
const positionsPerWallet = 2;
const roundCount = 5;

const redisUrl = process.env['TEST_REDIS_URL'];
let database: TestDatabase;
let store: Store;
let sim: VenueSim;
let chain: LocalChain;
let folder: string;
let apiKey: string;
let partnerId: string;
let market: MarketRecord;
let environment: ProgramEnvironment;

beforeAll(async () => {
  [database, sim, chain] = await Promise.all([createTestDatabase(), startVenueSim({}), startLocalChain({})]);
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  store = openStore({ databaseUrl: database.databaseUrl, redisUrl });
  folder = await mkdtemp(path.join(tmpdir(), 'api-chaos-'));
  const nowMs = Date.now();
  const { markets } = await new HttpVenueClient({ url: sim.url }).cataloguePage({ limit: 100 });
  await store.markets.sync(markets.filter(({ category }) => category === 'crypto').map(listedMarketOf), nowMs);
  const [first] = await store.markets.changedSince(0n);
  if (first === undefined) throw new Error('markets are listed');
  market = first;
  const partner = await store.partners.create({
    name: 'first',
    environment: 'sandbox',
    terms: partnerTermsOf(),
    createdAtMs: nowMs,
  });
  partnerId = partner.id;
  const issued = await store.apiKeys.issue({ partnerId, environment: 'sandbox', nowMs });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  apiKey = issued.secret;
  const { databaseUrl } = database;
  const world = localWorldOf({ rpcUrl: chain.rpcUrl, deployment, venue: sim }, 'fill');
  const { quoteSigner } = deployment.roles;
  environment = await serviceEnvironment(world, { folder, databaseUrl, quoteSigner });
});
afterAll(async () => {
  await store.close();
  await Promise.all([database.close(), sim.close(), chain.close(), rm(folder, { recursive: true })]);
});

/** Positions of all wallets, changed again and again in random order by the store's own code; ids per wallet. */
class Writer {
  readonly written = new Map<string, number>();
  readonly #positions: Position[];

  constructor(wallets: readonly Hex[]) {
    this.#positions = wallets.flatMap((walletAddress, wallet) =>
      Array.from({ length: positionsPerWallet }, (_, index) => {
        const number = wallet * positionsPerWallet + index + 1;
        return writtenPosition({ number, partnerId, walletAddress, market, status: 'open' });
      }),
    );
  }

  get positions(): readonly Position[] {
    return this.#positions;
  }

  /** Every position changes once, eight at a time, in another order each round. */
  async round(type: PositionEventType): Promise<void> {
    const order = this.#positions.map((_, index) => index).toSorted(() => Math.random() - 0.5);
    const work = order.values();
    const worker = async (): Promise<void> => {
      for (const index of work) await this.#change(index, type);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  }

  async #change(index: number, type: PositionEventType): Promise<void> {
    const before = this.#positions[index];
    if (before === undefined) return;
    const after = { ...before, tokenUnits: tokenUnits(raw(before.tokenUnits) + 1n) };
    await writePosition(store, after, type);
    this.#positions[index] = after;
  }
}

/** As a supervisor does it: a start that fails on a busy machine is tried again. */
async function restarted(): Promise<SpawnedApi> {
  for (let attempt = 1; ; attempt += 1) {
    const api = await spawnApi(environment).catch((cause: unknown) => {
      if (attempt === 5) throw cause;
      return null;
    });
    if (api !== null) return api;
  }
}

test('200 clients end with exactly their events, in order, through kills, lost listeners and cut connections', async () => {
  const apis = await Promise.all([spawnApi(environment), spawnApi(environment)]);
  const wallets = Array.from({ length: walletCount }, (_, index) => walletOf(1_000 + index));
  const writer = new Writer(wallets);
  const tokens: string[] = [];
  // One after the other: the keys of a partner have a share of the places of a process.
  for (const wallet_address of wallets) {
    const answer = await send(`${apis[0]?.url}/tokens`, {
      authorization: `Api-Key ${apiKey}`,
      body: { wallet_address },
    });
    expect(answer.status).toBe(201);
    tokens.push(String(fieldOf(answer.body, 'token')));
  }
  const followers = Array.from({ length: clientCount }, (_, index) => {
    const wallet = index % walletCount;
    return new SocketFollower({
      audience: { kind: 'user', partnerId, walletAddress: wallets[wallet] ?? '' },
      authorization: `Bearer ${tokens[wallet]}`,
      apiOf: () => runningApi(apis, index % 2),
    });
  });
  for (const follower of followers) follower.connect();
  // What is written while a snapshot is read is in it or comes after it: the events begin when all have theirs.
  await expect.poll(() => followers.every(({ hasSnapshot }) => hasSnapshot), { timeout: 60_000 }).toBe(true);
  await writer.round('position.opened');
  // From its first event on a client has a place to resume from.
  while (followers.some(({ events }) => events.length === 0)) await writer.round('position.partial_closed');

  const cutting = setInterval(() => followers[Math.floor(Math.random() * clientCount)]?.cut(), 40);
  let endedListenerCount = 0;
  for (let round = 0; round < roundCount; round += 1) {
    const writing = writer.round('position.partial_closed');
    if (round === 1) endedListenerCount = await endListeners(database.databaseUrl);
    if (round === 2) {
      apis[1]?.child.kill('SIGKILL');
      await apis[1]?.ended;
      apis[1] = await restarted();
    }
    await writing;
  }
  clearInterval(cutting);
  // Both processes listened for events and for signals; with Redis none of them listens at the database.
  expect(endedListenerCount).toBe(redisUrl === undefined ? 4 : 0);
  await writer.round('position.force_unwound');

  const isCurrent = ({ positions, wallet }: SocketFollower): boolean =>
    writer.positions
      .filter(({ walletAddress }) => walletAddress === wallet)
      .every(
        ({ id, tokenUnits: units }) =>
          fieldOf(positions.get(id), 'current', 'position_token_units') === raw(units).toString(),
      );
  await expect
    .poll(() => followers.filter((follower) => !isCurrent(follower)).length, { timeout: 180_000, interval: 250 })
    .toBe(0);

  expect(followers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(followers.reduce((sum, { resyncCount }) => sum + resyncCount, 0)).toBe(0);
  for (const follower of followers) {
    const { received, written } = await idsOf(follower, store.outbox);
    expect(received).toEqual(written);
  }
  for (const [index, wallet] of wallets.entries()) {
    const answer = await send(`${apis[0]?.url}/positions`, { authorization: `Bearer ${tokens[index]}` });
    const data = fieldOf(answer.body, 'data');
    if (!Array.isArray(data)) throw new Error(`no list: ${answer.text}`);
    for (const follower of followers.filter((candidate) => candidate.wallet === wallet)) {
      const positions = data.map((position: unknown) => [fieldOf(position, 'id'), lastingOf(position)]);
      expect(positions.length).toBe(positionsPerWallet);
      for (const [id, lasting] of positions) expect(lastingOf(follower.positions.get(String(id)))).toEqual(lasting);
    }
  }
  for (const follower of followers) follower.end();
  await Promise.all(apis.map((api) => api.stop()));
});
