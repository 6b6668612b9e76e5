import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { sampleMarket } from '@core/store/testing';
import { Purpose } from '@core/vault';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradeAtHalf } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
let markets: readonly LocalMarket[];
let seedCount = 0;

beforeAll(async () => {
  world = await startTestConnections();
  markets = [await openTradedMarket(world, 'of a range'), await openTradedMarket(world, 'of the same range')];
  const listed = markets.map(({ yes, no }, index) =>
    sampleMarket(950 + index, {
      ticker: `range-${index}`,
      venueMarketId: yes.conditionId,
      yesTokenId: yes.tokenId.toString(),
      noTokenId: no.tokenId.toString(),
    }),
  );
  await world.connections.store.markets.sync(listed, world.connections.clock.nowMs());
  await world.run('resumeTransactions');
  await world.run('indexChain');
});
afterAll(() => world.close());

/** Statement that shows that the session of a lock is alive, at any time. */
const heartbeat = 'SELECT 1';

/** Run the index, and return the names of its statements in their order. */
async function statementsOfIndex(): Promise<readonly string[]> {
  const queries = vi.spyOn(Client.prototype, 'query');
  try {
    await world.run('indexChain');
    const configs: readonly unknown[] = queries.mock.calls.map((call) => call[0]);
    const names = configs.map((config) =>
      typeof config === 'object' && config !== null && 'name' in config ? String(config.name) : String(config),
    );
    return names.filter((name) => name !== heartbeat);
  } finally {
    queries.mockRestore();
  }
}

/** Create positions in both markets by turns, then open them; return the statements of each range. */
async function rangesOf(count: number): Promise<readonly (readonly string[])[]> {
  const created: { readonly market: LocalMarket; readonly position: LocalPosition }[] = [];
  for (let index = 0; index < count; index += 1) {
    for (const market of markets) {
      seedCount += 1;
      created.push({ market, position: await createTraded(world, market, seedCount) });
    }
  }
  const creation = await statementsOfIndex();
  for (const { market, position } of created) await tradeAtHalf(world, market, { position, purpose: Purpose.Open });
  const opening = await statementsOfIndex();
  const { store } = world.connections;
  const keys = created.map(({ position }) => position.positionKey.toLowerCase());
  const records = await store.positions.byKeys(keys);
  expect([...records.values()].map(({ status }) => status)).toEqual(keys.map(() => 'open'));
  return [creation, opening];
}

test('the index runs as many statements for a range of many positions as for one of few', async () => {
  const few = await rangesOf(1);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 4 }), async (count) => {
      expect(await rangesOf(count)).toEqual(few);
    }),
    { numRuns: 2 },
  );
});
