import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '@core/runtime';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type KeeperFigures, maxPoints, type OperateMessage } from '../operateMessage.ts';
import { maxUnsentBytes, maxViewers, OperateFeed, type Viewer } from './operateFeed.ts';
import { type OperateReads, operateReadsOf } from './readOperateFacts.ts';

const logger = { info: () => undefined };
const figures: KeeperFigures = {
  headAgeSeconds: 1,
  nonceAgeSeconds: 0,
  venueRefusals: 2,
  failingPositions: 0,
  followedDebts: 0,
  dueDebts: 0,
  dueLiquidations: 0,
  dueHardExits: 0,
  dueUnwinds: 0,
  unwindAlerts: 0,
  unknownQuotes: 0,
  unlistedPositions: 0,
  indexedBlock: 9,
};

/** Start a feed whose clock advances by `stepMs` with each read of the figures. */
function startFeed(changes: Partial<OperateReads> = {}, stepMs = 2_000) {
  let nowMs = 0;
  const reads = {
    api: vi.fn<OperateReads['api']>(async () => ({ missing: [], keepers: [] })),
    partners: vi.fn<OperateReads['partners']>(async () => []),
    tasks: vi.fn<OperateReads['tasks']>(async () => []),
    figures: vi.fn<OperateReads['figures']>(async () => {
      nowMs += stepMs;
      return { ...figures };
    }),
    fillers: vi.fn<OperateReads['fillers']>(async () => []),
    alerts: vi.fn<OperateReads['alerts']>(async () => []),
    ...changes,
  };
  const feed = new OperateFeed({ reads, nowMs: () => nowMs, logger, intervalMs: 1 });
  onTestFinished(() => feed.close());
  /** Wait until each of these reads has run `count` more times. */
  const passes = async (count: number, names: readonly (keyof OperateReads)[] = ['api', 'figures']): Promise<void> => {
    for (const name of names) {
      const read = vi.mocked(reads[name]);
      const target = read.mock.calls.length + count;
      await vi.waitFor(() => expect(read.mock.calls.length).toBeGreaterThanOrEqual(target), waiting);
    }
  };
  return { reads, feed, passes, now: () => nowMs };
}

const waiting = { timeout: 20_000, interval: 1 };

function viewerOf(unsentBytesEach = 0) {
  const messages: OperateMessage[] = [];
  const viewer = {
    writableLength: 0,
    write: (text: string) => {
      viewer.writableLength += unsentBytesEach;
      messages.push(JSON.parse(text.replace(/^data: /, '')));
      return true;
    },
    destroy: vi.fn<Viewer['destroy']>(),
  };
  return { viewer, messages };
}

const readingsOf = <Name extends keyof OperateReads>(messages: readonly OperateMessage[], name: Name) =>
  messages.flatMap(({ readings }) => readings[name] ?? []);

test('feed: two viewers → each endpoint is read once for both, and both get the changes', async () => {
  const { feed, reads, passes } = startFeed();
  const [first, second] = [viewerOf(), viewerOf()];
  feed.add(first.viewer);
  feed.add(second.viewer);
  for (const read of Object.values(reads)) expect(read).toHaveBeenCalledTimes(1);
  await passes(10);
  expect(second.messages).toEqual(first.messages);
  // Unchanged readings are not repeated, and the stream is not silent.
  const unread = { facts: null, error: null };
  expect(readingsOf(first.messages, 'figures')).toEqual([unread, { facts: figures, error: null }]);
  expect(first.messages.length).toBeGreaterThan(20);
});

