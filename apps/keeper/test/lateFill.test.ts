import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { type HttpFaultRule, jsonRpcMethod } from '@core/testkit';
import { Purpose } from '@core/vault';
import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { keeperTasks } from '../src/tasks.ts';
import { startChainApart } from '../testing/startApart.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradeAtHalf } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
let market: LocalMarket;
beforeAll(async () => {
  world = await startTestConnections(() => startChainApart({ isRegular: false }));
  market = await openTradedMarket(world, 'filled early, ended late');
  await world.run('indexChain');
});
afterEach(() => world.proxy.clearRules());
afterAll(() => world.close());

/** A busy node takes seconds for this many. */
const minedAtOnce = 50;

/** Opens a position whose order is filled and ended so many blocks later; the block before its opening with it. */
async function openLate(seed: number, blockCount: number) {
  const { client } = world.driver.rpc;
  const before = await client.getBlockNumber();
  const position = await createTraded(world, market, seed);
  const beforeEnd = async (): Promise<void> => {
    for (let remaining = blockCount; remaining > 0; remaining -= minedAtOnce) {
      await client.request({
        method: 'anvil_mine' as never,
        params: [toHex(Math.min(remaining, minedAtOnce))] as never,
      });
    }
  };
  await tradeAtHalf(world, market, { position, purpose: Purpose.Open, beforeEnd });
  return { position, before };
}

async function fillsOf({ positionKey }: LocalPosition): Promise<number> {
  const { store, chain } = world.connections;
  const events = await store.chain.eventsOf(chain.chainKey, [positionKey.toLowerCase()]);
  return events.filter(({ name }) => name === 'OrderFilled').length;
}

/** Transactions of the exchange that its owner is shown for a position. */
async function venueTransactionsOf({ positionKey }: LocalPosition): Promise<number> {
  const transactions = await world.connections.store.positions.transactions(positionKey.toLowerCase());
  return transactions.flatMap(({ exchangeTransactionHashes }) => exchangeTransactionHashes).length;
}
const exchange = (): string => world.deployment.contracts.exchange.toLowerCase();

/** A node that has no logs of the exchange. */
const withoutFills = (): HttpFaultRule => ({
  matches: (request) => jsonRpcMethod('eth_getLogs')(request) && request.bodyText.toLowerCase().includes(exchange()),
  fault: { kind: 'answer', status: 200, bodyText: '{"jsonrpc":"2.0","id":1,"result":[]}' },
  times: 1_000,
});

/** The verification of a process of its own, for which every block after one is due to be read again. */
async function verification(after: bigint): Promise<() => Promise<void>> {
  const { store, chain } = world.connections;
  await store.chain.setVerified(chain.chainKey, after);
  const connections = { ...world.connections, chain: { ...chain, rescanDelayMs: 0 } };
  const task = keeperTasks(connections).find(({ name }) => name === 'verifyChain');
  if (task === undefined) throw new Error('nothing verifies the chain');
  return () => task.run(world.lease);
}

test.each([0, 310, 620])('fill: the order ended %i blocks later → indexed with its transaction', async (count) => {
  const { position } = await openLate(10 + count, count);
  await world.run('indexChain');
  expect(await fillsOf(position)).toBe(1);
});

test('fill: no node had it when the order ended → the verification waits for it, and adds it', async () => {
  const { position, before } = await openLate(1, 5);
  world.proxy.addRule(withoutFills());
  await world.run('indexChain');
  expect(await fillsOf(position)).toBe(0);
  const verify = await verification(before);
  await expect(verify()).rejects.toMatchObject({ origin: 'chain', kind: 'retryable' });
  expect(await fillsOf(position)).toBe(0);
  world.proxy.clearRules();
  await verify();
  expect(await fillsOf(position)).toBe(1);
  expect(await venueTransactionsOf(position)).toBe(1);
});

test('fill: no node ever has it → counted after some rounds, and the verification continues', async () => {
  const { store, chain, metrics } = world.connections;
  const { before } = await openLate(2, 5);
  world.proxy.addRule(withoutFills());
  await world.run('indexChain');
  const verify = await verification(before);
  const missing = async () => (await metrics.missingFills.get()).values[0]?.value ?? 0;
  for (let round = 0; round < 3; round += 1) await expect(verify()).rejects.toMatchObject({ kind: 'retryable' });
  expect(await missing()).toBe(0);
  await verify();
  expect(await missing()).toBe(1);
  const cursor = await store.chain.cursor(chain.chainKey);
  expect(await store.chain.verifiedNumber(chain.chainKey)).toBe(cursor?.blockNumber);
});
