import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { execute } from '@core/store/testing';
import { Purpose } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keeperTasks } from '../src/tasks.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradeAtHalf } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
let market: LocalMarket;
let position: LocalPosition;
beforeAll(async () => {
  world = await startTestConnections();
  market = await openTradedMarket(world, 'on another branch');
  await world.run('indexChain');
  position = await createTraded(world, market, 1);
  await tradeAtHalf(world, market, { position, purpose: Purpose.Open });
  for (let block = 0; block < 300; block += 1) {
    await world.driver.rpc.client.request({ method: 'evm_mine' as never, params: [] as never });
    if (block % 8 === 0) await world.run('indexChain');
  }
  await world.run('indexChain');
});
afterAll(() => world.close());

const positionOf = () => world.connections.store.positions.byKey(position.positionKey);
const cursor = () => world.connections.store.chain.cursor(world.connections.chain.chainKey);

/** Makes the stored headers from a block on those of a branch that the chain has left. */
async function leaveBranch(fromBlock: bigint): Promise<void> {
  const changed = "'0x' || md5(block_number::text) || md5('left' || block_number::text)";
  const where = `block_number >= ${fromBlock}`;
  await execute(world.databaseUrl, `UPDATE chain_blocks SET block_hash = ${changed} WHERE ${where}`);
  await execute(world.databaseUrl, `UPDATE chain_cursors SET block_hash = ${changed}`);
}

test('index: the chain left 200 indexed blocks → goes back to the last common one, and to the head', async () => {
  const before = await positionOf();
  const head = (await cursor())?.blockNumber ?? 0n;
  const rows = await execute(world.databaseUrl, `SELECT 1 FROM chain_blocks WHERE block_number >= ${head - 200n}`);
  expect(rows.length).toBeGreaterThan(128);
  await leaveBranch(head - 200n);
  await world.run('indexChain');
  expect((await cursor())?.blockNumber).toBe(head);
  expect(await positionOf()).toEqual(before);
});

test('index: the chain has none of the stored headers → indexed again from the deployment', async () => {
  const before = await positionOf();
  await leaveBranch(0n);
  await world.run('indexChain');
  expect((await cursor())?.blockNumber).toBe(await world.driver.rpc.client.getBlockNumber());
  const updatedBlockNumber: unknown = expect.any(BigInt);
  expect(await positionOf()).toEqual(before && { ...before, updatedBlockNumber });
});

test('index: the chain has neither the stored headers nor the vault → refused, and nothing is given up', async () => {
  const before = { cursor: await cursor(), position: await positionOf() };
  await leaveBranch(0n);
  const { connections, lease } = world;
  const vault = `0x${'77'.repeat(20)}` as const;
  const chain = { ...connections.chain, contracts: { ...connections.chain.contracts, vault } };
  const task = keeperTasks({ ...connections, chain }).find(({ name }) => name === 'indexChain');
  await expect(task?.run(lease)).rejects.toMatchObject({ kind: 'frozen', message: expect.stringContaining('RPC_URL') });
  const after = { cursor: await cursor(), position: await positionOf() };
  expect(after.cursor?.blockNumber).toBe(before.cursor?.blockNumber);
  expect(after.position).toEqual(before.position);
});