test('feed: one bad program → it is named with its last facts, and the others continue', async () => {
  const api = vi.fn<OperateReads['api']>(async () => ({ missing: ['chain'], keepers: [] }));
  const { feed, passes } = startFeed({ api, partners: () => new Promise(() => undefined) });
  const { viewer, messages } = viewerOf();
  feed.add(viewer);
  await passes(1);
  api.mockRejectedValue(new TypeError('fetch failed'));
  await passes(3, ['api', 'tasks', 'figures']);
  api.mockResolvedValue({ missing: [], keepers: [] });
  await passes(2, ['api']);
  const chainFacts = { missing: ['chain'], keepers: [] };
  expect(readingsOf(messages, 'api')).toEqual([
    { facts: null, error: null },
    { facts: chainFacts, error: null },
    { facts: chainFacts, error: 'no connection' },
    { facts: { missing: [], keepers: [] }, error: null },
  ]);
});

test('feed: no viewer → no reads, and the history remains for the next one', async () => {
  const { feed, reads, passes } = startFeed();
  await delay(20);
  expect(reads.api).not.toHaveBeenCalled();
  const { viewer } = viewerOf();
  feed.add(viewer);
  await passes(2);
  feed.remove(viewer);
  await delay(20);
  const readCount = vi.mocked(reads.api).mock.calls.length;
  await delay(20);
  expect(reads.api).toHaveBeenCalledTimes(readCount);
  const next = viewerOf();
  feed.add(next.viewer);
  const [point] = next.messages[0]?.points ?? [];
  expect(point).toEqual({ atMs: 2_000, headAgeSeconds: 1, nonceAgeSeconds: 0, venueRefusals: 2 });
});

test('feed: a slow viewer → it alone is disconnected', async () => {
  const { feed, passes } = startFeed();
  const [slow, fast] = [viewerOf(maxUnsentBytes / 2), viewerOf()];
  feed.add(slow.viewer);
  feed.add(fast.viewer);
  await passes(3);
  expect(slow.messages).toHaveLength(3);
  expect(slow.viewer.destroy).toHaveBeenCalledOnce();
  expect(fast.viewer.destroy).not.toHaveBeenCalled();
  expect(fast.messages.length).toBeGreaterThan(6);
  feed.close();
  expect(fast.viewer.destroy).toHaveBeenCalledOnce();
});

test('feed: many viewers and more than an hour → viewers and points are bounded', async () => {
  const { feed, passes, now } = startFeed({}, 5_000);
  const viewers = Array.from({ length: maxViewers }, () => viewerOf().viewer);
  for (const viewer of viewers) feed.add(viewer);
  expect(feed.isFull).toBe(true);
  for (const viewer of viewers.slice(1)) feed.remove(viewer);
  expect(feed.isFull).toBe(false);
  await passes(maxPoints + 50, ['figures']);
  const late = viewerOf();
  feed.add(late.viewer);
  const points = late.messages[0]?.points ?? [];
  expect(points).toHaveLength(maxPoints);
  expect(points.every(({ atMs }) => atMs >= now() - 3_600_000)).toBe(true);
});

test('reads: a program without an address, and one with a malformed response → a reason for each', async () => {
  const server = createServer((request, response) => void response.end(request.url === '/metrics' ? 'x 1' : '{}'));
  const { url, close } = await listen(server, { port: 0 });
  onTestFinished(close);
  const origins = { venueUrl: null, apiOperationsUrl: null, keeperOperationsUrl: url, fillerOperationsUrls: [] };
  const { feed } = startFeed(operateReadsOf(origins, () => 0));
  const { viewer, messages } = viewerOf();
  feed.add(viewer);
  const errorOf = (name: keyof OperateReads) => readingsOf(messages, name).at(-1)?.error;
  await vi.waitFor(() => expect(errorOf('tasks')).toBe('the response is malformed'), waiting);
  expect(errorOf('api')).toBe('the address of the API is not configured');
  await vi.waitFor(() => expect(readingsOf(messages, 'figures').at(-1)?.facts?.headAgeSeconds).toBeNull(), waiting);
  const stateOf = (alert: string) =>
    readingsOf(messages, 'alerts')
      .at(-1)
      ?.facts?.find(({ name }) => name === alert)?.state;
  await vi.waitFor(() => expect(stateOf('NonceStuck')).toBe('quiet'), waiting);
  expect(stateOf('ProgramAway')).toBe('unknown');
});
