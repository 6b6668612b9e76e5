import type { LocalMarket, LocalPosition } from '@core/contracts/local';
import { lowerHex } from '@core/position';
import { execute, sampleMarket } from '@core/store/testing';
import { jsonRpcMethod } from '@core/testkit';
import { conditionalTokensAbi, conditionIdOf, Purpose, tokenIdsOf } from '@core/vault';
import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { keeperTasks } from '../src/tasks.ts';
import { prepareQuestion, registrationOf } from '../testing/registrations.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket, tradeAtHalf } from '../testing/tradeAtHalf.ts';

let world: TestConnections;
let market: LocalMarket;
let seedCount = 0;
beforeAll(async () => {
  world = await startTestConnections();
  market = await openTradedMarket(world, 'with a poisoned neighbour');
  await world.run('resumeTransactions');
  await world.run('indexChain');
});
afterEach(() => world.proxy.clearRules());
afterAll(() => world.close());

const nowMs = Date.now();

/**
 * Serve several items of which one is poison: the others are served by one run of the task, the failure is counted, and
 * the next run is no worse.
 */
async function expectIsolated<Item>(served: {
  readonly items: readonly Item[];
  readonly poison: Item;
  readonly task: string;
  readonly isServed: (item: Item) => Promise<boolean>;
  readonly failureCount: () => Promise<number>;
}): Promise<void> {
  const { items, poison, task, isServed, failureCount } = served;
  const before = await failureCount();
  await world.run(task);
  const outcomes = await Promise.all(items.map(async (item) => [item, await isServed(item)] as const));
  expect(outcomes).toEqual(items.map((item) => [item, item !== poison]));
  expect(await failureCount()).toBeGreaterThan(before);
  await world.run(task);
}

const total = async (name: 'failedProjections' | 'itemFailures'): Promise<number> =>
  (await world.connections.metrics[name].get()).values.reduce((sum, { value }) => sum + value, 0);

/** Makes the intents of a position unreadable: none of its folds can succeed. */
async function poison({ positionKey }: Pick<LocalPosition, 'positionKey'>): Promise<void> {
  const { connections, lease, databaseUrl } = world;
  const subject = positionKey.toLowerCase();
  const plan = { kind: 'none', details: { decidedAtMs: nowMs } } as const;
  const prepared = { subject, operation: 'defer_close', attempt: 1, plan, lease, nowMs } as const;
  await connections.intents.prepare(prepared);
  await execute(databaseUrl, `UPDATE intents SET plan = '{"rubbish": true}' WHERE subject = '${subject}'`);
}
const heal = ({ positionKey }: Pick<LocalPosition, 'positionKey'>) =>
  execute(world.databaseUrl, `DELETE FROM intents WHERE subject = '${positionKey.toLowerCase()}'`);

const recordOf = ({ positionKey }: Pick<LocalPosition, 'positionKey'>) =>
  world.connections.store.positions.byKey(positionKey);

async function createSeveral(count: number): Promise<readonly LocalPosition[]> {
  const positions: LocalPosition[] = [];
  for (let index = 0; index < count; index += 1) {
    seedCount += 1;
    positions.push(await createTraded(world, market, seedCount));
  }
  return positions;
}

describe('projections', () => {
  test('positions of one range, one cannot be folded → the others are indexed, and it is frozen', async () => {
    const positions = await createSeveral(4);
    const [, bad] = positions;
    if (bad === undefined) throw new Error('several positions were created');
    await poison(bad);
    await expectIsolated({
      items: positions,
      poison: bad,
      task: 'indexChain',
      isServed: async (position) => (await recordOf(position)) !== null,
      failureCount: () => total('failedProjections'),
    });
    const { store, chain } = world.connections;
    const cursor = await store.chain.cursor(chain.chainKey);
    expect(cursor?.blockNumber).toBe(await world.driver.rpc.client.getBlockNumber());
    // Its events are stored: it comes with the next fold that succeeds.
    await heal(bad);
    await world.refold(bad.positionKey);
    expect((await recordOf(bad))?.status).toBe('pending');
  });

  test('a position that was folded before → frozen as it was, and the others follow the chain', async () => {
    const positions = await createSeveral(2);
    await world.run('indexChain');
    const [bad, good] = positions;
    if (bad === undefined || good === undefined) throw new Error('two positions were created');
    await poison(bad);
    for (const position of positions) await tradeAtHalf(world, market, { position, purpose: Purpose.Open });
    await expectIsolated({
      items: positions,
      poison: bad,
      task: 'indexChain',
      isServed: async (position) => (await recordOf(position))?.status === 'open',
      failureCount: () => total('failedProjections'),
    });
    expect(await recordOf(bad)).toMatchObject({ status: 'pending', frozenReason: 'projection_failed' });
    await heal(bad);
  });
});

