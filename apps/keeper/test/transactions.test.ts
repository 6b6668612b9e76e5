import { setTimeout as delay } from 'node:timers/promises';
import { type HttpFaultRule, jsonRpcMethod } from '@core/testkit';
import { SigningKey } from '@core/vault';
import { type Hex, isHex, keccak256, parseEther, parseGwei, parseTransaction, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { locks } from '../src/runner/task.ts';
import { keeperTasks } from '../src/tasks.ts';
import { noFailpoint } from '../src/transactions/failpoint.ts';
import type { FeeCeiling } from '../src/transactions/feeReader.ts';
import { TransactionSender } from '../src/transactions/transactionSender.ts';
import { transactionSignerOf } from '../src/transactions/transactionSigner.ts';
import { isRegistered, prepareQuestion, registrationOf } from '../testing/registrations.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';

/** Longer than the pause of a transaction whose receipt could not be read once. */
const pauseMs = 200;

let world: TestConnections;
beforeAll(async () => {
  world = await startTestConnections();
});
afterEach(() => world.proxy.clearRules());
afterAll(() => world.close());

const requestOf = (questionId: Hex, attempt: number) => registrationOf(world, questionId, attempt);
const send = (questionId: Hex, attempt = 1, sender = world.connections.sender) =>
  sender.send(requestOf(questionId, attempt));

/** A sender that has little patience with what is not mined. */
function senderThatReplaces(feeCeiling: FeeCeiling, keeper = world.deployment.roles.keeper): TransactionSender {
  const { intents, chain, clock } = world.connections;
  return new TransactionSender({
    intents,
    client: chain.client,
    account: transactionSignerOf(new SigningKey(keeper.privateKey)),
    chainId: chain.chainId,
    clock,
    failpoint: noFailpoint,
    feeCeiling,
    timing: { receiptPollMs: 20, rebroadcastMs: 100, bumpMs: 200, giveUpMs: 60_000 },
  });
}

const sends = jsonRpcMethod('eth_sendRawTransaction');
/** Answer of a node instead of accepting a transaction. */
const refusedWith = (message: string): HttpFaultRule['fault'] => ({
  kind: 'answer',
  status: 200,
  bodyText: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message } }),
});

interface SentFees {
  readonly feeWei: bigint;
  readonly tipWei: bigint;
  readonly gas: bigint;
}

/** Fees of the transaction that a request sends. */
function feesIn(bodyText: string): SentFees {
  const call = z.object({ params: z.tuple([z.custom<Hex>(isHex)]) }).parse(JSON.parse(bodyText));
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, gas = 0n } = parseTransaction(call.params[0]);
  return { feeWei: maxFeePerGas, tipWei: maxPriorityFeePerGas, gas };
}

const plentyOfFees: FeeCeiling = { maxFeePerGasWei: 10n ** 15n, onReached: () => undefined };

const prepared = (question: string) => prepareQuestion(world, question);

const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
  world.driver.rpc.client.request({ method: method as never, params: params as never });

const nonceCount = (): Promise<number> =>
  world.driver.rpc.client.getTransactionCount({ address: world.deployment.roles.keeper.address });

