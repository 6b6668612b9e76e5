import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, sampleNowMs, type TestStore } from '../../testing/index.ts';
import { openStore } from '../openStore.ts';

let opened: TestStore;
beforeAll(async () => {
  opened = await openTestStore(12);
});
afterAll(() => opened.close());

describe('idempotency', () => {
  const request = { scope: 'ptn_1/wallet/quotes', key: 'k', requestHash: 'h', nowMs: sampleNowMs };

  test('one of twenty starts, the answer is replayed for a day, another body is refused', async () => {
    const { idempotency } = opened.store;
    const starts = await Promise.all(Array.from({ length: 20 }, () => idempotency.begin(request)));
    expect(starts.filter(({ kind }) => kind === 'started').length).toBe(1);
    expect(starts.filter(({ kind }) => kind === 'in_progress').length).toBe(19);
    await idempotency.complete({ scope: request.scope, key: 'k', responseStatus: 201, responseBody: '{}' });
    expect(await idempotency.begin(request)).toEqual({ kind: 'replay', responseStatus: 201, responseBody: '{}' });
    expect(await idempotency.begin({ ...request, requestHash: 'other' })).toEqual({ kind: 'reused' });
    expect((await idempotency.begin({ ...request, scope: 'ptn_2/wallet/quotes' })).kind).toBe('started');
    const tomorrow = sampleNowMs + 24 * 3_600_000;
    expect((await idempotency.begin({ ...request, requestHash: 'other', nowMs: tomorrow })).kind).toBe('started');
  });

  test('a refusal keeps nothing, and a dead process blocks its key for a minute', async () => {
    const { idempotency } = opened.store;
    const other = { ...request, key: 'k2' };
    await idempotency.begin(other);
    await idempotency.abandon(other.scope, other.key);
    expect((await idempotency.begin({ ...other, requestHash: 'changed' })).kind).toBe('started');
    expect((await idempotency.begin({ ...other, requestHash: 'changed', nowMs: sampleNowMs + 59_999 })).kind).toBe(
      'in_progress',
    );
    expect((await idempotency.begin({ ...other, requestHash: 'changed', nowMs: sampleNowMs + 60_000 })).kind).toBe(
      'started',
    );
    expect(await idempotency.removeExpired(sampleNowMs + 48 * 3_600_000)).toBeGreaterThan(0);
  });
});

describe('limits', () => {
  test('exactly N of 200 parallel calls pass, across two processes', async () => {
    const second = openStore({ databaseUrl: opened.database.databaseUrl });
    const bucket = { name: 'key', points: 60, windowMs: 60_000 };
    const states = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? opened.store : second).limits.consume(bucket, 'ptn_1'),
      ),
    );
    await second.close();
    expect(states.filter(({ allowed }) => allowed).length).toBe(60);
    // By now the subject is known to be over its limit and is refused from memory.
    expect(await opened.store.limits.consume(bucket, 'ptn_1')).toMatchObject({ allowed: false, remaining: 0 });
    const remaining = states.filter(({ allowed }) => allowed).map((state) => state.remaining);
    expect(Math.min(...remaining)).toBe(0);
    expect(states.every(({ limit, resetMs }) => limit === 60 && resetMs > 0 && resetMs <= 60_000)).toBe(true);
    expect((await opened.store.limits.consume(bucket, 'ptn_2')).remaining).toBe(59);
    expect(await opened.store.limits.removeExpired(Date.now() + 61_000)).toBe(2);
  });
});

test('the store answers a ping', async () => {
  await expect(opened.store.ping()).resolves.toBeUndefined();
});
