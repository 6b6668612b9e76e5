import { execute } from '@core/store/testing';
import { type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keeperTasks } from '../src/tasks.ts';
import { isRegistered, prepareQuestion, registrationOf } from '../testing/registrations.ts';
import { startChainApart } from '../testing/startApart.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';

let world: TestConnections;
beforeAll(async () => {
  world = await startTestConnections(() => startChainApart({ isRegular: false }));
  await world.run('indexChain');
  await world.run('resumeTransactions');
});
afterAll(() => world.close());

const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
  world.driver.rpc.client.request({ method: method as never, params: params as never });

const requestOf = (questionId: Hex, attempt = 1) => registrationOf(world, questionId, attempt);
const send = (questionId: Hex, attempt = 1) => world.connections.sender.send(requestOf(questionId, attempt));
const prepared = (question: string) => prepareQuestion(world, question);

const nonceCount = (): Promise<number> =>
  world.driver.rpc.client.getTransactionCount({ address: world.deployment.roles.keeper.address });

const stateOf = async (id: string) => (await world.connections.store.intents.byId(id))?.state;

/** Sends a registration and follows it until its intent is final. */
async function sendForGood(questionId: Hex) {
  const outcome = await send(questionId);
  expect(outcome.kind).toBe('included');
  await world.run('indexChain');
  await world.run('followTransactions');
  expect(await stateOf(outcome.intent.id)).toBe('final');
  return outcome.intent;
}

test('nonces of final intents, undone by a reorganisation: filled with the same bytes, and the next call is mined', async () => {
  const questions = [await prepared('undone 1'), await prepared('undone 2')];
  const before = await nonceCount();
  const head = await world.driver.rpc.client.getBlockNumber();
  const intents = [];
  for (const questionId of questions) intents.push(await sendForGood(questionId));
  expect(await nonceCount()).toBe(before + 2);
  const depth = (await world.driver.rpc.client.getBlockNumber()) - head;
  await rpc('anvil_reorg', [Number(depth), []]);
  expect(await nonceCount()).toBe(before);

  const next = send(await prepared('behind what was undone'));
  await world.run('reclaimNonces');
  expect((await next).kind).toBe('included');
  expect(await nonceCount()).toBe(before + 3);
  expect(await Promise.all(questions.map((questionId) => isRegistered(world, questionId)))).toEqual([true, true]);
  await world.run('resumeTransactions');
  await world.run('indexChain');
  await world.run('followTransactions');
  expect(await Promise.all(intents.map(({ id }) => stateOf(id)))).toEqual(['final', 'final']);
});

test('the finalized tag of the node → a transaction is final once the tag has passed its block', async () => {
  const { connections, lease, driver } = world;
  const chain = { ...connections.chain, finality: 'finalized' as const };
  const tasks = keeperTasks({ ...connections, chain });
  const round = async () => {
    for (const name of ['indexChain', 'followTransactions']) await tasks.find((task) => task.name === name)?.run(lease);
  };
  const { intent } = await send(await prepared('final by its tag'));
  await round();
  expect(await stateOf(intent.id)).toBe('included');
  const finalNumber = async () => (await driver.rpc.client.getBlock({ blockTag: 'finalized' })).number;
  const head = await driver.rpc.client.getBlockNumber();
  expect(await finalNumber()).toBeLessThan(head);
  while ((await finalNumber()) < head) await driver.rpc.mine(8);
  await round();
  expect(await stateOf(intent.id)).toBe('final');
  expect((await connections.store.chain.cursor(chain.chainKey))?.finalizedNumber).toBe(await finalNumber());
});

test('a nonce whose call the chain no longer wants, undone by a reorganisation: used all the same', async () => {
  const { driver } = world;
  const head = await driver.rpc.client.getBlockNumber();
  const questionId = await prepared('undone with its condition');
  const before = await nonceCount();
  const intent = await sendForGood(questionId);
  const depth = (await driver.rpc.client.getBlockNumber()) - head;
  await rpc('anvil_reorg', [Number(depth), []]);
  expect(await nonceCount()).toBe(before);

  const next = send(await prepared('behind what is wanted no more'));
  await world.run('reclaimNonces');
  expect((await next).kind).toBe('included');
  expect(await nonceCount()).toBe(before + 2);
  expect(await isRegistered(world, questionId)).toBe(false);
  await world.run('resumeTransactions');
  expect(await stateOf(intent.id)).toBe('reverted');
});

