import { hashOf } from '@core/position/testing';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BatchMember, BatchSender } from '../src/transactions/batchSender.ts';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { prepareQuestion, registrationOf } from '../testing/registrations.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';

let world: TestConnections;
let batches: BatchSender;
beforeAll(async () => {
  world = await startTestConnections();
  batches = new BatchSender(world.connections);
  await world.connections.sender.resumeAll(world.lease);
});
afterAll(() => world.close());

const details = { grant: { mostUnits: 5n }, attempt: 1, decidedAtMs: 1 };
const memberOf = (subject: Hex, batch: Hex) => {
  const plan = { kind: 'member', batch, details } as const;
  return { subject, operation: 'authorize_liquidate', attempt: 1, plan } as const satisfies BatchMember;
};

/** A batch with a transaction that the vault takes once for each question. */
async function batchOf(question: string, batch: Hex, members: readonly BatchMember[]) {
  const { plan } = registrationOf(world, await prepareQuestion(world, question), 1);
  const call = { to: plan.to, data: plan.data, gas: 500_000n };
  return { batch, members, call, decidedAtMs: 1, lease: world.lease };
}

async function stateOf(subject: Hex) {
  const [intent] = await intentsOfSubject(world.connections.store.intents, subject);
  return [intent?.state, intent?.transactionHash, intent?.plan.kind];
}

describe('a transaction for several positions', () => {
  test('gives its state and its hash to the intents of all of them', async () => {
    const members = [hashOf(1), hashOf(2)].map((subject) => memberOf(subject, hashOf(10)));
    const outcome = await batches.send(await batchOf('together', hashOf(10), members));
    expect(outcome).toMatchObject({ kind: 'included', receipt: { status: 'success' } });
    const hash = outcome.kind === 'included' ? outcome.receipt?.transactionHash : null;
    for (const { subject } of members) expect(await stateOf(subject)).toEqual(['included', hash, 'member']);
  });

  test('that is refused leaves their rows for another', async () => {
    const members = [memberOf(hashOf(3), hashOf(11))];
    const request = await batchOf('refused', hashOf(11), members);
    // The vault takes no call before the condition is prepared.
    const unknown = registrationOf(world, hashOf(20)).plan.data;
    const outcome = await batches.send({ ...request, call: { ...request.call, data: unknown } });
    expect(outcome.kind).toBe('refused');
    expect(await stateOf(hashOf(3))).toEqual(['dropped', null, 'member']);
    expect(await batches.send({ ...request, batch: hashOf(12) })).toMatchObject({ kind: 'included' });
    expect(await stateOf(hashOf(3))).toEqual(['included', expect.stringMatching(/^0x/), 'member']);
  });

  test('is continued by each of them after a crash, and one that was never stored is given up', async () => {
    const { intents } = world.connections;
    const nowMs = 1;
    const prepare = async (subject: Hex, batch: Hex) => {
      const member = { ...memberOf(subject, batch), orderHash: batch, lease: world.lease, nowMs };
      return (await intents.prepare(member)).intent;
    };
    const orphan = await prepare(hashOf(4), hashOf(13));
    await batches.resume(orphan, hashOf(13));
    expect(await stateOf(hashOf(4))).toEqual(['dropped', null, 'member']);
    const waiting = await prepare(hashOf(5), hashOf(14));
    const { call, lease } = await batchOf('continued', hashOf(14), []);
    const plan = { kind: 'transaction', ...call, details: { decidedAtMs: 1 } } as const;
    await intents.prepare({ subject: hashOf(14), operation: 'authorize_batch', attempt: 1, plan, lease, nowMs });
    await batches.resume(waiting, hashOf(14));
    expect(await stateOf(hashOf(5))).toEqual(['included', expect.stringMatching(/^0x/), 'member']);
  });
});
