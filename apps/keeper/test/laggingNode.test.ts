import { setTimeout as delay } from 'node:timers/promises';
import { lowerHex } from '@core/position';
import { NodeHealth } from '@core/runtime';
import { sampleMarket } from '@core/store/testing';
import { jsonRpcMethod, startHttpFaultProxy } from '@core/testkit';
import { conditionIdOf, tokenIdsOf } from '@core/vault';
import { createPublicClient, http, type PublicClient, toHex } from 'viem';
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

/** A node whose last block is an earlier one: the same blocks below, none above. */
async function startFrozen(blockNumber: bigint) {
  const frozen = await startHttpFaultProxy(world.proxy.url);
  const { client: node } = world.connections.chain;
  const result = await node.request({ method: 'eth_getBlockByNumber', params: [toHex(blockNumber), false] });
  frozen.addRule({
    matches: (request) => request.bodyText.includes('latest'),
    fault: { kind: 'answer', status: 200, bodyText: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) },
    times: 1_000,
  });
  const client: PublicClient = createPublicClient({ transport: http(frozen.url, { retryCount: 0 }), cacheTime: 0 });
  return { client, close: () => frozen.close() };
}

/** Run the index once on these nodes. */
function indexOn(nodes: readonly PublicClient[], health = new NodeHealth(nodes.length)) {
  const { connections, lease } = world;
  const chain = { ...connections.chain, nodes, health };
  return keeperTasks({ ...connections, chain })
    .find(({ name }) => name === 'indexChain')
    ?.run(lease);
}

test('F17: a node that is behind the index is passed over, and undoes nothing', async () => {
  const { store, chain } = world.connections;
  const market = await register(3);
  await world.run('indexChain');
  const cursor = await store.chain.cursor(chain.chainKey);
  const behind = await startFrozen(3n);
  await indexOn([behind.client]);
  expect(await store.chain.cursor(chain.chainKey)).toEqual(cursor);
  expect((await market())?.noOutcomeId).toBe(6);
  // With another node beside it the index continues.
  const next = await register(4);
  await indexOn([behind.client, chain.client]);
  expect((await next())?.noOutcomeId).toBe(8);
  await behind.close();
});

test('index: the first node stands still at the last indexed block → the node with the furthest head is read', async () => {
  const { store, chain } = world.connections;
  await world.run('indexChain');
  const cursor = await store.chain.cursor(chain.chainKey);
  const still = await startFrozen(cursor?.blockNumber ?? 0n);
  const health = new NodeHealth(2);
  const next = await register(5);
  // One node proves only that it has no further block.
  await indexOn([still.client, chain.client], health);
  expect(await store.chain.cursor(chain.chainKey)).toEqual(cursor);
  const heads = [cursor?.blockNumber ?? 0n, await chain.client.getBlockNumber()];
  const records = health.ordered(heads, true);
  health.recordHeads(records.map(({ node: head, record }) => ({ head, record })));
  await indexOn([still.client, chain.client], health);
  expect((await next())?.noOutcomeId).toBe(10);
  await still.close();
});
