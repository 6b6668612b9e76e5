import { jsonRpcMethod } from '@core/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keeperTasks } from '../src/tasks.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
beforeAll(async () => {
  world = await startTestConnections();
});
afterAll(() => world.close());

test('index: the node does not know its final block → positions are followed, and the last one counts', async () => {
  const { connections, lease, proxy } = world;
  const { store, chain, metrics } = connections;
  const market = await openTradedMarket(world, 'final');
  const tasks = keeperTasks({ ...connections, chain: { ...chain, finality: 'finalized' } });
  const index = async (): Promise<void> => tasks.find(({ name }) => name === 'indexChain')?.run(lease);
  const isUnknown = async () => (await metrics.finalBlockUnknown.get()).values[0]?.value;
  await index();
  const before = (await store.chain.cursor(chain.chainKey))?.finalizedNumber;
  const bodyText = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"finalized block not found"}}';
  const isTagged = jsonRpcMethod('eth_getBlockByNumber');
  proxy.addRule({
    matches: (request) => isTagged(request) && request.bodyText.includes('"finalized"'),
    fault: { kind: 'answer', status: 200, bodyText },
    times: 1_000,
  });
  const position = await createTraded(world, market, 1);
  await index();
  expect((await store.positions.byKey(position.positionKey))?.status).toBe('pending');
  expect((await store.chain.cursor(chain.chainKey))?.finalizedNumber).toBe(before);
  expect(await isUnknown()).toBe(1);
  proxy.clearRules();
  await createTraded(world, market, 2);
  await index();
  expect(await isUnknown()).toBe(0);
});
