import type { OutboxRecord } from '@core/store';
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
function recordOf(marketId: string, changed: readonly string[], type = 'market.updated'): OutboxRecord {
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
  const sent: (readonly OutboxRecord[])[] = [];
  const failed: unknown[] = [];
  const window = new MarketWindow(
    async (records) => {
      await Promise.resolve();
      const failure = failures[failed.length];
      if (failure !== undefined) throw failure;
      sent.push(records);
    },
    (cause) => failed.push(cause),
  );
  return { window, sent, failed };
}

const { marketWindowMs } = socketLimits;
const pass = (spanMs: number): Promise<unknown> => vi.advanceTimersByTimeAsync(spanMs);

test('the first change goes out at once; of those within the window after it each market is announced once', async () => {
  const { window, sent } = opened();
  const first = recordOf('one', ['status']);
  window.add(first);
  await pass(0);
  expect(sent).toEqual([[first]]);
  const [again, other, last] = [recordOf('one', ['status']), recordOf('two', ['title']), recordOf('one', ['status'])];
  window.add(again);
  await pass(marketWindowMs / 2);
  window.add(other);
  window.add(last);
  await pass(marketWindowMs / 2 - 1);
  expect(sent).toHaveLength(1);
  await pass(1);
  expect(sent[1]).toEqual([other, last]);
  await pass(10 * marketWindowMs);
  expect(sent).toHaveLength(2);
});

test('a change is left out only when a later one says all that it says, and a discovery never', async () => {
  const { window, sent } = opened();
  const discovered = recordOf('one', [], 'market.discovered');
  const records = [
    discovered,
    recordOf('one', ['title']),
    recordOf('one', ['status']),
    recordOf('one', ['status', 'tags']),
  ];
  for (const record of records) window.add(record);
  await pass(0);
  expect(sent).toEqual([[discovered, records[1], records[3]]]);
});

test('what could not be sent goes out with the next window, before what came later', async () => {
  const failure = new Error('the database is away');
  const { window, sent, failed } = opened([failure, failure]);
  const [covered, kept] = [recordOf('one', ['status']), recordOf('two', ['title'])];
  window.add(covered);
  window.add(kept);
  await pass(0);
  const later = recordOf('one', ['status', 'tags']);
  window.add(later);
  await pass(marketWindowMs);
  expect(sent).toEqual([]);
  await pass(marketWindowMs);
  expect(sent).toEqual([[kept, later]]);
  expect(failed).toEqual([failure, failure]);
});

test('nothing is sent after the end', async () => {
  const { window, sent } = opened();
  window.add(recordOf('one', ['status']));
  await window.close();
  await pass(10 * marketWindowMs);
  expect(sent).toEqual([]);
});
