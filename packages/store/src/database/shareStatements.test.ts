import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareStatements } from './shareStatements.ts';

/** Return shared statements that fail for some requests, with the requests of each run. */
function shared(failureOf: (requests: readonly number[]) => Error | null) {
  const runs: (readonly number[])[] = [];
  const ask = shareStatements<number, number>({
    keysOf: () => [],
    run: async (requests) => {
      runs.push(requests);
      await delay(1);
      const failure = failureOf(requests);
      if (failure !== null) throw failure;
      return requests.map((request) => 2 * request);
    },
  });
  const numbers = Array.from({ length: 32 }, (_, index) => index);
  return { runs, numbers, settled: () => Promise.allSettled(numbers.map(ask)) };
}

test('a request that fails is isolated by halves and does not fail the others', async () => {
  const failure = new Error('thirteen');
  const { runs, numbers, settled } = shared((requests) => (requests.includes(13) ? failure : null));
  expect(await settled()).toEqual(
    numbers.map((number) =>
      number === 13 ? { status: 'rejected', reason: failure } : { status: 'fulfilled', value: 2 * number },
    ),
  );
  // 32, 16, 8, 4, 2, 1, and the other half of each.
  expect(runs).toHaveLength(11);
});

test('a database failure rejects every request of the statement and is not repeated', async () => {
  const failure = Object.assign(new Error('the answer was lost'), { code: 'ECONNRESET' });
  const { runs, numbers, settled } = shared(() => failure);
  expect(await settled()).toEqual(numbers.map(() => ({ status: 'rejected', reason: failure })));
  expect(runs).toEqual([numbers]);
});
