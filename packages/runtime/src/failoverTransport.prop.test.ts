import * as fc from 'fast-check';
import { custom } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failoverTransport } from './failoverTransport.ts';
import { NodeHealth } from './nodeHealth.ts';

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
    { retryCount: 0 },
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

/** Heads of nodes as a test moves them, and the node that answered last by method. */
function nodesAt(...heads: number[]) {
  const answeredBy = new Map<string, number>();
  const requestCounts = heads.map(() => 0);
  const transports = heads.map((_, index) =>
    custom({
      request: ({ method }: { readonly method: string }) => {
        answeredBy.set(method, index);
        requestCounts[index] = (requestCounts[index] ?? 0) + 1;
        return Promise.resolve(`0x${(heads[index] ?? 0).toString(16)}`);
      },
    }),
  );
  const health = new NodeHealth(heads.length);
  const heading = failoverTransport(transports, { retryCount: 0, health })({});
  const reading = failoverTransport(transports, { retryCount: 0, health })({});
  return {
    heads,
    health,
    requestCounts,
    head: async () => Number(await heading.request({ method: 'eth_blockNumber' })),
    /** Node that answers a client that shares the health of the nodes and reads no heads. */
    reader: async () => {
      await reading.request({ method: 'eth_call' });
      return answeredBy.get('eth_call');
    },
  };
}

/** Polls of the head as a program makes them, with a block every two seconds at the nodes of `moving`. */
async function poll(nodes: ReturnType<typeof nodesAt>, moving: readonly number[], durationMs: number) {
  let head = 0;
  for (let atMs = 0; atMs < durationMs; atMs += 500) {
    if (atMs % 2_000 === 0) for (const index of moving) nodes.heads[index] = (nodes.heads[index] ?? 0) + 1;
    await vi.advanceTimersByTimeAsync(500);
    head = await nodes.head();
  }
  return head;
}

test('nodes: the first stands still → the second gives the head, and the answers of other clients', async () => {
  const nodes = nodesAt(100, 100);
  expect(await poll(nodes, [0, 1], 20_000)).toBe(110);
  expect(nodes.requestCounts[1]).toBe(0);
  expect(await nodes.reader()).toBe(0);
  expect(nodes.health.state).toEqual({ count: 2, answeringCount: 2, serving: 1 });
  expect(await poll(nodes, [1], 14_000)).toBe(117);
  expect(await nodes.reader()).toBe(1);
  expect(nodes.health.state).toEqual({ count: 2, answeringCount: 1, serving: 2 });
  // It stays so for as long as the first one is behind, with a few probes of it.
  const before = nodes.requestCounts[0] ?? 0;
  expect(await poll(nodes, [1], 300_000)).toBe(267);
  expect((nodes.requestCounts[0] ?? 0) - before).toBeLessThan(15);
  expect(await nodes.reader()).toBe(1);
  // The first one is first again within a minute.
  nodes.heads[0] = nodes.heads[1] ?? 0;
  await poll(nodes, [0, 1], 64_000);
  expect(await nodes.reader()).toBe(0);
  expect(nodes.health.state).toEqual({ count: 2, answeringCount: 2, serving: 1 });
});

test('nodes: all stand still, as on a quiet chain → the first keeps answering', async () => {
  const nodes = nodesAt(100, 100, 99);
  expect(await poll(nodes, [], 60_000)).toBe(100);
  expect(await nodes.reader()).toBe(0);
});

test('nodes: heads of any pace → once one node has moved on for ten seconds, its head is given', async () => {
  const paces = fc.array(fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), { minLength: 2, maxLength: 4 });
  const law = fc.asyncProperty(paces, async (moves) => {
    const nodes = nodesAt(...moves.map(() => 50));
    for (let step = 0; step < 12; step += 1) {
      const moving = moves.flatMap((steps, index) => (steps[step] === true ? [index] : []));
      await poll(nodes, moving, 4_000);
    }
    // The furthest node moves on alone.
    const furthest = nodes.heads.indexOf(Math.max(...nodes.heads));
    await poll(nodes, [furthest], 80_000);
    expect(await nodes.head()).toBe(nodes.heads[furthest]);
    expect(await nodes.reader()).toBe(furthest);
  });
  await fc.assert(law, { numRuns: 50 });
});

test('nodes: a quiet chain and a second node that hangs → the head waits for a handful of probes of it alone', async () => {
  const nodes = [custom({ request: () => Promise.resolve('0x64') }), custom({ request: late })];
  const transport = failoverTransport(nodes, { retryCount: 0 })({});
  let lateCount = 0;
  const head = async (): Promise<void> => {
    const startMs = performance.now();
    expect(await transport.request({ method: 'eth_blockNumber' })).toBe('0x64');
    if (performance.now() - startMs > intervalMs) lateCount += 1;
  };
  for (let atMs = 0; atMs < spanMs; atMs += intervalMs) {
    void head();
    await vi.advanceTimersByTimeAsync(intervalMs);
  }
  await vi.advanceTimersByTimeAsync(timeoutMs);
  expect(lateCount).toBeLessThanOrEqual(timeoutMs / intervalMs + 8);
});