describe('F15: the transaction sender', () => {
  test('sends in order, each intent once, however many callers ask at once', async () => {
    const before = await nonceCount();
    await world.connections.sender.resumeAll(world.lease);
    const questions = await Promise.all(Array.from({ length: 6 }, (_, index) => `many ${index}`).map(prepared));
    const outcomes = await Promise.all([...questions, ...questions].map((questionId) => send(questionId)));
    expect(outcomes.every(({ kind }) => kind === 'included')).toBe(true);
    expect(await nonceCount()).toBe(before + 6);
    expect(await Promise.all(questions.map((questionId) => isRegistered(world, questionId)))).toEqual(
      questions.map(() => true),
    );
  });

  test('a nonce that a keeper took and died with is filled when it is back, though another dropped the intent', async () => {
    const { intents, clock } = world.connections;
    const { keeper, keeperStandby } = world.deployment.roles;
    const standby = senderThatReplaces(plentyOfFees, keeperStandby);
    for (const sender of [standby, world.connections.sender]) await sender.resumeAll(world.lease);
    const questionId = await prepared('taken and never signed');
    const before = await nonceCount();
    const request = requestOf(questionId, 1);
    const { intent } = await intents.prepare({ ...request, nowMs: clock.nowMs() });
    await intents.assignNonce({ id: intent.id, signerAddress: keeper.address, nowMs: clock.nowMs() });

    expect(await standby.send(request)).toMatchObject({ kind: 'refused', revert: 'signer_gone' });
    expect(await standby.send(requestOf(questionId, 2))).toMatchObject({ kind: 'included' });
    await world.connections.sender.resumeAll(world.lease);
    expect(await nonceCount()).toBe(before + 1);
    expect((await send(await prepared('behind the filled nonce'))).kind).toBe('included');
  });

  test('a call that would revert takes no nonce and keeps the name of the error', async () => {
    const before = await nonceCount();
    const outcome = await send(keccak256(toHex('never prepared')));
    expect(outcome).toMatchObject({ kind: 'refused', revert: 'ConditionNotBinary' });
    const again = await send(keccak256(toHex('never prepared')));
    expect(again).toMatchObject({ kind: 'refused', intent: { id: outcome.intent.id } });
    expect(await world.connections.intents.byId(again.intent.id)).toMatchObject({
      state: 'dropped',
      outcome: { revert: 'ConditionNotBinary', count: 2 },
    });
    expect(await nonceCount()).toBe(before);
    // Its cause is gone: the same row becomes the transaction.
    await prepared('never prepared');
    expect(await send(keccak256(toHex('never prepared')))).toMatchObject({
      kind: 'included',
      intent: { id: outcome.intent.id },
    });
  });

  test('a node that takes the transaction and loses its answer makes no second one', async () => {
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
    expect((await world.connections.store.intents.transactions(outcome.intent.id)).length).toBe(1);
  });

  test('a node that mines and keeps the receipt back proves nothing: the nonce is not taken for lost', async () => {
    const questionId = await prepared('receipt kept back');
    world.proxy.addRule({ matches: jsonRpcMethod('eth_getTransactionReceipt'), fault: { kind: 'drop' }, times: 8 });
    const outcome = await send(questionId);
    expect(outcome.kind).toBe('included');
    expect((await world.connections.store.intents.byId(outcome.intent.id))?.state).toBe('included');
  });

  test('a transaction that is not mined is replaced on its nonce with higher fees', async () => {
    const questionId = await prepared('stuck');
    const before = await nonceCount();
    await rpc('evm_setAutomine', [false]);
    const sending = send(questionId, 1, senderThatReplaces(plentyOfFees));
    await expect
      .poll(async () => {
        const [intent] = await world.connections.store.intents.ofSubject(questionId);
        return intent && (await world.connections.store.intents.transactions(intent.id)).length;
      })
      .toBeGreaterThan(1);
    await rpc('evm_setAutomine', [true]);
    await rpc('evm_mine');
    const outcome = await sending;
    expect(outcome.kind).toBe('included');
    expect(await nonceCount()).toBe(before + 1);
    const transactions = await world.connections.store.intents.transactions(outcome.intent.id);
    expect(transactions.length).toBeGreaterThan(1);
    for (const [index, transaction] of transactions.entries()) {
      const earlier = transactions[index - 1];
      expect(transaction.maxFeePerGasWei * 1_000n).toBeGreaterThanOrEqual((earlier?.maxFeePerGasWei ?? 0n) * 1_125n);
    }
  });

  test('F15: at the fee ceiling a transaction waits on its nonce instead of being replaced', async () => {
    const { chain } = world.connections;
    const { maxFeePerGas } = await chain.client.estimateFeesPerGas();
    let reachedCount = 0;
    const feeCeiling = {
      maxFeePerGasWei: maxFeePerGas * 2n,
      onReached: () => {
        reachedCount += 1;
      },
    };
    const capped = senderThatReplaces(feeCeiling);
    const questionId = await prepared('at the ceiling');
    await rpc('evm_setAutomine', [false]);
    const sending = send(questionId, 1, capped);
    await expect.poll(() => reachedCount).toBeGreaterThan(0);
    await rpc('evm_setAutomine', [true]);
    await rpc('evm_mine');
    const outcome = await sending;
    expect(outcome.kind).toBe('included');
    const transactions = await world.connections.store.intents.transactions(outcome.intent.id);
    expect(transactions.every((transaction) => transaction.maxFeePerGasWei <= feeCeiling.maxFeePerGasWei)).toBe(true);
    expect(reachedCount).toBeGreaterThan(0);
  });

  test.each([
    {
      bound: 'a minimum tip',
      text: 'transaction underpriced: gas tip cap 1, minimum needed 25000000000',
      isTaken: ({ tipWei }: SentFees) => tipWei >= parseGwei('25'),
    },
    {
      bound: 'a cap of the fee',
      text: 'tx fee (1.15 ether) exceeds the configured cap (0.01 ether)',
      isTaken: ({ feeWei, gas }: SentFees) => feeWei * gas <= parseEther('0.01'),
    },
  ])('a node with $bound of its own: the transaction is signed again with fees that it takes', async (node) => {
    const { sender, store } = world.connections;
    // Two transactions take the base fee of the local chain as it is.
    await rpc('hardhat_setNextBlockBaseFeePerGas', [toHex(parseGwei('10'))]);
    await rpc('evm_mine');
    const questionId = await prepared(node.bound);
    const before = await nonceCount();
    const matches: HttpFaultRule['matches'] = (request) => sends(request) && !node.isTaken(feesIn(request.bodyText));
    world.proxy.addRule({ matches, fault: refusedWith(node.text), times: 1_000 });
    const outcome = await send(questionId, 1, sender);
    expect(outcome.kind).toBe('included');
    expect(await nonceCount()).toBe(before + 1);
    expect((await store.intents.transactions(outcome.intent.id)).length).toBe(2);
  });

  test.each(['already known', 'nonce too low', 'replacement transaction underpriced'])(
    'a node that says “%s” is not believed: every transaction comes into a block, once and without a gap',
    async (message) => {
      const questions = await Promise.all([1, 2, 3].map((index) => prepared(`${message} ${index}`)));
      const before = await nonceCount();
      world.proxy.addRule({ matches: sends, fault: refusedWith(message), times: 4 });
      const sender = senderThatReplaces(plentyOfFees);
      const outcomes = await Promise.all(questions.map((questionId) => send(questionId, 1, sender)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['included', 'included', 'included']);
      expect(await nonceCount()).toBe(before + 3);
      expect(await Promise.all(questions.map((questionId) => isRegistered(world, questionId)))).toEqual([
        true,
        true,
        true,
      ]);
    },
  );

  test('a replacement that a node calls underpriced leaves the transaction that it has', async () => {
    const questionId = await prepared('underpriced');
    const before = await nonceCount();
    await rpc('evm_setAutomine', [false]);
    const sending = send(questionId, 1, senderThatReplaces(plentyOfFees));
    const { ofSubject, transactions } = world.connections.store.intents;
    await expect.poll(async () => (await ofSubject(questionId))[0]?.state).toBe('broadcast');
    world.proxy.addRule({ matches: sends, fault: refusedWith('replacement transaction underpriced'), times: 10_000 });
    await expect
      .poll(async () => (await transactions((await ofSubject(questionId))[0]?.id ?? '')).length)
      .toBeGreaterThan(1);
    await rpc('evm_setAutomine', [true]);
    await rpc('evm_mine');
    expect((await sending).kind).toBe('included');
    expect(await nonceCount()).toBe(before + 1);
    world.proxy.clearRules();
    expect((await send(await prepared('behind it'))).kind).toBe('included');
  });

  test('a nonce that was given out and has no owner is filled with a transfer', async () => {
    const { intents } = world.connections.store;
    const before = await nonceCount();
    await intents.raiseNonce(world.connections.sender.address, before + 2);
    await world.connections.sender.resumeAll(world.lease);
    expect(await nonceCount()).toBe(before + 2);
    const questionId = await prepared('after the gap');
    expect((await send(questionId)).kind).toBe('included');
    expect(await nonceCount()).toBe(before + 3);
  });
});

describe('F16: a reorganisation', () => {
  test('takes back what the index learned, at every depth, and the same bytes are sent again', async () => {
    const { store, chain } = world.connections;
    const { chainKey } = chain;
    await world.run('indexChain');
    await world.run('resumeTransactions');
    for (const depth of [1, 2, 5, 13, 32]) {
      const registeredCount = (await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length;
      const questionId = await prepared(`depth ${depth}`);
      await world.run('indexChain');
      const snapshot = await rpc('evm_snapshot');
      const outcome = await send(questionId);
      await rpc('hardhat_mine', [`0x${(depth - 1).toString(16)}`]);
      await world.run('indexChain');
      expect((await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length).toBe(registeredCount + 1);
      // Another branch, as long as the abandoned one: its blocks have other times and so other hashes.
      await rpc('evm_revert', [snapshot]);
      await rpc('evm_increaseTime', [7]);
      await rpc('hardhat_mine', [`0x${depth.toString(16)}`]);
      await world.run('indexChain');
      expect((await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length).toBe(registeredCount);
      expect((await store.intents.byId(outcome.intent.id))?.state).toBe('included');
      // The sender notices, sends the raw transaction again, and the index reads it again.
      await world.run('followTransactions');
      await world.run('resumeTransactions');
      await world.run('indexChain');
      expect((await store.chain.eventsNamed(chainKey, 'OutcomeRegistered')).length).toBe(registeredCount + 1);
      expect((await store.intents.transactions(outcome.intent.id)).length).toBe(1);
      await world.run('followTransactions');
      expect((await store.intents.byId(outcome.intent.id))?.state).toBe('final');
    }
  });

  test('is not believed of a node that does not answer, nor before the index has come to the block', async () => {
    const { store } = world.connections;
    const questionId = await prepared('still there');
    await world.run('indexChain');
    const { intent } = await send(questionId);
    const stateOf = async () => (await store.intents.byId(intent.id))?.state;
    const receipts = jsonRpcMethod('eth_getTransactionReceipt');
    world.proxy.addRule({ matches: receipts, fault: { kind: 'drop' }, times: 1 });
    await world.run('followTransactions');
    expect(await stateOf()).toBe('included');
    await delay(pauseMs);

    // A node behind the block has no receipt; the index has not been there either.
    world.proxy.addRule({
      matches: receipts,
      fault: { kind: 'answer', status: 200, bodyText: JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }) },
      times: 1,
    });
    await world.run('followTransactions');
    expect(await stateOf()).toBe('included');
    await world.run('indexChain');
    await world.run('followTransactions');
    expect(await stateOf()).toBe('final');
  });

  test('is followed for each intent, whatever the node fails to answer about another', async () => {
    const { store } = world.connections;
    await world.run('indexChain');
    await world.run('followTransactions');
    const outcomes = [await send(await prepared('first of two')), await send(await prepared('second of two'))];
    await world.run('indexChain');
    const states = () =>
      Promise.all(outcomes.map(async ({ intent }) => (await store.intents.byId(intent.id))?.state ?? 'unknown'));
    world.proxy.addRule({ matches: jsonRpcMethod('eth_getTransactionReceipt'), fault: { kind: 'drop' }, times: 1 });
    await world.run('followTransactions');
    expect((await states()).toSorted()).toEqual(['final', 'included']);
    await delay(pauseMs);
    await world.run('followTransactions');
    expect(await states()).toEqual(['final', 'final']);
  });

  test('of the index follows from another header, never from a node that does not answer', async () => {
    const { store, chain } = world.connections;
    await world.run('indexChain');
    const before = await store.chain.cursor(chain.chainKey);
    await rpc('hardhat_mine', ['0x2']);
    const isHeaderByNumber: HttpFaultRule['matches'] = (request) =>
      jsonRpcMethod('eth_getBlockByNumber')(request) && !request.bodyText.includes('latest');
    world.proxy.addRule({ matches: isHeaderByNumber, fault: { kind: 'drop' }, times: 1 });
    await expect(world.run('indexChain')).rejects.toMatchObject({ origin: 'chain', kind: 'retryable' });
    expect(await store.chain.cursor(chain.chainKey)).toEqual(before);
  });
});

test('task names are unique and what works for positions runs under the lock of the key that signs', () => {
  const tasks = keeperTasks(world.connections);
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
  const sending = tasks.filter(({ name }) =>
    ['balanceShares', 'followDebts', 'advanceDue', 'advancePositions', 'resumeTransactions'].includes(name),
  );
  expect(sending.map(({ lock }) => lock)).toEqual(sending.map(() => locks.signer));
  expect(sending.length).toBe(5);
});
