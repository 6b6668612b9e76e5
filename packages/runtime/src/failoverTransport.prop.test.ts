import { custom } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failoverTransport } from './failoverTransport.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const timeoutMs = 5_000;
const spanMs = 120_000;
const intervalMs = 100;

const late = (): Promise<never> =>
  new Promise((_resolve, reject) => setTimeout(() => reject(new Error('no answer in time')), timeoutMs));

/** Two minutes of calls, ten a second, to nodes of which the first answers as the test says. */
async function callFor(first: () => Promise<unknown>) {
  const counts = { first: 0, second: 0, late: 0 };
  const transport = failoverTransport(
    [
      custom({
        request: () => {
          counts.first += 1;
          return first();
        },
      }),
      custom({
        request: () => {
          counts.second += 1;
          return Promise.resolve('0x1');
        },
      }),
    ],
    0,
  )({});
  const call = async (): Promise<void> => {
    const startMs = performance.now();
    await transport.request({ method: 'eth_gasPrice' });
    if (performance.now() - startMs > intervalMs) counts.late += 1;
  };
  for (let atMs = 0; atMs < spanMs; atMs += intervalMs) {
    void call();
    await vi.advanceTimersByTimeAsync(intervalMs);
  }
  await vi.advanceTimersByTimeAsync(timeoutMs);
  return counts;
}

test('nodes: the first never answers → calls of its first timeout are late, then a handful of probes', async () => {
  const counts = await callFor(late);
  expect(counts.second).toBe(spanMs / intervalMs);
  const firstCalls = timeoutMs / intervalMs;
  expect(counts.late).toBeLessThanOrEqual(firstCalls + 8);
  expect(counts.first).toBe(counts.late);
});

test('nodes: the first answers again after a while → it is the first again within a minute', async () => {
  let hasRecovered = false;
  setTimeout(() => {
    hasRecovered = true;
  }, spanMs / 4);
  const counts = await callFor(() => (hasRecovered ? Promise.resolve('0x2') : late()));
  expect(counts.first).toBeGreaterThan(spanMs / intervalMs / 4);
});
