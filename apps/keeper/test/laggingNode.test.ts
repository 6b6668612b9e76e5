import { setTimeout as delay } from 'node:timers/promises';
import { lowerHex } from '@core/position';
import { sampleMarket } from '@core/store/testing';
import { jsonRpcMethod, startHttpFaultProxy } from '@core/testkit';
import { conditionIdOf, tokenIdsOf } from '@core/vault';
import { createPublicClient, http, type PublicClient } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { keeperTasks } from '../src/tasks.ts';
import { prepareQuestion } from '../testing/registrations.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';

let world: TestConnections;
beforeAll(async () => {
  world = await startTestConnections();
  await world.run('resumeTransactions');
  await world.run('indexChain');
  // What the deployment wrote is read twice before a node begins to lag.
  await world.run('verifyChain');
  await delay(600);
  await world.run('verifyChain');
});
afterEach(() => world.proxy.clearRules());
afterAll(() => world.close());

const nowMs = Date.now();
const isLogRead = jsonRpcMethod('eth_getLogs');
const withheld = { kind: 'answer', status: 200, bodyText: '{"jsonrpc":"2.0","id":1,"result":[]}' } as const;

/** Lists a market and registers its outcomes: two events. Returns how to read it. */
async function register(number: number) {
  const { deployment, connections } = world;
  const { roles, contracts } = deployment;
  const questionId = await prepareQuestion(world, `lagging ${number}`);
  const conditionId = conditionIdOf({ oracle: roles.oracle.address, questionId });
  const [yes, no] = tokenIdsOf({ collateralToken: contracts.usdc, conditionId });
  const { discovered } = await connections.store.markets.sync(
    [
      sampleMarket(number, {
        venueMarketId: conditionId,
        questionId,
        oracleAddress: lowerHex(roles.oracle.address),
        yesTokenId: yes.toString(),
        noTokenId: no.toString(),
      }),
    ],
    nowMs,
  );
  await world.run('registerOutcomes');
  return () => connections.store.markets.byId(discovered[0]?.id ?? '');
}

const eventCount = async (): Promise<number> => {
  const { store, chain } = world.connections;
  return (await store.chain.eventsNamed(chain.chainKey, 'OutcomeRegistered')).length;
};

describe('F17: a node that answers empty ranges', () => {
  test('delays events and loses none: the vault counts more outcomes, and the blocks are read again', async () => {
    world.proxy.addRule({ matches: isLogRead, fault: withheld, times: 1_000 });
    const market = await register(1);
    await world.run('indexChain');
    expect(await eventCount()).toBe(0);
    // As long as it lasts, the second reading is as empty as the first.
    for (let round = 0; round < 8; round += 1) {
      await world.run('indexChain');
      await world.run('verifyChain');
      await delay(100);
    }
    expect(await eventCount()).toBe(0);
    world.proxy.clearRules();
    await world.run('verifyChain');
    await world.run('verifyChain');
    expect(await eventCount()).toBe(2);
    expect(await market()).toMatchObject({ yesOutcomeId: 1, noOutcomeId: 2 });
    const { store, chain } = world.connections;
    const cursor = await store.chain.cursor(chain.chainKey);
    await world.run('verifyChain');
    expect(await store.chain.verifiedNumber(chain.chainKey)).toBe(cursor?.blockNumber);
  });

  test('and is short of an event that was there before is doubted itself', async () => {
    const market = await register(2);
    await world.run('indexChain');
    expect((await market())?.yesOutcomeId).toBe(3);
    await world.run('verifyChain');
    await delay(600);
    world.proxy.addRule({ matches: isLogRead, fault: withheld, times: 1_000 });
    await expect(world.run('verifyChain')).rejects.toMatchObject({ origin: 'chain', kind: 'retryable' });
    expect(await eventCount()).toBe(4);
    world.proxy.clearRules();
    await world.run('verifyChain');
    expect(await eventCount()).toBe(4);
  });
});

test('F17: a node that is behind the index is passed over, and undoes nothing', async () => {
  const { connections, lease, proxy } = world;
  const { store, chain } = connections;
  const market = await register(3);
  await world.run('indexChain');
  const cursor = await store.chain.cursor(chain.chainKey);
  // The first node is frozen at an earlier head: the same blocks below, none above.
  const behind = await startHttpFaultProxy(proxy.url);
  const early = await connections.chain.client.getBlock({ blockNumber: 3n });
  const raw = JSON.stringify(
    {
      jsonrpc: '2.0',
      id: 1,
      result: { ...early, number: '0x3', timestamp: '0x1', gasLimit: '0x1', gasUsed: '0x0', baseFeePerGas: '0x1' },
    },
    (_key, value: unknown) => (typeof value === 'bigint' ? `0x${value.toString(16)}` : value),
  );
  behind.addRule({
    matches: (request) => request.bodyText.includes('latest'),
    fault: { kind: 'answer', status: 200, bodyText: raw },
    times: 1_000,
  });
  const late: PublicClient = createPublicClient({ transport: http(behind.url, { retryCount: 0 }), cacheTime: 0 });
  const tasksOn = (nodes: readonly PublicClient[]) =>
    keeperTasks({ ...connections, chain: { ...chain, nodes } }).find(({ name }) => name === 'indexChain');
  await tasksOn([late])?.run(lease);
  expect(await store.chain.cursor(chain.chainKey)).toEqual(cursor);
  expect((await market())?.noOutcomeId).toBe(6);
  // With another node beside it the index continues.
  const next = await register(4);
  await tasksOn([late, chain.client])?.run(lease);
  expect((await next())?.noOutcomeId).toBe(8);
  await behind.close();
});
