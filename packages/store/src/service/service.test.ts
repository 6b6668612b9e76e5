import { randomBytes } from 'node:crypto';
import { sampleNowMs } from '@core/position/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, type TestStore } from '../../testing/index.ts';
import { openStore, type Store } from '../openStore.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore(12);
});
afterAll(() => testStore.close());

describe('idempotency', () => {
  const request = { scope: 'ptn_1/wallet/quotes', key: 'k', requestHash: 'h', nowMs: sampleNowMs };

  test('starts one of twenty, replays its answer for a day, refuses another body', async () => {
    const { idempotency } = testStore.store;
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

  test('a refusal frees its key; a dead process blocks its key for ten seconds', async () => {
    const { idempotency } = testStore.store;
    const other = { ...request, key: 'k2' };
    await idempotency.begin(other);
    await idempotency.abandon(other.scope, other.key);
    expect((await idempotency.begin({ ...other, requestHash: 'changed' })).kind).toBe('started');
    expect((await idempotency.begin({ ...other, requestHash: 'changed', nowMs: sampleNowMs + 9_999 })).kind).toBe(
      'in_progress',
    );
    expect((await idempotency.begin({ ...other, requestHash: 'changed', nowMs: sampleNowMs + 10_000 })).kind).toBe(
      'started',
    );
    const later = sampleNowMs + 48 * 3_600_000;
    expect(await idempotency.removeExpired(later, 1)).toBe(1);
    expect(await idempotency.removeExpired(later, 100)).toBeGreaterThan(0);
  });
});

/** A Redis of the machine that runs the tests; without one the tests below run in PostgreSQL alone. */
const redisUrl = process.env['TEST_REDIS_URL'];
const counters: readonly (readonly [string, string | undefined])[] =
  redisUrl === undefined
    ? [['PostgreSQL', undefined]]
    : [
        ['PostgreSQL', undefined],
        ['Redis', redisUrl],
      ];

describe.each(counters)('limits in %s', (_where, url) => {
  const open = (): Store =>
    openStore({ databaseUrl: testStore.database.databaseUrl, ...(url !== undefined && { redisUrl: url }) });
  // Redis outlives the test, so each run has subjects of its own.
  const subject = `ptn_${randomBytes(6).toString('hex')}`;

  test('exactly N of 200 parallel calls pass, across two processes', async () => {
    const [first, second] = [open(), open()];
    const bucket = { name: 'key', points: 60, windowMs: 60_000 };
    const states = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? first : second).limits.consume(bucket, subject)),
    );
    expect(states.filter(({ allowed }) => allowed).length).toBe(60);
    expect(await first.limits.consume(bucket, subject)).toMatchObject({ allowed: false, remaining: 0 });
    const remaining = states.filter(({ allowed }) => allowed).map((state) => state.remaining);
    expect(Math.min(...remaining)).toBe(0);
    expect(states.every(({ limit, resetMs }) => limit === 60 && resetMs > 0 && resetMs <= 60_000)).toBe(true);
    expect((await second.limits.consume(bucket, `${subject}_other`)).remaining).toBe(59);
    await Promise.all([first.close(), second.close()]);
  });

  test('a window ends, and a new one starts with the next call', async () => {
    const store = open();
    const bucket = { name: 'quotes', points: 1, windowMs: 1_000 };
    expect((await store.limits.consume(bucket, subject)).allowed).toBe(true);
    const isAllowed = async (): Promise<boolean> => (await store.limits.consume(bucket, subject)).allowed;
    await expect.poll(isAllowed, { interval: 100 }).toBe(true);
    await store.close();
  });
});

test('windows that ended are forgotten', async () => {
  const bucket = { name: 'gone', points: 1, windowMs: 60_000 };
  await testStore.store.limits.consume(bucket, 'ptn_gone');
  await testStore.store.limits.consume(bucket, 'ptn_gone_too');
  expect(await testStore.store.limits.removeExpired(Date.now() + 61_000, 1)).toBe(1);
  expect(await testStore.store.limits.removeExpired(Date.now() + 61_000, 100)).toBeGreaterThan(0);
});

test('while Redis cannot be reached, the database counts', async () => {
  const faults: unknown[] = [];
  const store = openStore({
    databaseUrl: testStore.database.databaseUrl,
    redisUrl: 'redis://127.0.0.1:9',
    onRedisFault: (cause) => faults.push(cause),
  });
  const bucket = { name: 'down', points: 3, windowMs: 60_000 };
  const states = await Promise.all(Array.from({ length: 8 }, () => store.limits.consume(bucket, 'ptn_1')));
  expect(states.filter(({ allowed }) => allowed)).toHaveLength(3);
  expect(faults.length).toBeGreaterThan(0);
  await store.close();
});

test('probeWrite: writes the time that it is given', async () => {
  const { store } = testStore;
  await store.probeWrite(sampleNowMs);
  await store.probeWrite(sampleNowMs + 1_000);
  expect(await store.heartbeats.byName('write probe')).toMatchObject({ lastHeartbeatAtMs: sampleNowMs + 1_000 });
});
