import * as fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { type CallOperation, intentTable } from '../transactions/intentTable.ts';
import { RefusedCalls } from './refusedCalls.ts';

const isCallName = (name: string): name is CallOperation => name in intentTable && name !== 'defer_close';
const operations = Object.keys(intentTable).filter(isCallName);
const refusal = { kind: 'refused', revert: 'Paused' };
const acceptance = { kind: 'included' };
const firstMs = 300;
const longestMs = 30_000;

/** Attempts of a call that is refused for a while and polled at these intervals, with the time as the only clock. */
function attemptsOf(operation: CallOperation, { refusedMs, pollMs }: { refusedMs: number; pollMs: number }) {
  let nowMs = 0;
  const metrics = createKeeperMetrics();
  const calls = new RefusedCalls({ logger: pino({ level: 'silent' }), metrics, now: () => nowMs });
  const call = { positionKey: '0x01', operation };
  const atMs: number[] = [];
  for (; ; nowMs += pollMs) {
    if (calls.remainingMs(call) > 0) continue;
    atMs.push(nowMs);
    if (calls.record(call, nowMs < refusedMs ? refusal : acceptance) === null) return { calls, call, metrics, atMs };
  }
}

test('law: a call that stays refused is tried less and less often, and once more soon after the cause is gone', () => {
  const times = fc.record({
    operation: fc.constantFrom(...operations),
    refusedMs: fc.integer({ min: 1, max: 600_000 }),
    pollMs: fc.integer({ min: 50, max: 1_000 }),
  });
  fc.assert(
    fc.property(times, ({ operation, ...world }) => {
      const { atMs, calls, call } = attemptsOf(operation, world);
      const pauses = atMs.slice(1).map((at, index) => at - (atMs[index] ?? 0));
      for (const [index, pauseMs] of pauses.entries()) {
        const expectedMs = Math.min(longestMs, firstMs * 2 ** index);
        expect(pauseMs).toBeGreaterThanOrEqual(expectedMs);
        expect(pauseMs).toBeLessThan(expectedMs + world.pollMs);
      }
      expect(atMs.filter((at) => at < 60_000).length).toBeLessThan(10);
      expect((atMs.at(-1) ?? 0) - world.refusedMs).toBeLessThanOrEqual(longestMs + world.pollMs);
      expect(calls.remainingMs(call)).toBe(0);
    }),
  );
});

test('a refusal concerns one position and operation, and counts for an operator from the seventh in a row', async () => {
  let nowMs = 0;
  const metrics = createKeeperMetrics();
  const calls = new RefusedCalls({ logger: pino({ level: 'silent' }), metrics, now: () => nowMs });
  const call = { positionKey: '0x01', operation: 'finalize_close' } as const;
  const refusedCount = async () => {
    calls.measure();
    return (await metrics.refusedCalls.get()).values[0]?.value;
  };
  for (let count = 1; count < 7; count += 1) nowMs += calls.record(call, refusal) ?? 0;
  expect(await refusedCount()).toBe(0);
  calls.record(call, { kind: 'reverted' });
  expect(await refusedCount()).toBe(1);
  expect(calls.remainingMs({ ...call, positionKey: '0x02' })).toBe(0);
  expect(calls.remainingMs({ ...call, operation: 'settle' })).toBe(0);
  expect(calls.record(call, acceptance)).toBeNull();
  expect(await refusedCount()).toBe(0);
});
