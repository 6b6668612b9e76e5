import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf, openTestStore, sampleNowMs, type TestStore, walletOf } from '../../testing/index.ts';
import { StaleLeaseError } from './createIntents.ts';
import type { NewIntent } from './intents.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore(12);
});
afterAll(() => opened.close());

const intentOf = (number: number, changes: Partial<NewIntent> = {}): NewIntent => ({
  subject: hashOf(number),
  operation: 'authorize_open',
  attempt: 0,
  plan: { salt: 5n },
  lockName: 'lane',
  fenceToken: 100n,
  nowMs: sampleNowMs,
  ...changes,
});

describe('intents', () => {
  test('one effect has one intent, whoever prepares it', async () => {
    const { intents } = opened.store;
    const prepared = await Promise.all(
      Array.from({ length: 10 }, (_, index) => intents.prepare(intentOf(1, { plan: { salt: BigInt(index) } }))),
    );
    expect(prepared.filter(({ created }) => created).length).toBe(1);
    expect(new Set(prepared.map(({ intent }) => intent.id)).size).toBe(1);
    expect((await intents.prepare(intentOf(1, { attempt: 1 }))).created).toBe(true);
    expect((await intents.ofSubject(hashOf(1), 'authorize_open')).map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(await intents.ofSubject(hashOf(1), 'finalize_open')).toEqual([]);
  });

  test('states move from where they are said to be, once', async () => {
    const { intents } = opened.store;
    const { intent } = await intents.prepare(intentOf(2));
    const change = {
      id: intent.id,
      from: ['prepared'],
      to: 'broadcast',
      nowMs: sampleNowMs + 1,
      venueOrderId: 'o',
      outcome: { filled: 5n },
    } as const;
    const moves = await Promise.all(Array.from({ length: 5 }, () => intents.change(change)));
    expect(moves.filter(Boolean).length).toBe(1);
    expect(await intents.byId(intent.id)).toMatchObject({
      state: 'broadcast',
      venueOrderId: 'o',
      outcome: { filled: 5n },
      plan: { salt: 5n },
    });
    expect((await intents.inStates(['broadcast'])).map(({ id }) => id)).toContain(intent.id);
  });

  test('nonces are handed out without gap or repetition, also when everybody asks at once', async () => {
    const { intents } = opened.store;
    const signerAddress = walletOf(1);
    await intents.raiseNonce(signerAddress, 7);
    expect(await intents.raiseNonce(signerAddress, 3)).toBe(7);
    const prepared = await Promise.all(
      Array.from({ length: 12 }, (_, index) => intents.prepare(intentOf(100 + index))),
    );
    const twice = [...prepared, ...prepared];
    const assigned = await Promise.all(
      twice.map(({ intent }) => intents.assignNonce({ id: intent.id, signerAddress, nowMs: sampleNowMs })),
    );
    const nonces = new Set(assigned.map(({ nonce }) => nonce));
    expect([...nonces].sort((left, right) => Number(left) - Number(right))).toEqual(
      Array.from({ length: 12 }, (_, index) => 7 + index),
    );
    expect(await intents.raiseNonce(signerAddress, 0)).toBe(19);
    expect((await intents.byNonce(signerAddress, 7))?.signerAddress).toBe(signerAddress);
    const { intent: gap } = await intents.prepare(intentOf(200));
    await intents.pinNonce({ id: gap.id, signerAddress, nonce: 19, nowMs: sampleNowMs });
    expect((await intents.byNonce(signerAddress, 19))?.id).toBe(gap.id);
    expect(await intents.raiseNonce(signerAddress, 0)).toBe(20);
  });

  test('raw transactions are kept before they are sent, cheapest first', async () => {
    const { intents } = opened.store;
    const { intent } = await intents.prepare(intentOf(3));
    const transactionOf = (number: number) => ({
      intentId: intent.id,
      hash: hashOf(number),
      rawTransaction: '0x02',
      maxFeePerGasWei: BigInt(number),
      maxPriorityFeeWei: 1n,
      createdAtMs: sampleNowMs,
    });
    await intents.addTransaction(transactionOf(20));
    await intents.addTransaction(transactionOf(10));
    await intents.addTransaction(transactionOf(10));
    expect(await intents.transactions(intent.id)).toEqual([transactionOf(10), transactionOf(20)]);
    expect((await intents.byId(intent.id))?.state).toBe('signed');
    await intents.markBroadcast(hashOf(10), sampleNowMs);
  });
});

describe('locks', () => {
  test('have one holder, and a replaced holder prepares nothing', async () => {
    const { locks, intents } = opened.store;
    const leases = await Promise.all(Array.from({ length: 6 }, () => locks.tryAcquire('lane-2')));
    const held = leases.filter((lease) => lease !== null);
    expect(held.length).toBe(1);
    const [first] = held;
    await first?.release();
    const second = await locks.tryAcquire('lane-2');
    expect(second?.fenceToken).toBeGreaterThan(first?.fenceToken ?? 0n);
    expect(first?.signal.aborted).toBe(true);
    expect(await locks.fenceToken('lane-2')).toBe(second?.fenceToken);
    const stale = intentOf(4, { lockName: 'lane-2', fenceToken: first?.fenceToken ?? 0n });
    await expect(intents.prepare(stale)).rejects.toThrow(StaleLeaseError);
    expect((await intents.prepare({ ...stale, fenceToken: second?.fenceToken ?? 0n })).created).toBe(true);
    await second?.release();
    expect(await locks.fenceToken('lane-none')).toBe(0n);
  });

  test('a lock whose connection dies is free again and its holder is told', async () => {
    const { locks } = opened.store;
    const lease = await locks.tryAcquire('lane-3');
    const { Client } = await import('pg');
    const client = new Client({ connectionString: opened.database.databaseUrl });
    await client.connect();
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`);
    await client.end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(lease?.signal.aborted).toBe(true);
    const next = await locks.tryAcquire('lane-3');
    expect(next).not.toBeNull();
    await next?.release();
  });
});

describe('heartbeats', () => {
  test('keep the last beat and the last success', async () => {
    const { heartbeats } = opened.store;
    await heartbeats.beat({ name: 'keeper', nowMs: sampleNowMs, succeeded: true });
    await heartbeats.beat({ name: 'keeper', nowMs: sampleNowMs + 5, succeeded: false, detail: { task: 'index' } });
    const expected = {
      name: 'keeper',
      lastBeatAtMs: sampleNowMs + 5,
      lastSuccessAtMs: sampleNowMs,
      detail: { task: 'index' },
    };
    expect(await heartbeats.byName('keeper')).toEqual(expected);
    expect(await heartbeats.all()).toEqual([expected]);
    expect(await heartbeats.byName('none')).toBeNull();
  });
});
