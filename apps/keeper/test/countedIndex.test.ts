import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { raw } from '@core/pricing';
import { jsonRpcMethod } from '@core/testkit';
import { Purpose, vaultAbi } from '@core/vault';
import { Client } from 'pg';
import { type Address, encodeFunctionData, type Hex, parseAbi, slice } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keeperTasks } from '../src/tasks.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradeAtHalf, tradedTokenUnits } from '../testing/tradeAtHalf.ts';

const aggregatorAbi = parseAbi(['function initializeRequest(bytes29 eventId, address targetContract)']);

let world: TestConnections;
let database: Client;
let market: LocalMarket;
let position: LocalPosition;
let sold: LocalPosition;
let refunded: LocalPosition;

beforeAll(async () => {
  world = await startTestConnections();
  database = new Client({ connectionString: world.databaseUrl });
  await database.connect();
  market = await openTradedMarket(world, 'counted');
  const { driver, deployment } = world;
  position = await createTraded(world, market, 1);
  sold = await createTraded(world, market, 2);
  refunded = await createTraded(world, market, 3);
  await tradeAtHalf(world, market, { position, purpose: Purpose.Open });
  await tradeAtHalf(world, market, { position: sold, purpose: Purpose.Open });
  const { alice } = deployment.roles;
  await driver.requestClose({ position: sold, sender: alice, tokenUnits: tradedTokenUnits });
  await tradeAtHalf(world, market, { position: sold, purpose: Purpose.Close });
  // Its account comes into being without a loan.
  await driver.cancelPosition(refunded, alice);
  await createTraded(world, market, 4);
  await world.run('indexChain');
});
beforeEach(verifyToTheEnd);
afterAll(async () => {
  await database.end();
  await world.close();
});

/** The verification of a process of its own, which does not know since when an index lacks something. */
function verification(): () => Promise<void> {
  const task = keeperTasks(world.connections).find(({ name }) => name === 'verifyChain');
  if (task === undefined) throw new Error('nothing verifies the chain');
  return () => task.run(world.lease);
}

/** Everything was read a second time, so that no block is due any more. */
async function verifyToTheEnd(): Promise<void> {
  const { store, chain } = world.connections;
  const cursor = await store.chain.cursor(chain.chainKey);
  await store.chain.setVerified(chain.chainKey, cursor?.blockNumber ?? null);
}

/** Return the differing counts, from the metric. */
async function differing(): Promise<readonly string[]> {
  const { values } = await world.connections.metrics.differingCounts.get();
  return values.filter(({ value }) => value === 1).map(({ labels }) => String(labels.count));
}

/** Takes events out of the index as if no node had ever shown them, with what rests on them. */
async function forget({ positionKey }: LocalPosition, names: readonly string[] | null): Promise<void> {
  const { rows } = await database.query<{ readonly subject: string }>(
    `DELETE FROM chain_events WHERE ($1::text[] IS NULL OR name = ANY($1))
       AND (subject = $2 OR lower(arguments->>'positionKey') = $2) RETURNING subject`,
    [names, positionKey.toLowerCase()],
  );
  expect(rows.length).toBeGreaterThan(0);
  await world.refold(positionKey);
}

async function expectLedgerOfChain(position: LocalPosition): Promise<void> {
  const record = await world.connections.store.positions.byKey(position.positionKey);
  const onChain = await world.driver.positionOf(position);
  expect([record && raw(record.tokenUnits), record && raw(record.principalUsdcUnits)]).toEqual([
    onChain.tokenUnits,
    onChain.principalUsdcUnits,
  ]);
}

test('an index that has everything agrees with the contracts', async () => {
  await verification()();
  expect(await differing()).toEqual([]);
  const { store, chain } = world.connections;
  const counts = await store.chain.counts(chain.chainKey);
  expect(counts).toMatchObject({ outcomeCount: 2, accountCount: 3, owedUsdcUnits: expect.any(BigInt) });
  expect(counts?.owedUsdcUnits).toBe((await world.driver.positionOf(position)).principalUsdcUnits);
});

