import { createTestDatabase, type TestDatabase } from '@core/store/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';
import { bucketOf, failedCredentialChargesOf } from './rateLimit.ts';

let api: TestApi;
// Held open so that the database server outlives the single tests.
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  api = await startTestApi({ limits: 'real' });
});
afterEach(() => api.close());

const statusesOf = async (count: number, authorization?: string): Promise<readonly number[]> => {
  const request = authorization === undefined ? {} : { authorization };
  const answers = await Promise.all(Array.from({ length: count }, () => api.call('/contract-info', request)));
  return answers.map(({ status }) => status);
};

describe('an address whose bucket is empty', () => {
  test('by requests without a credential: a new token and a new key from it are accepted', async () => {
    const token = await api.userOf(wallets.alice);
    const key = api.keyOf(1);
    const statuses = await statusesOf(40);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    for (const authorization of [token, key]) {
      const answer = await api.call('/markets', { authorization });
      expect(answer.status).toBe(200);
    }
    // Strangers stay refused.
    expect(await statusesOf(1)).toEqual([429]);
  });

  test('by wrong tokens: a new token is accepted, a new key is not looked up', async () => {
    const token = await api.userOf(wallets.alice);
    const statuses = await statusesOf(40, `${token}x`);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect((await api.call('/markets', { authorization: token })).status).toBe(200);
    expect((await api.call('/markets', { authorization: api.keyOf(1) })).status).toBe(429);
  });

  test('by a flood of wrong tokens: no new token is verified until the window ends', async () => {
    const token = await api.userOf(wallets.alice);
    const charge = failedCredentialChargesOf('127.0.0.1').token;
    const bucket = bucketOf(charge);
    // All but the last of a flood that fits no window on a busy machine.
    await Promise.all(
      Array.from({ length: charge.throttle.requests - 1 }, () => api.store.limits.consume(bucket, charge.subject)),
    );
    await statusesOf(2, `${token}x`);
    const refusal = await api.call('/markets', { authorization: token });
    expect([refusal.status, refusal.headers.get('x-ratelimit-limit')]).toEqual([429, '600']);
  });
});
