import { afterEach, expect, test } from 'vitest';
import { fixedClock } from '../testing/fixedClock.ts';
import { type LocalServer, startLocalServer, until } from '../testing/localServers.ts';
import { type FollowedClock, followedClock } from './followedClock.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) {
    await end();
  }
});

/** A source whose clock is `base + offsetMs`, and a clock that follows it. */
const start = async (offsetMs: number) => {
  const base = fixedClock(1_000_000);
  const source = { offsetMs, isMute: false };
  const server: LocalServer = await startLocalServer({
    reply: () => (source.isMute ? { status: 503, json: {} } : { json: { now_ms: base.nowMs() + source.offsetMs } }),
  });
  endings.push(() => server.close());
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

test('follows a move within a few polls and tells of it once', async () => {
  const { clock, source } = await start(0);
  const moves: number[] = [];
  clock.onMove((nowMs) => moves.push(nowMs));
  source.offsetMs = 900_000;
  await until(() => clock.offsetMs() === 900_000);
  await new Promise((done) => setTimeout(done, 40));
  expect(moves).toEqual([1_900_000]);
  expect(clock.nowMs()).toBe(1_900_000);
});

test('never runs backwards by drift; takes over the time of a source that was started anew', async () => {
  const { clock, source } = await start(10_000);
  expect(clock.nowMs()).toBe(1_010_000);
  source.offsetMs = 9_700;
  await until(() => clock.offsetMs() === 9_700);
  expect(clock.nowMs()).toBe(1_010_000);
  source.offsetMs = 0;
  await until(() => clock.offsetMs() === 0);
  expect(clock.nowMs()).toBe(1_000_000);
});

test('runs on while the source is silent', async () => {
  const { clock, source, base, server } = await start(500);
  source.isMute = true;
  const countBefore = server.requests.length;
  await until(() => server.requests.length > countBefore + 2);
  base.advanceMs(1_000);
  expect(clock.nowMs()).toBe(1_001_500);
});

test('after close it polls no more and listeners hear nothing', async () => {
  const { clock, server } = await start(0);
  clock.close();
  await new Promise((done) => setTimeout(done, 30));
  const count = server.requests.length;
  await new Promise((done) => setTimeout(done, 50));
  expect(server.requests.length).toBe(count);
});

test('a source that never answers is a retryable fault of the clock', async () => {
  const server = await startLocalServer({ reply: () => ({ json: { now: 'noon' } }) });
  endings.push(() => server.close());
  await expect(followedClock({ url: server.url, pollIntervalMs: 10, startTimeoutMs: 50 })).rejects.toMatchObject({
    origin: 'clock',
    kind: 'retryable',
  });
  expect(server.requests.length).toBeGreaterThan(1);
});
