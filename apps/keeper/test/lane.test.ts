import { jsonRpcMethod } from '@core/testkit';
import { conditionalTokensAbi, conditionIdOf, vaultAbi } from '@core/vault';
import { encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { indexChain } from '../src/tasks/indexChain.ts';
import { tendLane } from '../src/tasks/tendLane.ts';
import { startTestPorts, type TestPorts } from '../testing/startTestPorts.ts';

let world: TestPorts;
beforeAll(async () => {
  world = await startTestPorts();
});
afterEach(() => world.proxy.clearRules());
afterAll(() => world.close());

const send = (questionId: Hex, attempt = 1) =>
  world.ports.lane.send({
    subject: questionId,
    operation: 'register_outcome',
    attempt,
    to: world.deployment.contracts.vault,
    data: encodeFunctionData({
      abi: vaultAbi,
      functionName: 'registerOutcome',
      args: [world.deployment.roles.oracle.address, questionId, 1n],
    }),
    lease: world.lease,
  });

/** A condition that can be registered, once. */
async function prepared(question: string): Promise<Hex> {
  const { desk, deployment } = world;
  const { oracle } = deployment.roles;
  const questionId = keccak256(toHex(question));
  const args = [oracle.address, questionId, 2n] as const;
  const data = encodeFunctionData({ abi: conditionalTokensAbi, functionName: 'prepareCondition', args });
  await desk.rpc.send(oracle, { to: deployment.contracts.conditionalTokens, data });
  return questionId;
}

const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
  world.desk.rpc.client.request({ method: method as never, params: params as never });

const isRegistered = async (questionId: Hex): Promise<boolean> => {
  const conditionId = conditionIdOf({ oracle: world.deployment.roles.oracle.address, questionId });
  const events = await world.desk.rpc.client.getContractEvents({
    address: world.deployment.contracts.vault,
    abi: vaultAbi,
    eventName: 'OutcomeRegistered',
    args: { conditionId },
    fromBlock: 0n,
  });
  return events.length === 1;
};

const nonceCount = (): Promise<number> =>
  world.desk.rpc.client.getTransactionCount({ address: world.deployment.roles.keeper.address });

describe('the nonce lane', () => {
  test('sends in order, each intent once, however many ask at once', async () => {
    const before = await nonceCount();
    await world.ports.lane.resume(world.lease);
    const questions = await Promise.all(Array.from({ length: 6 }, (_, index) => `many ${index}`).map(prepared));
    const outcomes = await Promise.all([...questions, ...questions].map((questionId) => send(questionId)));
    expect(outcomes.every(({ kind }) => kind === 'included')).toBe(true);
    expect(await nonceCount()).toBe(before + 6);
    expect(await Promise.all(questions.map(isRegistered))).toEqual(questions.map(() => true));
  });

  test('a call that would revert takes no nonce and keeps the name of the error', async () => {
    const before = await nonceCount();
    const outcome = await send(keccak256(toHex('never prepared')));
    expect(outcome).toMatchObject({ kind: 'refused', revert: 'ConditionNotBinary' });
    expect(await send(keccak256(toHex('never prepared')))).toMatchObject({ kind: 'refused' });
    expect(await nonceCount()).toBe(before);
  });

  test('a node that takes the transaction and never says so makes no second one', async () => {
    const questionId = await prepared('answer lost');
    const before = await nonceCount();
    world.proxy.addRule({ matches: jsonRpcMethod('eth_sendRawTransaction'), fault: { kind: 'dropAnswer' }, times: 1 });
    expect((await send(questionId)).kind).toBe('included');
    expect(await nonceCount()).toBe(before + 1);
  });

  test('a node that drops sends and receipts is asked again with the same bytes', async () => {
    const questionId = await prepared('dropped');
    const before = await nonceCount();
    world.proxy.addRule({ matches: jsonRpcMethod('eth_sendRawTransaction'), fault: { kind: 'drop' }, times: 2 });
    world.proxy.addRule({ matches: jsonRpcMethod('eth_getTransactionReceipt'), fault: { kind: 'drop' }, times: 3 });
    const outcome = await send(questionId);
    expect(outcome.kind).toBe('included');
    expect(await nonceCount()).toBe(before + 1);
    expect((await world.ports.store.intents.transactions(outcome.intent.id)).length).toBe(1);
  });

  test('a transaction nobody mines is replaced on its nonce with higher fees', async () => {
    const questionId = await prepared('stuck');
    const before = await nonceCount();
    await rpc('evm_setAutomine', [false]);
    const sending = send(questionId);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await rpc('evm_setAutomine', [true]);
    await rpc('evm_mine');
    const outcome = await sending;
    expect(outcome.kind).toBe('included');
    expect(await nonceCount()).toBe(before + 1);
    const signed = await world.ports.store.intents.transactions(outcome.intent.id);
    expect(signed.length).toBeGreaterThan(1);
    for (const [index, transaction] of signed.entries()) {
      const earlier = signed[index - 1];
      expect(transaction.maxFeePerGasWei * 1_000n).toBeGreaterThanOrEqual((earlier?.maxFeePerGasWei ?? 0n) * 1_125n);
    }
  });

  test('a nonce that was given out and belongs to nobody is filled with a transfer', async () => {
    const { intents } = world.ports.store;
    const before = await nonceCount();
    await intents.raiseNonce(world.ports.lane.address, before + 2);
    await world.ports.lane.resume(world.lease);
    expect(await nonceCount()).toBe(before + 2);
    const questionId = await prepared('after the gap');
    expect((await send(questionId)).kind).toBe('included');
    expect(await nonceCount()).toBe(before + 3);
  });
});

describe('a reorganisation', () => {
  test('takes back what the index learned, at every depth, and the same bytes are sent again', async () => {
    const { ports, lease } = world;
    const { store, chainKey } = ports;
    await indexChain(ports);
    await tendLane(ports, lease);
    for (const depth of [1, 2, 5, 13, 32]) {
      const known = (await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length;
      const questionId = await prepared(`depth ${depth}`);
      await indexChain(ports);
      const snapshot = await rpc('evm_snapshot');
      const outcome = await send(questionId);
      await rpc('hardhat_mine', [`0x${(depth - 1).toString(16)}`]);
      await indexChain(ports);
      expect((await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length).toBe(known + 1);
      // Another branch, as long as the abandoned one: its blocks have other times and so other hashes.
      await rpc('evm_revert', [snapshot]);
      await rpc('evm_increaseTime', [7]);
      await rpc('hardhat_mine', [`0x${depth.toString(16)}`]);
      await indexChain(ports);
      expect((await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length).toBe(known);
      expect((await store.intents.byId(outcome.intent.id))?.state).toBe('included');
      // The lane notices, sends the raw transaction again, and the index learns it anew.
      await tendLane(ports, lease);
      await tendLane(ports, lease);
      await indexChain(ports);
      expect((await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length).toBe(known + 1);
      expect((await store.intents.transactions(outcome.intent.id)).length).toBe(1);
      await tendLane(ports, lease);
      expect((await store.intents.byId(outcome.intent.id))?.state).toBe('final');
    }
  });
});
