import { expect, test } from 'vitest';
import type { Token } from '../generated/resources.ts';
import { tokenCredential } from './credential.ts';

const lifeMs = 3_600_000;

/** Build a source of numbered tokens with a clock and the number of its calls. */
function sourceOf(expiryOf = (nowMs: number): string => new Date(nowMs + lifeMs).toISOString()) {
  let nowMs = 0;
  let count = 0;
  const source = async (): Promise<Token> => {
    count += 1;
    const token = `token-${count}`;
    await Promise.resolve();
    return { token, expires_at: expiryOf(nowMs) } as Token;
  };
  const credential = tokenCredential(source, { nowMs: () => nowMs });
  const passMs = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  return { credential, passMs, count: () => count };
}

const twenty = <T>(call: () => Promise<T>): Promise<readonly T[]> => Promise.all(Array.from({ length: 20 }, call));

test('a token: twenty calls at its start and twenty at its end → one token each', async () => {
  const { credential, passMs, count } = sourceOf();
  expect(new Set(await twenty(credential.authorization))).toEqual(new Set(['Bearer token-1']));
  passMs(lifeMs - 59_000);
  expect(new Set(await twenty(credential.authorization))).toEqual(new Set(['Bearer token-2']));
  expect(count()).toBe(2);
});

test('a token: refused to twenty calls in sequence → one new token', async () => {
  const { credential, count } = sourceOf();
  const texts = await twenty(credential.authorization);
  const next = [];
  for (const text of texts) {
    expect(credential.refused(text)).toBe(true);
    next.push(credential.authorization());
    await Promise.resolve();
  }
  expect(new Set(await Promise.all(next))).toEqual(new Set(['Bearer token-2']));
  for (const text of texts) credential.refused(text);
  expect(await credential.authorization()).toBe('Bearer token-2');
  expect(count()).toBe(2);
});

test('a token: expiry announced on twenty streams → one new token; again when it expires → another', async () => {
  const { credential, passMs, count } = sourceOf();
  await credential.token();
  passMs(lifeMs - 300_000);
  expect(new Set(await twenty(credential.renewed))).toEqual(new Set(['token-2']));
  passMs(lifeMs - 300_000);
  expect(await credential.renewed()).toBe('token-3');
  expect(count()).toBe(3);
});

test('a token: short-lived → twenty concurrent calls share one', async () => {
  const { credential, count } = sourceOf((nowMs) => new Date(nowMs + 30_000).toISOString());
  expect(new Set(await twenty(credential.authorization))).toEqual(new Set(['Bearer token-2']));
  expect(count()).toBe(2);
});

test('a token source: returns no token → a typed error, the next call asks again', async () => {
  const answers: unknown[] = [undefined, { token: 'late', expires_at: '9999-01-01T00:00:00Z' }];
  const credential = tokenCredential(async () => answers.shift() as Token, { nowMs: () => 0 });
  await expect(credential.authorization()).rejects.toMatchObject({ code: 'invalid_input', field: 'asUser' });
  expect(await credential.authorization()).toBe('Bearer late');
});
