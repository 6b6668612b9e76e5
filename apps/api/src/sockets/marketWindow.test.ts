import type { MarketEventRecord } from '@core/store';
import { socketLimits } from '@core/wire';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MarketWindow } from './marketWindow.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

let lastSequence = 0n;
function recordOf(
  marketId: string,
  changed: readonly string[],
  type: MarketEventRecord['type'] = 'market.updated',
): MarketEventRecord {
  lastSequence += 1n;
  return {
    id: `evt_${lastSequence}`,
    type,
    partnerId: null,
    walletAddress: null,
    positionId: null,
    marketId,
    payload: { ticker: marketId, changed, version: lastSequence },
    createdAtMs: 0,
    transactionId: lastSequence,
    sequence: lastSequence,
  };
}

/** A window, what it has sent, each sending apart, and how often the sending failed. */
function opened(failures: readonly Error[] = []) {
  const windows: (readonly MarketEventRecord[])[] = [];
  const failed: unknown[] = [];
  const window = new MarketWindow(
    async (records) => {
      await Promise.resolve();
      const failure = failures[failed.length];
      if (failure !== undefined) throw failure;
      windows.push(records);
    },
    (cause) => failed.push(cause),
  );
  return { window, windows, failed };
}

const { marketWindowMs } = socketLimits;
const pass = (spanMs: number): Promise<unknown> => vi.advanceTimersByTimeAsync(spanMs);

test('the first change goes out at once; of those within the window after it each market is announced once', async () => {
  const { window, windows } = opened();
  const first = recordOf('one', ['status']);
  window.add(first);
  await pass(0);
  expect(windows).toEqual([[first]]);
  const [again, other, last] = [recordOf('one', ['status']), recordOf('two', ['title']), recordOf('one', ['status'])];
  window.add(again);
  await pass(marketWindowMs / 2);
  window.add(other);
  window.add(last);
  await pass(marketWindowMs / 2 - 1);
  expect(windows).toHaveLength(1);
  await pass(1);
  expect(windows[1]).toEqual([other, last]);
  await pass(10 * marketWindowMs);
  expect(windows).toHaveLength(2);
});

test('drops a change only when a later one covers it; never a discovery', async () => {
  const { window, windows } = opened();
  const discovered = recordOf('one', [], 'market.discovered');
  const records = [
    discovered,
    recordOf('one', ['title']),
    recordOf('one', ['status']),
    recordOf('one', ['status', 'tags']),
  ];
  for (const record of records) window.add(record);
  await pass(0);
  expect(windows).toEqual([[discovered, records[1], records[3]]]);
});

test('a failed window is sent with the next one, before later events', async () => {
  const failure = new Error('the database is away');
  const { window, windows, failed } = opened([failure, failure]);
  const [covered, kept] = [recordOf('one', ['status']), recordOf('two', ['title'])];
  window.add(covered);
  window.add(kept);
  await pass(0);
  const later = recordOf('one', ['status', 'tags']);
  window.add(later);
  await pass(marketWindowMs);
  expect(windows).toEqual([]);
  await pass(marketWindowMs);
  expect(windows).toEqual([[kept, later]]);
  expect(failed).toEqual([failure, failure]);
});

test.each([0, 1, 2, 3, 4])(
  'of five events the one at %d fails for ever: the other four are sent, in order',
  async (bad) => {
    const records = ['a', 'b', 'c', 'd', 'e'].map((marketId) => recordOf(marketId, ['title']));
    const poison = records[bad];
    const windows: MarketEventRecord[] = [];
    const failed: unknown[] = [];
    const window = new MarketWindow(
      async (chosen) => {
        await Promise.resolve();
        if (chosen.some((record) => record === poison)) throw new Error('cannot be presented');
        windows.push(...chosen);
      },
      (cause) => failed.push(cause),
    );
    for (const record of records) window.add(record);
    await pass(10 * marketWindowMs);
    expect(windows).toEqual(records.filter((record) => record !== poison));
    const attempts = failed.length;
    // The next events are sent at the normal pace, and the poison is not retried.
    const next = recordOf('a', ['status']);
    window.add(next);
    await pass(marketWindowMs);
    expect([windows.at(-1), failed.length]).toEqual([next, attempts]);
  },
);

test('an event that does not say what changed: it is refused, and those of its market before and after are sent', async () => {
  const { window, windows } = opened();
  const [before, after] = [recordOf('one', ['title']), recordOf('one', ['status'])];
  window.add(before);
  for (const json of ['null', '{}', '{"changed":"title"}']) {
    const payload = JSON.parse(json);
    expect(() => window.add({ ...recordOf('one', []), payload })).toThrow(TypeError);
  }
  window.add(after);
  await pass(0);
  expect(windows).toEqual([[before, after]]);
});

test('sends nothing after close', async () => {
  const { window, windows } = opened();
  window.add(recordOf('one', ['status']));
  await window.close();
  await pass(10 * marketWindowMs);
  expect(windows).toEqual([]);
});
