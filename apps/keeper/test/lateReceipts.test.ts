import { jsonRpcMethod } from '@core/testkit';
import { SigningKey } from '@core/vault';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { noFailpoint } from '../src/transactions/failpoint.ts';
import { TransactionSender } from '../src/transactions/transactionSender.ts';
import { transactionSignerOf } from '../src/transactions/transactionSigner.ts';
import { prepareQuestion, registrationOf } from '../testing/registrations.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';

let world: TestConnections;
beforeAll(async () => {
  world = await startTestConnections();
  await world.run('resumeTransactions');
  await world.run('indexChain');
});
afterEach(() => world.proxy.clearRules());
afterAll(() => world.close());

const absent = { kind: 'answer', status: 200, bodyText: '{"jsonrpc":"2.0","id":1,"result":null}' } as const;
const isReceiptRead = jsonRpcMethod('eth_getTransactionReceipt');
/** Receipts come later than their blocks, so many reads later. */
const withholdReceipts = (times: number): void => world.proxy.addRule({ matches: isReceiptRead, fault: absent, times });

/** A sender that sends again every 50 ms, so that it reads the nonce often meanwhile. */
function impatientSender(): TransactionSender {
  const { intents, chain, clock } = world.connections;
  return new TransactionSender({
    intents,
    client: chain.client,
    account: transactionSignerOf(new SigningKey(world.deployment.roles.keeper.privateKey)),
    chainId: chain.chainId,
    clock,
    failpoint: noFailpoint,
    feeCeiling: { maxFeePerGasWei: 10n ** 15n, onReached: () => undefined },
    timing: { receiptPollMs: 20, rebroadcastMs: 50, bumpMs: 100, giveUpMs: 30_000 },
  });
}

const stateOf = async (id: string) => (await world.connections.intents.byId(id))?.state;

test('a node with the block and the nonce, but no receipt yet → the transaction is awaited, neither replaced nor raised', async () => {
  const questionId = await prepareQuestion(world, 'receipt after its block');
  withholdReceipts(40);
  const outcome = await impatientSender().send(registrationOf(world, questionId, 1));
  expect(outcome.kind).toBe('included');
  expect(await stateOf(outcome.intent.id)).toBe('included');
  expect(await world.connections.intents.transactions(outcome.intent.id)).toHaveLength(1);
});

test('a nonce that another transaction used → replaced, once its block shows that one', async () => {
  const { intents, clock, sender } = world.connections;
  const { keeper } = world.deployment.roles;
  const questionId = await prepareQuestion(world, 'nonce used elsewhere');
  const { intent } = await intents.prepare({ ...registrationOf(world, questionId, 1), nowMs: clock.nowMs() });
  await intents.assignNonce({ id: intent.id, signerAddress: sender.address, nowMs: clock.nowMs() });
  await world.driver.rpc.send(keeper, { to: keeper.address, data: '0x' });
  expect((await impatientSender().send(registrationOf(world, questionId, 1))).kind).toBe('reverted');
  expect(await stateOf(intent.id)).toBe('replaced');
});

test('an included transaction without a receipt for a while → not taken for undone while its block lists it', async () => {
  const questionId = await prepareQuestion(world, 'receipt lost again');
  const { intent } = await world.connections.sender.send(registrationOf(world, questionId, 1));
  await world.run('indexChain');
  withholdReceipts(20);
  await world.run('followTransactions');
  expect(await stateOf(intent.id)).not.toBe('reorged');
});

test('a transaction recorded as replaced, its receipt comes → the record is corrected', async () => {
  const { intents, clock } = world.connections;
  const questionId = await prepareQuestion(world, 'recorded as replaced');
  const { intent } = await world.connections.sender.send(registrationOf(world, questionId, 1));
  await intents.change({ id: intent.id, from: ['included', 'final'], to: 'replaced', nowMs: clock.nowMs() });
  await expect
    .poll(async () => {
      await world.run('followTransactions');
      return stateOf(intent.id);
    })
    .toMatch(/included|final/);
});
