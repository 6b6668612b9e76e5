import { checkIdentity, HttpVenueClient, simulatorProfile } from '@core/venue';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';
import { send } from '../testing/simHttp.ts';
import { orderBody, Trader } from '../testing/trader.ts';

let sim: VenueSim;
const traderKey = `0x${'77'.repeat(32)}` as const;
const exchange: Address = '0x00000000000000000000000000000000000e8c4a';
const oracleAggregator: Address = '0x00000000000000000000000000000000000A6617';

beforeAll(async () => {
  sim = await startVenueSim({
    seed: 'managed',
    isTimerOn: false,
    isListed: () => false,
    isManaged: ({ slug }) => slug.startsWith('managed'),
  });
});
afterAll(() => sim.close());

test('a market of the PositionManager is listed as v2, is proven by its ids and has a book', async () => {
  const { definition } = (await listPlainMarket(sim.venue, { slug: 'managed-1' })).market;
  const other = (await listPlainMarket(sim.venue)).market.definition;
  const client = new HttpVenueClient({ url: sim.url });
  const conditionIds = [definition.conditionId, other.conditionId];
  const { markets } = await client.cataloguePage({ limit: 10, conditionIds });
  expect(markets.map(({ version }) => version).toSorted()).toEqual(['v1', 'v2']);
  const managed = markets.filter(({ version }) => version === 'v2');
  expect(managed.map(({ ticker, conditionId }) => [ticker, conditionId])).toEqual([
    ['managed-1', definition.conditionId],
  ]);
  const terms = { collateralToken: exchange, oracles: [], oracleAggregator };
  expect(managed.map((market) => checkIdentity(market, terms))).toEqual([{ kind: 'proven', oracle: oracleAggregator }]);
  const books = await client.books(definition.tokenIds.map(String));
  expect(books.map(({ bids, asks }) => bids.length > 0 && asks.length > 0)).toEqual([true, true]);
});

test('an order of an outsider in it is refused, and it resolves like any other', async () => {
  const running = await listPlainMarket(sim.venue, { slug: 'managed-2' });
  const [tokenId] = running.market.definition.tokenIds;
  const domain = { ...simulatorProfile.orderDomains.v1, chainId: simulatorProfile.chainId, exchange };
  const order = new Trader(traderKey, domain).sign({
    tokenId,
    side: 'BUY',
    pricePips: 5_000n,
    tokenUnits: 10_000_000n,
  });
  const answer = await send(sim, '/order', orderBody(order, 'GTC'));
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid order: position ids trade on another exchange']);
  await sim.venue.resolveNow(running, 0);
  expect(running.market.stage).toBe('resolved');
});
