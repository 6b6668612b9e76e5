import type { LocalMarket } from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { fixedClock } from '@core/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMetricsServer } from '../src/http/metricsServer.ts';
import { FillWatch } from '../src/indexer/fillWatch.ts';
import { endGrant, fillGrant, grantOpening } from '../testing/grants.ts';
import { startTestConnections, type TestConnections } from '../testing/startTestConnections.ts';
import { createTraded, openTradedMarket } from '../testing/tradeAtHalf.ts';

const { unfilledCount, fillWindowMs } = policyDefaults.grant;
/** Longer than a grant of these tests. */
const runOutSeconds = 25;
let world: TestConnections;
let market: LocalMarket;
let seed = 0;
beforeAll(async () => {
  world = await startTestConnections();
  market = await openTradedMarket(world, 'grants without fillers');
});
afterAll(() => world.close());

/** A grant of a new position, and its end. */
async function grantOnce(end: 'run out' | 'withdraw' | 'fill'): Promise<void> {
  seed += 1;
  const position = await createTraded(world, market, seed);
  await grantOpening(world, position);
  if (end === 'fill') {
    const [maker] = world.deployment.roles.makers;
    if (maker === undefined) throw new Error('the deployment has no maker');
    return fillGrant(world, maker, position);
  }
  if (end === 'run out') await world.driver.rpc.advance(runOutSeconds);
  return endGrant(world, position);
}

/** Index the chain and read `/readyz` of a keeper so long after the last block. */
async function readyAfter(laterMs: number, route: 'fill' | 'direct' = 'fill') {
  await world.run('indexChain');
  const nowMs = Number(await world.driver.rpc.nowSeconds()) * 1_000 + laterMs;
  const { store, chain, policy, metrics } = world.connections;
  const { health: nodes } = chain;
  const fills = new FillWatch({ store, chainKey: chain.chainKey, route, policy, clock: fixedClock(nowMs) });
  await fills.update();
  const report = { headAgeMs: 0, leadMs: 0, nonceAgeMs: 0, refusal: null, coin: null, problems: [] };
  const { registry } = metrics;
  const server = await startMetricsServer({ registry, health: () => [], nodes, chain: () => report, fills, port: 0 });
  try {
    const answer = await fetch(`${server.url}/readyz`);
    const { problems, fills: shown } = (await answer.json()) as {
      readonly problems: readonly string[];
      readonly fills: readonly { readonly summary: string }[];
    };
    return [answer.status, problems, shown.map(({ summary }) => summary)];
  } finally {
    await server.close();
  }
}

const summaryOf = (filledCount: number, count: number): string =>
  `unlisted openings: ${filledCount} of ${count} grants of the last 10 minutes were filled`;

test('grants that run out make the keeper not ready, and withdrawn ones do not', async () => {
  expect(await readyAfter(0)).toEqual([200, [], []]);
  for (let count = 0; count < unfilledCount; count += 1) await grantOnce('withdraw');
  expect(await readyAfter(0)).toEqual([200, [], []]);
  for (let count = 1; count < unfilledCount; count += 1) await grantOnce('run out');
  expect(await readyAfter(0)).toEqual([200, [], [summaryOf(0, unfilledCount - 1)]]);
  await grantOnce('run out');
  expect(await readyAfter(0)).toEqual([503, ['openings_unfilled'], [summaryOf(0, unfilledCount)]]);
  expect(await readyAfter(0, 'direct')).toEqual([200, [], []]);
});

test('a window after the last one it is ready again by itself', async () => {
  expect(await readyAfter(fillWindowMs - 1)).toEqual([503, ['openings_unfilled'], [summaryOf(0, 1)]]);
  expect(await readyAfter(fillWindowMs)).toEqual([200, [], []]);
});

test('an unfilled trial makes it not ready at once, and a filled one ready', async () => {
  await world.driver.rpc.advance(fillWindowMs / 1_000);
  await grantOnce('run out');
  expect(await readyAfter(0)).toEqual([503, ['openings_unfilled'], [summaryOf(0, 1)]]);
  await grantOnce('fill');
  expect(await readyAfter(0)).toEqual([200, [], [summaryOf(1, 2)]]);
});
