import { expect, test } from 'vitest';
import type { Token } from '../generated/resources.ts';
import { tokenCredential } from './credential.ts';

const lifeMs = 3_600_000;

/** Build a source of numbered tokens with a clock and the number of its calls. */
function sourceOf(expiryOf = (nowMs: number): string => new Date(nowMs + lifeMs).toISOString()) {
  let aheadMs = 0;
  let nowMs = 0;
  let count = 0;
  const source = async (): Promise<Token> => {
    count += 1;
    const token = `token-${count}`;
    await Promise.resolve();
    return { token, expires_at: expiryOf(nowMs) } as Token;
  };
  const credential = tokenCredential(source, { nowMs: () => nowMs + aheadMs, monotonicMs: () => nowMs });
  const passMs = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  /** Set the host's clock, which the service does not know. */
  const setAhead = (milliseconds: number): void => {
    aheadMs = milliseconds;
  };
  return { credential, passMs, setAhead, count: () => count };
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
  await credential.authorization();
  passMs(lifeMs - 300_000);
  expect(new Set(await twenty(credential.renewed))).toEqual(new Set(['token-2']));
  passMs(lifeMs - 300_000);
  expect(await credential.renewed()).toBe('token-3');
  expect(count()).toBe(3);
});

test.each([-7_200_000, 3_480_000, 3_600_000, 7_200_000, 864_000_000])(
  "a token: host's clock %d ms ahead → eight calls share one, a refusal renews it",
  async (aheadMs) => {
    const { credential, setAhead, count } = sourceOf();
    setAhead(aheadMs);
    for (let call = 0; call < 8; call += 1) expect(await credential.authorization()).toBe('Bearer token-1');
    credential.refused('Bearer token-1');
    expect(await credential.authorization()).toBe('Bearer token-2');
    expect(count()).toBe(2);
  },
);

test.each([-86_400_000, 86_400_000])('a token: clock set by %d ms in its life → renewed at its end', async (stepMs) => {
  const { credential, passMs, setAhead } = sourceOf();
  expect(await credential.authorization()).toBe('Bearer token-1');
  setAhead(stepMs);
  expect(await credential.authorization()).toBe('Bearer token-1');
  setAhead(stepMs / 1_000);
  passMs(lifeMs - 59_000);
  expect(await credential.authorization()).toBe('Bearer token-2');
});

test('a token: too short-lived to be renewed in time → twenty calls share one until its refusal', async () => {
  const { credential, count } = sourceOf((nowMs) => new Date(nowMs + 30_000).toISOString());
  expect(new Set(await twenty(credential.authorization))).toEqual(new Set(['Bearer token-1']));
  expect(count()).toBe(1);
});

test('a token source: returns no token → a typed error, the next call asks again', async () => {
  const answers: unknown[] = [undefined, { token: 'late', expires_at: '9999-01-01T00:00:00Z' }];
  const credential = tokenCredential(async () => answers.shift() as Token, { nowMs: () => 0, monotonicMs: () => 0 });
  await expect(credential.authorization()).rejects.toMatchObject({ code: 'invalid_input', field: 'asUser' });
  expect(await credential.authorization()).toBe('Bearer late');
});
