import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { execute, sampleMarket } from '@core/store/testing';
import { Purpose } from '@core/vault';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradeAtHalf, tradedTokenUnits } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
let own: LocalMarket;
let other: LocalMarket;
let late: LocalMarket;
let stranger: Client;
let seedCount = 0;

beforeAll(async () => {
  world = await startTestConnections();
  own = await openTradedMarket(world, 'with a locked row');
  other = await openTradedMarket(world, 'beside it');
  late = await openTradedMarket(world, 'listed late');
  await list([own, other], 0);
  await world.run('resumeTransactions');
  await world.run('indexChain');
  stranger = new Client({ connectionString: world.databaseUrl });
  await stranger.connect();
});
afterEach(() => stranger.query('ROLLBACK'));
afterAll(async () => {
  await stranger.end();
  await world.close();
});

async function create(market: LocalMarket): Promise<LocalPosition> {
  seedCount += 1;
  return createTraded(world, market, seedCount);
}

/** Lock rows in a transaction that another session leaves open. */
async function lock(table: string, condition: string): Promise<void> {
  await stranger.query('BEGIN');
  const { rowCount } = await stranger.query(`SELECT 1 FROM ${table} WHERE ${condition} FOR UPDATE`);
  expect(rowCount).toBeGreaterThan(0);
}

/** List markets, which are numbered from the given one. */
async function list(markets: readonly LocalMarket[], first: number): Promise<void> {
  const listed = markets.map(({ yes, no }, index) =>
    sampleMarket(900 + first + index, {
      ticker: `market-${first + index}`,
      venueMarketId: yes.conditionId,
      yesTokenId: yes.tokenId.toString(),
      noTokenId: no.tokenId.toString(),
    }),
  );
  await world.connections.store.markets.sync(listed, world.connections.clock.nowMs());
}

const keyOf = ({ positionKey }: LocalPosition): string => positionKey.toLowerCase();
const statusOf = async (position: LocalPosition): Promise<string | undefined> =>
  (await world.connections.store.positions.byKey(keyOf(position)))?.status;
const hasMarket = async (position: LocalPosition): Promise<boolean> =>
  (await world.connections.store.positions.byKey(keyOf(position)))?.marketId !== null;
const postponed = () => world.connections.store.chain.postponed(world.connections.chain.chainKey);
const cursorBlock = async () =>
  (await world.connections.store.chain.cursor(world.connections.chain.chainKey))?.blockNumber;
const headBlock = () => world.driver.rpc.client.getBlockNumber();

/** Usage of the service as its counters have it, and as a new fold of every position counts it. */
async function expectCountedOnce(positions: readonly LocalPosition[]): Promise<void> {
  const counters = () => execute(world.databaseUrl, 'SELECT * FROM usage_counters ORDER BY 1');
  const before = await counters();
  for (const position of positions) await world.refold(keyOf(position));
  expect(await counters()).toEqual(before);
}

test('a position whose row is locked is folded after the lock ends; the others follow the chain meanwhile', async () => {
  const positions = [await create(own), await create(own), await create(own)];
  await world.run('indexChain');
  const [locked, ...free] = positions;
  if (locked === undefined) throw new Error('positions were created');
  await lock('positions', `position_key = '${keyOf(locked)}'`);
  const fromBlock = (await headBlock()) + 1n;
  for (const position of positions) await tradeAtHalf(world, own, { position, purpose: Purpose.Open });
  await world.run('indexChain');
  expect(await cursorBlock()).toBe(await headBlock());
  expect(await Promise.all(free.map(statusOf))).toEqual(['open', 'open']);
  expect(await postponed()).toEqual([{ positionKey: keyOf(locked), fromBlock }]);
  await world.run('foldPostponed');
  // Later events of a postponed position wait with the first ones.
  const { alice } = world.deployment.roles;
  for (const position of positions) {
    await world.driver.requestClose({ position, sender: alice, tokenUnits: tradedTokenUnits });
    await tradeAtHalf(world, own, { position, purpose: Purpose.Close });
  }
  await world.run('indexChain');
  expect(await cursorBlock()).toBe(await headBlock());
  expect(await postponed()).toEqual([{ positionKey: keyOf(locked), fromBlock }]);
  expect(await statusOf(locked)).toBe('pending');
  await stranger.query('ROLLBACK');
  await expect
    .poll(
      async () => {
        await world.run('foldPostponed');
        return postponed();
      },
      { timeout: 10_000 },
    )
    .toEqual([]);
  const [first] = free;
  expect(await statusOf(locked)).toBe(first && (await statusOf(first)));
  const changed = await world.connections.store.positions.changedSince(await headBlock());
  expect(changed.map(({ positionKey }) => positionKey)).toContain(keyOf(locked));
  await expectCountedOnce(positions);
});

test('positions of a market whose row is locked are folded after the lock ends; other markets are followed', async () => {
  const [locked, beside] = [await create(own), await create(other)];
  await lock('markets', "ticker = 'market-0'");
  await world.run('indexChain');
  expect(await cursorBlock()).toBe(await headBlock());
  expect([await statusOf(locked), await statusOf(beside)]).toEqual([undefined, 'pending']);
  expect((await postponed()).map(({ positionKey }) => positionKey)).toEqual([keyOf(locked)]);
  await stranger.query('ROLLBACK');
  await world.run('foldPostponed');
  expect(await statusOf(locked)).toBe('pending');
  expect(await postponed()).toEqual([]);
  await expectCountedOnce([locked, beside]);
});

test('positions of a market that is listed late: one with a locked row, one that is unreadable; the others go on', async () => {
  const positions = [await create(late), await create(late), await create(late), await create(late)];
  await world.run('indexChain');
  expect(await Promise.all(positions.map(hasMarket))).toEqual([false, false, false, false]);
  await list([late], 2);
  const [locked, unreadable, ...free] = positions;
  if (locked === undefined || unreadable === undefined) throw new Error('positions were created');
  const events = `FROM chain_events WHERE subject = '${keyOf(unreadable)}'`;
  await execute(world.databaseUrl, `CREATE TABLE copied AS SELECT arguments ${events}`);
  await execute(world.databaseUrl, `UPDATE chain_events SET arguments = '{}' WHERE subject = '${keyOf(unreadable)}'`);
  await lock('positions', `position_key = '${keyOf(locked)}'`);
  await world.run('listOwedMarkets');
  expect(await Promise.all(free.map(hasMarket))).toEqual([true, true]);
  expect([await hasMarket(locked), await hasMarket(unreadable)]).toEqual([false, false]);
  await stranger.query('ROLLBACK');
  const original = '(SELECT arguments FROM copied)';
  await execute(
    world.databaseUrl,
    `UPDATE chain_events SET arguments = ${original} WHERE subject = '${keyOf(unreadable)}'`,
  );
  await expect
    .poll(
      async () => {
        await world.run('listOwedMarkets');
        return Promise.all(positions.map(hasMarket));
      },
      { timeout: 20_000 },
    )
    .toEqual([true, true, true, true]);
  const changed = await world.connections.store.positions.changedSince(await headBlock());
  expect(changed.map(({ positionKey }) => positionKey)).toEqual(expect.arrayContaining(positions.map(keyOf)));
  await expectCountedOnce(positions);
});
