import type { LimitStore } from '@core/store';
import { afterEach, expect, test } from 'vitest';
import { codeOf, send, startTestApi, type TestApi } from '../testing/startTestApi.ts';
import { unlimited } from '../testing/unlimited.ts';

let api: TestApi | null = null;
afterEach(async () => {
  await api?.close();
  api = null;
});

/** Buckets that answer only when they are opened: everything that was taken in is under way until then. */
function gate() {
  const opening = Promise.withResolvers<undefined>();
  let waitingCount = 0;
  const limits: LimitStore = {
    ...unlimited,
    consume: async (bucket, subject) => {
      waitingCount += 1;
      await opening.promise;
      return unlimited.consume(bucket, subject);
    },
  };
  return { limits, open: () => opening.resolve(undefined), waitingCount: () => waitingCount };
}

test('F29: refuses requests above the capacity and answers the admitted ones', async () => {
  const { limits, open, waitingCount } = gate();
  const service = await startTestApi({ limits });
  api = service;
  let refusedCount = 0;
  const calls = Array.from({ length: 700 }, async () => {
    const answer = await service.call('/contract-info');
    if (answer.status === 429) refusedCount += 1;
    return answer;
  });
  await expect.poll(() => waitingCount() + refusedCount, { timeout: 60_000 }).toBe(700);
  expect(refusedCount).toBeGreaterThan(0);
  // The pages that a balancer reads stay open.
  expect((await send(`${service.api.origin}/healthz`, {})).status).toBe(200);
  open();
  const answers = await Promise.all(calls);
  const refusals = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(700 - refusedCount);
  expect(refusals.every((answer) => codeOf(answer) === 'too_many_requests')).toBe(true);
  for (const { headers } of refusals) {
    const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
    const [limit, ...rest] = names.map((name) => Number(headers.get(name) ?? Number.NaN));
    // The room of the process: no bucket of a caller's was charged.
    expect(limit).toBeGreaterThanOrEqual(64);
    expect(limit).toBeLessThanOrEqual(256);
    expect(rest).toEqual([0, 1, 1]);
  }
  // There is room again.
  expect((await service.call('/contract-info')).status).toBe(200);
});

test('F29: a stopping service answers admitted requests', async () => {
  const { limits, open, waitingCount } = gate();
  const service = await startTestApi({ limits });
  const calls = Array.from({ length: 20 }, () => service.call('/contract-info'));
  await expect.poll(waitingCount, { timeout: 60_000 }).toBe(20);
  const closing = service.close();
  open();
  const answers = await Promise.all(calls);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await closing;
});
