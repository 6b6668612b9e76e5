import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onlyFaults, pollRepeatedly } from './pollRepeatedly.ts';

interface Run {
  readonly durationMs: number;
  readonly isFailing: boolean;
}

/** Play the runs one after the other, then stop. */
async function play(runs: readonly Run[]) {
  const failures: unknown[] = [];
  let startedCount = 0;
  let underWay = 0;
  let maximumUnderWay = 0;
  let end: () => void = () => undefined;
  const played = new Promise<void>((resolve) => {
    end = resolve;
  });
  const polling = pollRepeatedly({
    intervalMs: 0,
    onFailure: (cause) => failures.push(cause),
    task: async () => {
      const index = startedCount;
      startedCount += 1;
      underWay += 1;
      maximumUnderWay = Math.max(maximumUnderWay, underWay);
      const run = runs[index];
      if ((run?.durationMs ?? 0) > 0) await delay(run?.durationMs);
      underWay -= 1;
      if (index + 1 >= runs.length) end();
      if (run?.isFailing === true) throw new Error(`run ${index}`);
    },
  });
  await played;
  await polling.stop();
  return { failures, startedCount: () => startedCount, underWay: () => underWay, maximumUnderWay };
}

const run = fc.record({ durationMs: fc.integer({ min: 0, max: 2 }), isFailing: fc.boolean() });

describe('polling', () => {
  test('polling: runs never overlap, each failure is reported once and in order, stop waits for the last run', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 12 }), async (runs) => {
        const { failures, startedCount, underWay, maximumUnderWay } = await play(runs);
        expect(maximumUnderWay).toBe(1);
        expect(underWay()).toBe(0);
        const failingRuns = runs.flatMap(({ isFailing }, index) => (isFailing ? [`run ${index}`] : []));
        expect(failures.slice(0, failingRuns.length).map((cause) => (cause as Error).message)).toEqual(failingRuns);
        const count = startedCount();
        expect(count).toBeGreaterThanOrEqual(runs.length);
        await delay(5);
        expect(startedCount()).toBe(count);
      }),
      { numRuns: 40 },
    );
  });

  test('polling: starts at once or after the first delay; stop ends a pause early', async () => {
    let count = 0;
    const task = async (): Promise<void> => {
      count += 1;
    };
    const onFailure = (): void => undefined;
    const atOnce = pollRepeatedly({ task, intervalMs: 1_000_000, onFailure });
    expect(count).toBe(1);
    const delayed = pollRepeatedly({ task, intervalMs: 1_000_000, firstDelayMs: 1_000_000, onFailure });
    await Promise.all([atOnce.stop(), delayed.stop()]);
    expect(count).toBe(1);
  });

  test('a failure the rule throws ends the polling, and stop rejects with it', async () => {
    let fail: (cause: unknown) => void = () => undefined;
    const polling = pollRepeatedly({
      intervalMs: 0,
      task: () => new Promise((_, reject) => (fail = reject)),
      onFailure: (cause) => {
        throw cause;
      },
    });
    const stop = polling.stop();
    fail(new TypeError('a bug'));
    await expect(stop).rejects.toThrow(TypeError);
  });

  test('an unhandled failure of the rule ends the process', () => {
    const module = JSON.stringify(new URL('pollRepeatedly.ts', import.meta.url).href);
    const program = `import { onlyFaults, pollRepeatedly } from ${module};
      const task = async () => { throw new TypeError('a bug'); };
      pollRepeatedly({ intervalMs: 1, task, onFailure: onlyFaults(() => {}) });`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain('a bug');
  });
});

describe('the rule for faults only', () => {
  test('reports a fault and throws anything else', () => {
    const reported: Fault[] = [];
    const rule = onlyFaults((fault) => reported.push(fault));
    const fault = new Fault({ origin: 'reference', kind: 'retryable', message: 'no answer' });
    rule(fault);
    expect(reported).toEqual([fault]);
    expect(() => rule(new TypeError('a bug'))).toThrow(TypeError);
    expect(() => rule('not even an error')).toThrow('not even');
  });
});
