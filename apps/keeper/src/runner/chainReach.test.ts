import { createLogger, NodeHealth } from '@core/runtime';
import { fixedClock } from '@core/runtime/testing';
import { afterEach, expect, test } from 'vitest';
import { startMetricsServer } from '../http/metricsServer.ts';
import { ChainReach } from './chainReach.ts';
import { createKeeperMetrics } from './keeperMetrics.ts';

const startSeconds = 1_800_000_000;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/**
 * A keeper's view of a chain that a test moves, and its readiness as an operator reads it.
 * @param leadSeconds Lead of the chain over the service clock when the process starts.
 */
async function openReach({ leadSeconds = 0, releaseAfterMs = 20 } = {}) {
  const clock = fixedClock(startSeconds * 1_000);
  const chain = {
    seconds: startSeconds + leadSeconds,
    answers: true,
    nonceAgeMs: 0,
    refusal: '',
    pollCount: 0,
    headCount: 0,
  };
  const locks = { isFollowed: false, releaseCount: 0 };
  const metrics = createKeeperMetrics();
  const readHead = () => {
    chain.pollCount += 1;
    return chain.answers
      ? Promise.resolve({
          number: BigInt(chain.seconds),
          timestamp: BigInt(chain.seconds),
          hash: String(chain.seconds),
        })
      : Promise.reject(new Error('away'));
  };
  const view = new ChainReach({
    readHead,
    onHead: () => {
      chain.headCount += 1;
    },
    isFollowed: () => Promise.resolve(locks.isFollowed),
    onLost: () => {
      locks.releaseCount += 1;
      return Promise.resolve();
    },
    sending: () => ({
      nonceAgeMs: chain.nonceAgeMs,
      refusal: chain.refusal || null,
      coin: null,
      hasRole: true,
      isAboveCeiling: false,
    }),
    limits: { maxHeadAgeMs: 20_000, maxNonceAgeMs: 30_000 },
    clock,
    logger: createLogger({ name: 'keeper', level: 'silent' }),
    metrics,
    timing: { intervalMs: 1, lostAfterMs: 10, releaseAfterMs },
  });
  const { registry } = metrics;
  const [fills, nodes] = [{ reports: [] }, new NodeHealth(1)];
  const chainReport = () => view.report();
  const server = await startMetricsServer({ registry, health: () => [], nodes, chain: chainReport, fills, port: 0 });
  closers.push(
    () => view.stop(),
    () => server.close(),
  );
  const readiness = async () => {
    const polled = chain.pollCount + 2;
    await expect.poll(() => chain.pollCount).toBeGreaterThan(polled);
    const answer = await fetch(`${server.url}/readyz`);
    const { problems } = (await answer.json()) as { readonly problems: readonly string[] };
    return [answer.status, problems];
  };
  return {
    clock,
    chain,
    locks,
    readiness,
    view,
    metricsText: async () => (await fetch(`${server.url}/metrics`)).text(),
  };
}

test('readiness: blocks come, nothing waits → ready', async () => {
  const { clock, chain, readiness } = await openReach();
  for (let index = 0; index < 3; index += 1) {
    clock.advanceMs(10_000);
    chain.seconds += 10;
    expect(await readiness()).toEqual([200, []]);
  }
});

test('readiness: the head was old at the start → not ready, and ready as soon as a block comes', async () => {
  const { chain, readiness, metricsText } = await openReach({ leadSeconds: -120 });
  expect(await readiness()).toEqual([503, ['head_too_old']]);
  expect(await metricsText()).toMatch(/keeper_head_age_seconds 120\b/);
  chain.seconds += 120;
  expect(await readiness()).toEqual([200, []]);
});

test('readiness: the clock of the chain is a day ahead at the start → not ready, and the lead is a metric', async () => {
  const { readiness, metricsText } = await openReach({ leadSeconds: 86_401 });
  expect(await readiness()).toEqual([503, ['clock_ahead']]);
  expect(await metricsText()).toMatch(/keeper_chain_lead_seconds 86401\b/);
});

test('readiness: transactions wait and none is mined → not ready, with the age in metrics and heartbeat', async () => {
  const { chain, readiness, view, metricsText } = await openReach();
  chain.nonceAgeMs = 30_000;
  expect(await readiness()).toEqual([200, []]);
  chain.nonceAgeMs = 30_001;
  expect(await readiness()).toEqual([503, ['nonce_stuck']]);
  expect(view.report()).toMatchObject({ nonceAgeMs: 30_001, problems: ['nonce_stuck'] });
  expect(await metricsText()).toMatch(/keeper_nonce_age_seconds 30.001\b/);
});

test('readiness: the chain does not answer → not ready', async () => {
  const { chain, readiness } = await openReach();
  expect(await readiness()).toEqual([200, []]);
  chain.answers = false;
  await expect.poll(readiness).toEqual([503, ['chain_unreachable']]);
});

test('heads: each new one is reported once', async () => {
  const { chain, readiness } = await openReach();
  for (const count of [1, 2, 3]) {
    expect(await readiness()).toEqual([200, []]);
    expect(chain.headCount).toBe(count);
    chain.seconds += 1;
  }
});

test('locks: the chain is lost → a keeper alone keeps them, a followed one releases them once', async () => {
  const { chain, locks, readiness } = await openReach({ releaseAfterMs: Number.POSITIVE_INFINITY });
  chain.answers = false;
  await expect.poll(readiness).toEqual([503, ['chain_unreachable']]);
  const { pollCount } = chain;
  await expect.poll(() => chain.pollCount).toBeGreaterThan(pollCount + 5);
  expect(locks.releaseCount).toBe(0);
  locks.isFollowed = true;
  await expect.poll(() => locks.releaseCount).toBe(1);
  const later = chain.pollCount;
  await expect.poll(() => chain.pollCount).toBeGreaterThan(later + 5);
  expect(locks.releaseCount).toBe(1);
});

test('locks: the chain is lost for long → a keeper alone releases them, a standby with its key may run', async () => {
  const { chain, locks } = await openReach();
  chain.answers = false;
  await expect.poll(() => locks.releaseCount).toBe(1);
});