test.each([
  { what: 'all of an open position', lacking: () => position, names: null, counts: ['accounts', 'loans'] },
  { what: 'all of a closed position', lacking: () => sold, names: null, counts: ['accounts'] },
  { what: 'all of a refunded position', lacking: () => refunded, names: null, counts: ['accounts'] },
  { what: 'the sale of a position', lacking: () => sold, names: ['PositionReduced'], counts: ['loans'] },
])('an index that lacks $what is found out, read again, and whole', async ({ lacking, names, counts }) => {
  const verify = verification();
  const position = lacking();
  const before = await world.connections.store.positions.byKey(position.positionKey);
  await forget(position, names);
  await verify();
  expect(await differing()).toEqual(counts);
  // Read again from the beginning, and then counted again.
  await verify();
  await verify();
  expect(await differing()).toEqual([]);
  await expectLedgerOfChain(position);
  const after = await world.connections.store.positions.byKey(position.positionKey);
  expect(after?.status).toBe(before?.status);
});

test('requests of users, which the contracts do not count, are found in the next round once a node has them', async () => {
  const { store, chain } = world.connections;
  const withheld = { kind: 'answer', status: 200, bodyText: '{"jsonrpc":"2.0","id":1,"result":[]}' } as const;
  const verify = verification();
  await verify();
  world.proxy.addRule({ matches: jsonRpcMethod('eth_getLogs'), fault: withheld, times: 1_000 });
  const { alice } = world.deployment.roles;
  const unseen = await createTraded(world, market, 5);
  await world.driver.requestClose({ position, sender: alice, tokenUnits: tradedTokenUnits / 2n });
  await world.run('indexChain');
  const eventNames = async (key: Hex) => (await store.chain.eventsOf(chain.chainKey, [key])).map(({ name }) => name);
  expect(await store.positions.byKey(unseen.positionKey)).toBe(null);
  await verify();
  expect(await eventNames(position.positionKey)).not.toContain('CloseRequested');
  world.proxy.clearRules();
  await verify();
  expect(await store.positions.byKey(unseen.positionKey)).not.toBe(null);
  expect(await eventNames(position.positionKey)).toContain('CloseRequested');
  expect(await differing()).toEqual([]);
});

test('events of blocks that are not final, as around a reorganisation → no block is read again before its time', async () => {
  const { connections, driver, lease } = world;
  const { store, chain } = connections;
  const tasks = keeperTasks({ ...connections, chain: { ...chain, finality: 20n, rescanDelayMs: 600_000 } });
  const run = async (name: string): Promise<void> => tasks.find((task) => task.name === name)?.run(lease);
  const verified = await store.chain.verifiedNumber(chain.chainKey);
  await driver.rpc.client.request({ method: 'hardhat_mine' as never, params: ['0x28'] as never });
  const withheld = { kind: 'answer', status: 200, bodyText: '{"jsonrpc":"2.0","id":1,"result":[]}' } as const;
  world.proxy.addRule({ matches: jsonRpcMethod('eth_getLogs'), fault: withheld, times: 1_000 });
  const unseen = await createTraded(world, market, 6);
  await run('indexChain');
  world.proxy.clearRules();
  expect((await store.chain.cursor(chain.chainKey))?.finalizedNumber).toBeGreaterThan(verified ?? 0n);
  await run('verifyChain');
  expect(await store.chain.verifiedNumber(chain.chainKey)).toBe(verified);
  await driver.rpc.client.request({ method: 'hardhat_mine' as never, params: ['0x28'] as never });
  await run('indexChain');
  await run('verifyChain');
  expect(await store.positions.byKey(unseen.positionKey)).not.toBe(null);
});

test('an outcome of the PositionManager counts as one, and an index that lacks it is found out', async () => {
  const { driver, deployment, connections } = world;
  const { oracleAggregator, binaryModule, vault } = deployment.contracts;
  const conditionId: Hex = `0x01${'5e'.repeat(16)}${'00'.repeat(14)}`;
  const send = (to: Address, data: Hex) => driver.rpc.send(deployment.roles.bob, { to, data });
  const request = [slice(conditionId, 0, 29), binaryModule] as const;
  const data = encodeFunctionData({ abi: aggregatorAbi, functionName: 'initializeRequest', args: request });
  await send(oracleAggregator, data);
  const args = [conditionId, 0n] as const;
  await send(vault, encodeFunctionData({ abi: vaultAbi, functionName: 'registerManagedOutcome', args }));
  await world.run('indexChain');
  await verification()();
  expect(await differing()).toEqual([]);
  const { store, chain } = connections;
  expect(await store.chain.counts(chain.chainKey)).toMatchObject({ outcomeCount: 3 });
  await database.query(`DELETE FROM chain_events WHERE name = 'ManagedOutcomeRegistered'`);
  await verifyToTheEnd();
  await verification()();
  expect(await differing()).toEqual(['outcomes']);
});