test("a stored event of one position cannot be read → the index follows orders that end, also that position's", async () => {
  const positions = await createSeveral(3);
  await world.run('indexChain');
  const [, bad] = positions;
  if (bad === undefined) throw new Error('several positions were created');
  const ofBad = `subject = '${bad.positionKey.toLowerCase()}'`;
  await execute(world.databaseUrl, `UPDATE chain_events SET arguments = '{"rubbish": true}' WHERE ${ofBad}`);
  for (const position of positions) await tradeAtHalf(world, market, { position, purpose: Purpose.Open });
  await expectIsolated({
    items: positions,
    poison: bad,
    task: 'indexChain',
    isServed: async (position) => (await recordOf(position))?.status === 'open',
    failureCount: () => total('failedProjections'),
  });
  await world.run('verifyChain');
  expect((await recordOf(bad))?.frozenReason).toBe('projection_failed');
  await execute(world.databaseUrl, `DELETE FROM chain_events WHERE ${ofBad}`);
});

describe('settlement', () => {
  test('open positions of a market with payouts, one cannot be folded → the others settle, and it is frozen', async () => {
    const traded = await openTradedMarket(world, 'settled with a poisoned position');
    const { store } = world.connections;
    const { yes, no } = traded;
    const venueMarketId = yes.conditionId;
    const tokens = { yesTokenId: yes.tokenId.toString(), noTokenId: no.tokenId.toString() };
    await store.markets.sync([sampleMarket(900, { ticker: 'settled', venueMarketId, ...tokens })], nowMs);
    const positions: LocalPosition[] = [];
    for (let index = 0; index < 3; index += 1) {
      seedCount += 1;
      const position = await createTraded(world, traded, seedCount);
      await tradeAtHalf(world, traded, { position, purpose: Purpose.Open });
      positions.push(position);
    }
    await world.run('indexChain');
    const [, bad] = positions;
    if (bad === undefined) throw new Error('several positions were opened');
    await poison(bad);
    const payouts = { venueMarketId, numerators: [1n, 0n], denominator: 1n, nowMs };
    expect(await store.markets.recordPayouts(payouts)).toBe(true);
    await expectIsolated({
      items: positions,
      poison: bad,
      task: 'settleMarkets',
      isServed: async (position) => (await recordOf(position))?.status === 'settling',
      failureCount: () => total('failedProjections'),
    });
    expect(await store.markets.settling({ except: [], limit: 10 })).toEqual([]);
    expect(await recordOf(bad)).toMatchObject({ status: 'open', frozenReason: 'projection_failed' });
    await heal(bad);
  });
});

/** Markets that may have payouts, prepared on chain by an oracle of their own. */
async function listClosed(count: number, name: string) {
  const { deployment, connections } = world;
  const { roles, contracts } = deployment;
  const { markets } = connections.store;
  const listed: { id: string; questionId: Hex; conditionId: Hex }[] = [];
  for (let index = 0; index < count; index += 1) {
    const questionId = await prepareQuestion(world, `${name} ${index}`);
    const conditionId = conditionIdOf({ oracle: roles.oracle.address, questionId });
    const [yes, no] = tokenIdsOf({ collateralToken: contracts.usdc, conditionId });
    const { discovered } = await markets.sync(
      [
        sampleMarket(index, {
          ticker: `${name}-${index}`,
          venueMarketId: conditionId,
          questionId,
          oracleAddress: lowerHex(roles.oracle.address),
          yesTokenId: yes.toString(),
          noTokenId: no.toString(),
        }),
      ],
      nowMs,
    );
    const id = discovered[0]?.id ?? '';
    await markets.moveStatus(id, 'closed', nowMs);
    listed.push({ id, questionId, conditionId });
  }
  return listed;
}

