import { hashOf, sampleNowMs, walletOf } from '@core/position/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { execute, openTestStore, type TestStore } from '../../testing/index.ts';
import { openStore } from '../openStore.ts';
import type { NewIntent, SignedTransaction } from './intents.ts';
import { StaleLeaseError } from './staleLeaseError.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore(12);
});
afterAll(() => testStore.close());

const intentOf = (number: number, changes: Partial<NewIntent> = {}): NewIntent => ({
  subject: hashOf(number),
  operation: 'authorize_open',
  attempt: 0,
  plan: { salt: 5n },
  lockName: 'lock',
  fenceToken: 100n,
  nowMs: sampleNowMs,
  ...changes,
});

describe('intents', () => {
  test('one effect has one intent, however many callers prepare it', async () => {
    const { intents } = testStore.store;
    const prepared = await Promise.all(
      Array.from({ length: 10 }, (_, index) => intents.prepare(intentOf(1, { plan: { salt: BigInt(index) } }))),
    );
    expect(prepared.filter(({ created }) => created).length).toBe(1);
    expect(new Set(prepared.map(({ intent }) => intent.id)).size).toBe(1);
    expect((await intents.prepare(intentOf(1, { attempt: 1 }))).created).toBe(true);
    expect((await intents.ofSubject(hashOf(1), ['authorize_open'])).map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(await intents.ofSubject(hashOf(1), ['finalize_open'])).toEqual([]);
    await intents.prepare(intentOf(11, { nowMs: sampleNowMs + 1 }));
    const several = await intents.ofSubjects([hashOf(11), hashOf(1), hashOf(12)], 'authorize_open');
    expect(several.map(({ subject, attempt }) => [subject, attempt])).toEqual([
      [hashOf(1), 0],
      [hashOf(1), 1],
      [hashOf(11), 0],
    ]);
    expect(await intents.ofSubjects([], 'authorize_open')).toEqual([]);
  });

  test('a state changes once, from the expected state alone', async () => {
    const { intents } = testStore.store;
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

  test('members of a batch move with it, and those that ended do not', async () => {
    const { intents } = testStore.store;
    const batch = hashOf(90);
    const memberOf = async (number: number) => {
      const change = { operation: 'authorize_unwind', orderHash: batch, plan: { kind: 'member', batch } };
      return (await intents.prepare(intentOf(number, change))).intent.id;
    };
    const [first, second, ended] = [await memberOf(91), await memberOf(92), await memberOf(93)];
    const { intent } = await intents.prepare(intentOf(90, { subject: batch, operation: 'authorize_batch' }));
    await intents.change({ id: ended, from: ['prepared'], to: 'dropped', nowMs: sampleNowMs });
    const read = async () => {
      const records = await Promise.all([first, second, ended].map((id) => intents.byId(id)));
      return records.map((record) => [record?.state, record?.transactionHash, record?.blockNumber]);
    };
    const fees = { maxFeePerGasWei: 1n, maxPriorityFeeWei: 1n, createdAtMs: sampleNowMs };
    await intents.addTransaction({ intentId: intent.id, hash: hashOf(94), rawTransaction: '0x02', ...fees });
    const dropped = ['dropped', null, null];
    const pending = ['signed', hashOf(94), null];
    expect(await read()).toEqual([pending, pending, dropped]);
    const included = { transactionHash: hashOf(95), blockNumber: 7n };
    const change = { id: intent.id, nowMs: sampleNowMs, to: 'included', ...included } as const;
    expect(await intents.change({ ...change, from: ['prepared'] })).toBe(false);
    expect(await intents.change({ ...change, from: ['signed'] })).toBe(true);
    const mined = ['included', hashOf(95), 7n];
    expect(await read()).toEqual([mined, mined, dropped]);
    const followed = new Set((await intents.followed(sampleNowMs)).map(({ id }) => id));
    expect([followed.has(intent.id), followed.has(first)]).toEqual([true, false]);
    for (const [from, to] of [
      ['included', 'reorged'],
      ['reorged', 'replaced'],
      ['replaced', 'included'],
      ['included', 'final'],
    ] as const) {
      await intents.change({ id: intent.id, nowMs: sampleNowMs, from: [from], to });
      expect((await read()).map(([state]) => state)).toEqual([to, to, 'dropped']);
    }
  });

  test('members of a batch that was never signed are dropped with it', async () => {
    const { intents } = testStore.store;
    const batch = hashOf(96);
    const member = await intents.prepare(intentOf(97, { operation: 'authorize_close', orderHash: batch }));
    const { intent } = await intents.prepare(intentOf(96, { subject: batch, operation: 'authorize_batch' }));
    const outcome = { revert: 'signer_gone' };
    expect(await intents.dropUnsigned({ id: intent.id, nowMs: sampleNowMs, outcome })).toBe(true);
    expect(await intents.byId(member.intent.id)).toMatchObject({ state: 'dropped', outcome });
    const again = { plan: {}, lockName: 'lock', fenceToken: 100n, nowMs: sampleNowMs };
    expect(await intents.reopen(member.intent.id, again)).toMatchObject({ state: 'prepared', orderHash: null });
  });

  test('concurrent callers get nonces without gap or repetition', async () => {
    const { intents } = testStore.store;
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
    const nonces = new Set(assigned);
    expect([...nonces].sort((remaining, right) => Number(remaining) - Number(right))).toEqual(
      Array.from({ length: 12 }, (_, index) => 7 + index),
    );
    expect(await intents.raiseNonce(signerAddress, 0)).toBe(19);
    expect((await intents.nonceOwners(signerAddress, 7)).map(({ nonce }) => nonce)).toEqual(
      [...nonces].toSorted((remaining, right) => remaining - right),
    );
    const { intent: gap } = await intents.prepare(intentOf(200));
    await intents.pinNonce({ id: gap.id, signerAddress, nonce: 19, nowMs: sampleNowMs });
    expect((await intents.nonceOwners(signerAddress, 19)).map(({ id }) => id)).toEqual([gap.id]);
    expect(await intents.raiseNonce(signerAddress, 0)).toBe(20);
  });

  test('a nonce of another signer is not handed on, and what was dropped takes no transaction', async () => {
    const { intents } = testStore.store;
    const [first, second] = [walletOf(2), walletOf(3)];
    for (const signerAddress of [first, second]) await intents.raiseNonce(signerAddress, 1);
    const { intent } = await intents.prepare(intentOf(300));
    expect(await intents.assignNonce({ id: intent.id, signerAddress: first, nowMs: sampleNowMs })).toBe(1);
    const foreign = intents.assignNonce({ id: intent.id, signerAddress: second, nowMs: sampleNowMs });
    await expect(foreign).rejects.toThrow(StaleLeaseError);
    expect(await intents.raiseNonce(second, 0)).toBe(1);
    expect(await intents.dropUnsigned({ id: intent.id, nowMs: sampleNowMs, outcome: {} })).toBe(true);
    const late = intents.addTransaction({
      intentId: intent.id,
      hash: hashOf(300),
      rawTransaction: '0x02',
      maxFeePerGasWei: 1n,
      maxPriorityFeeWei: 1n,
      createdAtMs: sampleNowMs,
    });
    await expect(late).rejects.toThrow(StaleLeaseError);
    expect(await intents.transactions(intent.id)).toEqual([]);
  });

  test('raw transactions are stored before sending, cheapest first', async () => {
    const { intents } = testStore.store;
    const { intent } = await intents.prepare(intentOf(3));
    const transactionOf = (number: number): SignedTransaction => ({
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
    await intents.markBroadcast({ id: intent.id, hash: hashOf(10), nowMs: sampleNowMs });
    expect(await intents.byId(intent.id)).toMatchObject({ state: 'broadcast', transactionHash: hashOf(10) });
    await intents.change({ id: intent.id, from: ['broadcast'], to: 'included', nowMs: sampleNowMs });
    await intents.markBroadcast({ id: intent.id, hash: hashOf(20), nowMs: sampleNowMs });
    expect(await intents.byId(intent.id)).toMatchObject({ state: 'included', transactionHash: hashOf(10) });
  });
});

describe('locks', () => {
  test('have one holder, and a replaced holder prepares nothing', async () => {
    const { locks, intents } = testStore.store;
    const leases = await Promise.all(Array.from({ length: 6 }, () => locks.tryAcquire(['lock-2'])));
    const acquired = leases.flat();
    expect(acquired.length).toBe(1);
    const [first] = acquired;
    await first?.release();
    expect(first?.signal.aborted).toBe(true);
    const [second] = await locks.tryAcquire(['lock-2']);
    expect(second?.fenceToken).toBeGreaterThan(first?.fenceToken ?? 0n);
    expect(await locks.fenceToken('lock-2')).toBe(second?.fenceToken);
    // What was released takes nothing from who has it now.
    await first?.release();
    expect(second?.signal.aborted).toBe(false);
    const stale = intentOf(4, { lockName: 'lock-2', fenceToken: first?.fenceToken ?? 0n });
    await expect(intents.prepare(stale)).rejects.toThrow(StaleLeaseError);
    expect((await intents.prepare({ ...stale, fenceToken: second?.fenceToken ?? 0n })).created).toBe(true);
    const { intent } = await intents.prepare({ ...stale, fenceToken: second?.fenceToken ?? 0n });
    const dropped = { id: intent.id, from: ['prepared'], to: 'dropped', nowMs: sampleNowMs } as const;
    await intents.change({ ...dropped, outcome: { count: 1 } });
    await expect(intents.reopen(intent.id, stale)).rejects.toThrow(StaleLeaseError);
    const again = { ...stale, fenceToken: second?.fenceToken ?? 0n, plan: { salt: 6n } };
    const reopened = { id: intent.id, state: 'prepared', plan: { salt: 6n }, outcome: { count: 1 } };
    expect(await intents.reopen(intent.id, again)).toMatchObject(reopened);
    expect(await intents.reopen(intent.id, { ...again, plan: { salt: 7n } })).toMatchObject(reopened);
    await second?.release();
    expect(await locks.fenceToken('lock-none')).toBe(0n);
  });

  test('acquires the free ones of several, on one connection per process', async () => {
    const other = openStore({ databaseUrl: testStore.database.databaseUrl });
    const names = ['lock-4', 'lock-5', 'lock-6'];
    const [acquired] = await other.locks.tryAcquire(['lock-5']);
    const ownLeases = await testStore.store.locks.tryAcquire(names);
    expect(ownLeases.map(({ name }) => name).toSorted()).toEqual(['lock-4', 'lock-6']);
    expect(await other.locks.tryAcquire(names)).toEqual([]);
    expect(await testStore.store.locks.tryAcquire(names)).toEqual([]);
    const holders = await execute(
      testStore.database.databaseUrl,
      `SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND database =
         (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(holders).toHaveLength(2);
    await acquired?.release();
    const [next] = await testStore.store.locks.tryAcquire(names);
    expect(next?.name).toBe('lock-5');
    for (const lease of [...ownLeases, next]) await lease?.release();
    expect((await other.locks.tryAcquire(names)).length).toBe(3);
    // A process that ends leaves its locks to the others.
    await other.close();
    const remaining = await vi.waitUntil(
      async () => {
        const leases = await testStore.store.locks.tryAcquire(['lock-6']);
        return leases.length > 0 ? leases : null;
      },
      { timeout: 30_000 },
    );
    for (const lease of remaining) await lease.release();
  });

  test('a connection that dies ends every lease of its process, and all of them are free again', async () => {
    const { locks } = testStore.store;
    const leases = await locks.tryAcquire(['lock-3', 'lock-7']);
    expect(leases).toHaveLength(2);
    await execute(
      testStore.database.databaseUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
         (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await expect.poll(() => leases.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    const next = await vi.waitUntil(
      async () => {
        const again = await locks.tryAcquire(['lock-3', 'lock-7']);
        return again.length > 0 ? again : null;
      },
      { timeout: 30_000 },
    );
    expect(next.map(({ name }) => name).toSorted()).toEqual(['lock-3', 'lock-7']);
    for (const lease of next) await lease.release();
  });
});

describe('heartbeats', () => {
  test('keep the last report and the last success', async () => {
    const { heartbeats } = testStore.store;
    await heartbeats.report({ name: 'keeper', nowMs: sampleNowMs, succeeded: true });
    await heartbeats.report({ name: 'keeper', nowMs: sampleNowMs + 5, succeeded: false, detail: { task: 'index' } });
    const record = {
      name: 'keeper',
      lastHeartbeatAtMs: sampleNowMs + 5,
      lastSuccessAtMs: sampleNowMs,
      detail: { task: 'index' },
    };
    expect(await heartbeats.byName('keeper')).toEqual(record);
    expect(await heartbeats.all()).toEqual([record]);
    expect(await heartbeats.byName('none')).toBeNull();
  });
});
