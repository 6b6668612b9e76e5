import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportKeeper } from '../testing/aheadKeeper.ts';
import { quoteBody as body } from '../testing/quoteBody.ts';
import { codeOf, fieldOf, startTestApi, type TestAnswer, type TestApi, wallets } from '../testing/startTestApi.ts';

const hourMs = 3_600_000;
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ limits: 'real' });
});
afterAll(() => api.close());

/** Send until the strict bucket of the wallet, which runs on the system's clock, has room again. */
async function admitted(request: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const headerOf = (answer: TestAnswer, name: string): number => Number(answer.headers.get(`x-ratelimit-${name}`));

/** Two hours ahead between two requests of one window of the bucket: a token valid then, and what the bucket lost. */
async function jumpWithinOneWindow(authorization: string): Promise<{ next: string; taken: number }> {
  for (;;) {
    const before = await api.call('/positions', { authorization });
    api.clock.advanceMs(2 * hourMs);
    const next = await api.userOf(wallets.alice);
    const after = await api.call('/positions', { authorization: next });
    if (headerOf(after, 'reset') <= headerOf(before, 'reset')) {
      return { next, taken: headerOf(before, 'remaining') - headerOf(after, 'remaining') };
    }
    api.clock.advanceMs(-2 * hourMs);
  }
}

const secondsOf = (answer: TestAnswer): number => Number(fieldOf(answer.body, 'signature_expiry'));

test('F30: a clock that jumps ends what is over on it, and neither frees a bucket nor gives an answer twice', async () => {
  const start = api.clock.nowMs();
  const early = await api.userOf(wallets.alice);
  const keyed = (authorization: string) => () =>
    api.call('/quotes', { authorization, body, headers: { 'Idempotency-Key': 'over the jump' } });
  const first = await admitted(keyed(early));
  expect([first.status, secondsOf(first)]).toEqual([201, Math.floor(start / 1_000) + 15]);
  const draft = await admitted(() => api.call('/draft-quotes', { authorization: early, body }));

  // Two hours ahead at once: the token is over, the keeper counts as silent, and the bucket stays as it was.
  const { next, taken } = await jumpWithinOneWindow(early);
  expect(taken).toBe(1);
  const late = await api.call('/positions', { authorization: early });
  expect([late.status, codeOf(late)]).toEqual([401, 'unauthorized']);
  const silent = await admitted(() => api.call('/quotes', { authorization: next, body }));
  expect([silent.status, codeOf(silent)]).toEqual([503, 'quote_creation_disabled']);
  await reportKeeper(api.store.heartbeats, { nowMs: api.clock.nowMs() });
  await expect
    .poll(async () => (await admitted(() => api.call('/quotes', { authorization: next, body }))).status)
    .toBe(201);
  expect((await admitted(keyed(next))).text).toBe(first.text);

  // A day on, the draft and the kept answer are over.
  api.clock.advanceMs(24 * hourMs);
  const other = await api.userOf(wallets.alice);
  const promoted = await admitted(() =>
    api.call(`/promoted-quotes/${String(fieldOf(draft.body, 'id'))}`, { authorization: other, body: {} }),
  );
  expect([promoted.status, codeOf(promoted)]).toEqual([404, 'not_found']);
  await reportKeeper(api.store.heartbeats, { nowMs: api.clock.nowMs() });
  await expect.poll(async () => (await admitted(keyed(other))).headers.get('idempotent-replayed')).toBe(null);

  // All the way back: what was signed ahead of the clock is valid, and a quote expires after its own moment.
  api.clock.setMs(start);
  expect((await api.call('/positions', { authorization: other })).status).toBe(200);
  const again = await admitted(() => api.call('/quotes', { authorization: other, body }));
  expect([again.status, secondsOf(again)]).toEqual([201, Math.floor(start / 1_000) + 15]);
});
