import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { fixedClock } from '../testing/fixedClock.ts';
import { type FollowedClock, followedClock, openClock } from './followedClock.ts';
import { listen } from './listen.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) {
    await end();
  }
});

/** An HTTP server that answers every request alike. */
const startSource = async (reply: () => { readonly status?: number; readonly body: unknown }) => {
  const requests = { count: 0 };
  const listening = await listen(
    createServer((_, response) => {
      requests.count += 1;
      const { status = 200, body } = reply();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }),
    { port: 0 },
  );
  endings.push(() => listening.close());
  return { url: listening.url, requests };
};

/** A source whose clock is `base + offsetMs`, and a clock that follows it. */
const start = async (offsetMs: number) => {
  const base = fixedClock(1_000_000);
  const source = { offsetMs, isMute: false };
  const server = await startSource(() =>
    source.isMute ? { status: 503, body: {} } : { body: { now_ms: base.nowMs() + source.offsetMs } },
  );
  const clock: FollowedClock = await followedClock({ url: server.url, base, pollIntervalMs: 10 });
  endings.push(() => clock.close());
  return { base, source, server, clock };
};

test('shows the source’s time from the first reading on', async () => {
  const { clock, base } = await start(3_600_000);
  expect(clock.nowMs()).toBe(4_600_000);
  base.advanceMs(7);
  expect(clock.nowMs()).toBe(4_600_007);
});

test('a move of the source: the clock follows within a few polls and emits it once', async () => {
  const { clock, source } = await start(0);
  const moves: number[] = [];
  clock.onMove((nowMs) => moves.push(nowMs));
  source.offsetMs = 900_000;
  await expect.poll(() => clock.offsetMs(), { interval: 5 }).toBe(900_000);
  await delay(40);
  expect(moves).toEqual([1_900_000]);
  expect(clock.nowMs()).toBe(1_900_000);
});

test('drift never turns the clock back; a restarted source sets it', async () => {
  const { clock, source } = await start(10_000);
  expect(clock.nowMs()).toBe(1_010_000);
  source.offsetMs = 9_700;
  await expect.poll(() => clock.offsetMs(), { interval: 5 }).toBe(9_700);
  expect(clock.nowMs()).toBe(1_010_000);
  source.offsetMs = 0;
  await expect.poll(() => clock.offsetMs(), { interval: 5 }).toBe(0);
  expect(clock.nowMs()).toBe(1_000_000);
});

test('runs on while the source is silent', async () => {
  const { clock, source, base, server } = await start(500);
  source.isMute = true;
  const countBefore = server.requests.count;
  await expect.poll(() => server.requests.count, { interval: 5 }).toBeGreaterThan(countBefore + 2);
  base.advanceMs(1_000);
  expect(clock.nowMs()).toBe(1_001_500);
});

test('after close: no poll and no call of a listener', async () => {
  const { clock, server } = await start(0);
  clock.close();
  const count = server.requests.count;
  await delay(80);
  // One may have been on its way.
  expect(server.requests.count).toBeLessThanOrEqual(count + 1);
});

test('a source that never answers is a retryable fault of the clock', async () => {
  const server = await startSource(() => ({ body: { now: 'noon' } }));
  await expect(followedClock({ url: server.url, pollIntervalMs: 10, startTimeoutMs: 50 })).rejects.toMatchObject({
    origin: 'clock',
    kind: 'retryable',
  });
  expect(server.requests.count).toBeGreaterThan(1);
});

test('a program without a source has the clock of the machine', async () => {
  const clock = await openClock(null);
  const beforeMs = Date.now();
  expect(clock.nowMs()).toBeGreaterThanOrEqual(beforeMs);
  clock.close();
  const { url } = await startSource(() => ({ body: { now_ms: Date.now() + 86_400_000 } }));
  const followed = await openClock(url);
  endings.push(() => followed.close());
  expect(followed.nowMs()).toBeGreaterThan(beforeMs + 80_000_000);
});
