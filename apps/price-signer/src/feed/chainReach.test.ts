import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChainReach } from './chainReach.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const startMs = 1_000_000_000;

/** Poll of a chain whose last block has the age that the test sets; null while no node answers. */
async function openOn(firstAgeMs: number | null) {
  const node = { ageMs: firstAgeMs, readCount: 0 };
  const clock = { nowMs: () => startMs + performance.now() };
  const client = {
    getBlock: () => {
      node.readCount += 1;
      return node.ageMs === null
        ? Promise.reject(new Error('no answer'))
        : Promise.resolve({ timestamp: BigInt(Math.round((clock.nowMs() - node.ageMs) / 1_000)) });
    },
  };
  const chain = await ChainReach.open({
    client: client as object as Parameters<typeof ChainReach.open>[0]['client'],
    clock,
    maxHeadAgeMs: 20_000,
    intervalMs: 1,
  });
  const after = async (seconds: number, grows: boolean): Promise<boolean> => {
    for (let second = 0; second < seconds; second += 1) {
      if (grows && node.ageMs !== null) node.ageMs += 1_000;
      vi.advanceTimersByTime(1_000);
      const { readCount } = node;
      await vi.waitUntil(() => node.readCount > readCount + 1, { interval: 1 });
    }
    return chain.isReached;
  };
  return { chain, node, after };
}

test('chain: blocks come → reached, from the start on', async () => {
  const { chain, after } = await openOn(1_000);
  expect(chain.isReached).toBe(true);
  expect(await after(60, false)).toBe(true);
  chain.close();
});

test('chain: it answers, and its head stands still → not reached, with its age; blocks come again → reached', async () => {
  const { chain, node, after } = await openOn(0);
  expect(await after(18, true)).toBe(true);
  expect(await after(8, true)).toBe(false);
  expect(chain.ageMs).toBeLessThan(10_000);
  expect(chain.head.headAgeMs).toBeGreaterThan(20_000);
  node.ageMs = 0;
  expect(await after(4, false)).toBe(true);
  chain.close();
});

test('chain: the head is too old at the start, as after a restart → not reached at once', async () => {
  const { chain } = await openOn(60_000);
  expect(chain.isReached).toBe(false);
  chain.close();
});

test('chain: no node answers → not reached after ten seconds, and at once where none ever did', async () => {
  const { chain, node, after } = await openOn(0);
  node.ageMs = null;
  expect(await after(12, false)).toBe(false);
  chain.close();
  const never = await openOn(null);
  expect(never.chain.isReached).toBe(false);
  never.chain.close();
});

test('chain: pauses of every kind, in which no node answers or the head stands still → reached again once blocks come', async () => {
  const pause = fc.record({
    kind: fc.constantFrom('moves', 'silent', 'still'),
    seconds: fc.integer({ min: 1, max: 40 }),
  });
  const law = fc.asyncProperty(fc.array(pause, { maxLength: 4 }), async (pauses) => {
    const { chain, node, after } = await openOn(0);
    for (const { kind, seconds } of pauses) {
      node.ageMs = kind === 'silent' ? null : 0;
      await after(seconds, kind === 'still');
    }
    node.ageMs = 0;
    expect(await after(4, false)).toBe(true);
    chain.close();
  });
  await fc.assert(law, { numRuns: 20 });
});