async function report(questionId: Hex, payouts: readonly bigint[]): Promise<void> {
  const { driver, deployment } = world;
  const data = encodeFunctionData({
    abi: conditionalTokensAbi,
    functionName: 'reportPayouts',
    args: [questionId, payouts],
  });
  await driver.rpc.send(deployment.roles.oracle, { to: deployment.contracts.conditionalTokens, data });
}

describe('payouts', () => {
  test.each(['refused', 'rubbish', 'cut off'] as const)(
    'markets with payouts, the read of one is %s for ever → the others are final after one round',
    async (kind) => {
      const listed = await listClosed(4, `payouts ${kind}`.replaceAll(' ', '-'));
      for (const { questionId } of listed) await report(questionId, [1n, 0n]);
      const [, , bad] = listed;
      if (bad === undefined) throw new Error('several markets were listed');
      const result = kind === 'rubbish' ? { result: '0x01' } : { error: { code: -32_603, message: 'internal' } };
      const bodyText = JSON.stringify({ jsonrpc: '2.0', id: 1, ...result });
      world.proxy.addRule({
        matches: (request) => jsonRpcMethod('eth_call')(request) && request.bodyText.includes(bad.conditionId.slice(2)),
        fault: kind === 'cut off' ? { kind: 'drop' } : { kind: 'answer', status: 200, bodyText },
        times: 1_000,
      });
      await expectIsolated({
        items: listed,
        poison: bad,
        task: 'readPayouts',
        isServed: async ({ id }) => (await world.connections.store.markets.byId(id))?.status === 'finalized',
        failureCount: () => total('itemFailures'),
      });
      expect((await world.connections.store.markets.byId(bad.id))?.status).toBe('closed');
    },
  );

  test('payouts in a block that may still be reorganised → not recorded before it is final', async () => {
    const { connections, lease } = world;
    const [listed] = await listClosed(1, 'payouts-not-final');
    if (listed === undefined) throw new Error('a market was listed');
    await report(listed.questionId, [0n, 1n]);
    const statusOf = async () => (await connections.store.markets.byId(listed.id))?.status;
    const round = () => {
      const chain = { ...connections.chain, finality: 3n };
      return keeperTasks({ ...connections, chain })
        .find(({ name }) => name === 'readPayouts')
        ?.run(lease);
    };
    await round();
    expect(await statusOf()).toBe('closed');
    await world.driver.rpc.mine(3);
    await round();
    expect(await statusOf()).toBe('finalized');
  });
});

test('calls, the intent of one cannot be read → the others are carried on', async () => {
  const { intents, sender, clock, store } = world.connections;
  const questions: Hex[] = [];
  for (let index = 0; index < 3; index += 1) questions.push(await prepareQuestion(world, `call ${index}`));
  // What the world's own helpers sent with the keeper's key is not to be numbered again.
  await world.run('resumeTransactions');
  const prepared = [];
  for (const questionId of questions) {
    const { intent } = await intents.prepare({ ...registrationOf(world, questionId), nowMs: clock.nowMs() });
    if (prepared.length > 0) await intents.assignNonce({ id: intent.id, signerAddress: sender.address, nowMs });
    prepared.push(intent);
  }
  const [bad, ...good] = prepared;
  await execute(world.databaseUrl, `UPDATE intents SET plan = '{"rubbish": true}' WHERE id = '${bad?.id}'`);
  await world.run('resumeTransactions');
  const states = await Promise.all(good.map(async ({ id }) => (await store.intents.byId(id))?.state));
  expect(states).toEqual(['included', 'included']);
});