test('a transaction that the pool lost: sent again, and the next call is mined', async () => {
  const questionId = await prepared('lost from the pool');
  const before = await nonceCount();
  await rpc('evm_setAutomine', [false]);
  const sending = send(questionId);
  await expect.poll(() => rpc('txpool_status')).toMatchObject({ pending: '0x1' });
  await rpc('anvil_dropAllTransactions');
  await rpc('evm_setAutomine', [true]);
  const next = send(await prepared('behind what the pool lost'));
  expect([(await sending).kind, (await next).kind]).toEqual(['included', 'included']);
  expect(await nonceCount()).toBe(before + 2);
});

test('a nonce of an intent that ended without a transaction: filled with a transfer', async () => {
  const { intents, clock, sender } = world.connections;
  const { intent } = await intents.prepare({
    ...requestOf(keccak256(toHex('dropped with a nonce'))),
    nowMs: clock.nowMs(),
  });
  const before = await nonceCount();
  const { id } = intent;
  await intents.assignNonce({ id, signerAddress: sender.address, nowMs: clock.nowMs() });
  await intents.change({ id, from: ['prepared'], to: 'dropped', nowMs: clock.nowMs(), outcome: { revert: 'gone' } });

  const next = send(await prepared('behind what was dropped'));
  await world.run('reclaimNonces');
  expect((await next).kind).toBe('included');
  expect(await nonceCount()).toBe(before + 2);
});

/** Prepare a registration with a nonce of its own, and spoil its row. */
async function prepareUnreadable(question: string) {
  const { intents, clock, sender } = world.connections;
  const { intent } = await intents.prepare({ ...requestOf(keccak256(toHex(question))), nowMs: clock.nowMs() });
  await intents.assignNonce({ id: intent.id, signerAddress: sender.address, nowMs: clock.nowMs() });
  await spoil(intent.id);
  return intent;
}

const spoil = (id: string) =>
  execute(world.databaseUrl, `UPDATE intents SET plan = '{"rubbish": 1}' WHERE id = '${id}'`);

test('a nonce of an unfinished intent whose row cannot be read: filled with a transfer', async () => {
  const before = await nonceCount();
  const { id } = await prepareUnreadable('unreadable with a nonce');
  const next = send(await prepared('behind what cannot be read'));
  await world.run('reclaimNonces');
  expect((await next).kind).toBe('included');
  expect(await nonceCount()).toBe(before + 2);
  expect(await stateOf(id)).toBe('dropped');
});

test('a signed transaction that the pool lost, its row cannot be read: its bytes are sent again', async () => {
  const questionId = await prepared('lost and unreadable');
  const before = await nonceCount();
  const intent = await sendForGood(questionId);
  await rpc('anvil_reorg', [2, []]);
  expect(await nonceCount()).toBe(before);
  await spoil(intent.id);
  const next = send(await prepared('behind lost bytes'));
  await world.run('reclaimNonces');
  expect((await next).kind).toBe('included');
  expect(await nonceCount()).toBe(before + 2);
});

test('an assigned nonce, no node can run or estimate its call: signed all the same, so that others follow', async () => {
  const { intents, clock, sender } = world.connections;
  const questionId = await prepared('a call that no node runs');
  const { intent } = await intents.prepare({ ...requestOf(questionId), nowMs: clock.nowMs() });
  await intents.assignNonce({ id: intent.id, signerAddress: sender.address, nowMs: clock.nowMs() });
  const before = await nonceCount();
  world.proxy.addRule({
    matches: ({ bodyText }) => /eth_(call|estimateGas)/.test(bodyText) && bodyText.includes(questionId.slice(2)),
    fault: { kind: 'answer', status: 200, bodyText: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}' },
    times: 1_000,
  });
  const next = send(await prepared('behind a call that no node runs'));
  const resuming = world.run('resumeTransactions');
  expect((await next).kind).toBe('included');
  await resuming;
  expect(await nonceCount()).toBe(before + 2);
  world.proxy.clearRules();
});
