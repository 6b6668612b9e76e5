import { systemClock } from '@core/runtime';
import { openStore } from '@core/store';
import { SigningKey } from '@core/vault';
import { type Hex, parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockNameOf, locks } from '../src/runner/task.ts';
import { TransactionSender } from '../src/transactions/transactionSender.ts';
import { transactionSignerOf } from '../src/transactions/transactionSigner.ts';
import { isRegistered, prepareQuestion, registrationOf } from '../testing/registrations.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';

let world: TestConnections;
beforeAll(async () => {
  world = await startTestConnections();
});
afterAll(() => world.close());

const died = new Error('the process died');

/** Longer than the effect of any transaction may come late. */
const longAgoMs = 600_000;

interface Death {
  readonly question: string;
  /** Moment of the registration at which the process dies. */
  readonly moment: string;
  /** Time since the intent was stored. */
  readonly agoMs?: number;
}

/** Let a process with another keeper's key die while it registers the outcome of a question. */
async function orphan({
  question,
  moment,
  agoMs = 0,
}: Death): Promise<{ readonly id: string; readonly questionId: Hex }> {
  const { intents, chain } = world.connections;
  const questionId = await prepareQuestion(world, question);
  const sender = new TransactionSender({
    intents,
    client: chain.client,
    account: transactionSignerOf(new SigningKey(world.deployment.roles.keeperStandby.privateKey)),
    chainId: chain.chainId,
    clock: { nowMs: () => systemClock.nowMs() - agoMs },
    failpoint: (_operation, reached) => {
      if (reached === moment) throw died;
    },
    feeCeiling: { maxFeePerGasWei: parseGwei('1000000'), onReached: () => undefined },
  });
  const { address } = sender;
  await intents.raiseNonce(address, await chain.client.getTransactionCount({ address }));
  await expect(sender.send(registrationOf(world, questionId))).rejects.toThrow(died);
  const [intent] = await world.connections.store.intents.ofSubject(questionId);
  return { id: intent?.id ?? '', questionId };
}

const stateOf = async (id: string) => (await world.connections.store.intents.byId(id))?.state;
const orphanedCount = async () => (await world.connections.metrics.orphanedTransactions.get()).values[0]?.value;

test('mined, and its process died before it recorded that → included, though no keeper sends it any more', async () => {
  const { id } = await orphan({ question: 'mined', moment: 'after_receipt' });
  expect(['signed', 'broadcast']).toContain(await stateOf(id));
  await world.run('adoptTransactions');
  expect([await stateOf(id), await orphanedCount()]).toEqual(['included', 0]);
});

test('signed and never sent → sent by its bytes, and included', async () => {
  const { id, questionId } = await orphan({ question: 'never sent', moment: 'after_sign' });
  expect(await isRegistered(world, questionId)).toBe(false);
  await expect
    .poll(async () => {
      await world.run('adoptTransactions');
      return stateOf(id);
    })
    .toBe('included');
  expect(await isRegistered(world, questionId)).toBe(true);
});

test('its nonce was used by another transaction → replaced', async () => {
  const { id } = await orphan({ question: 'passed by', moment: 'after_sign' });
  const { roles } = world.deployment;
  await world.driver.rpc.send(roles.keeperStandby, { to: roles.alice.address, data: '0x' });
  await expect
    .poll(async () => {
      await world.run('adoptTransactions');
      return stateOf(id);
    })
    .toBe('replaced');
  expect(await orphanedCount()).toBe(0);
});

test('a process with the key lives → left to it', async () => {
  const { id } = await orphan({ question: 'of a living key', moment: 'after_receipt' });
  const owner = openStore({ databaseUrl: world.databaseUrl });
  const [lease] = await owner.locks.tryAcquire([
    lockNameOf(locks.signer, world.deployment.roles.keeperStandby.address),
  ]);
  await world.run('adoptTransactions');
  expect([await stateOf(id), await orphanedCount()]).toEqual(['signed', 0]);
  await lease?.release();
  await owner.close();
  await world.run('adoptTransactions');
  expect(await stateOf(id)).toBe('included');
});

test('the key cannot pay → waits and is counted; given up once its effect can no longer come', async () => {
  const young = await orphan({ question: 'young', moment: 'after_sign' });
  const old = await orphan({ question: 'old', moment: 'after_sign', agoMs: longAgoMs });
  const params = [world.deployment.roles.keeperStandby.address, '0x0'];
  await world.driver.rpc.client.request({ method: 'hardhat_setBalance' as never, params: params as never });
  await world.run('adoptTransactions');
  expect([await stateOf(young.id), await stateOf(old.id), await orphanedCount()]).toEqual(['broadcast', 'replaced', 1]);
});
