import { raw } from '@core/pricing';
import { keeperHeartbeatOf } from '@core/runtime';
import { type HttpFaultProxy, startHttpFaultProxy } from '@core/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { type HeldPosition, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;
let proxy: HttpFaultProxy;

beforeAll(async () => {
  stack = await startTestStack();
  proxy = await startHttpFaultProxy(stack.venue.url);
  keeper = await stack.startKeeper({ venueUrl: proxy.url });
});
afterAll(async () => {
  await keeper.close();
  await proxy.close();
  await stack.close();
});

async function openIn(): Promise<HeldPosition & { readonly tokenUnits: bigint }> {
  const market = await stack.tradableMarket();
  const position = await stack.open({ user: stack.deployment.roles.alice, market });
  const { tokenUnits } = await stack.reaches(position, 'open');
  return { market, side: 'yes', position, tokenUnits: raw(tokenUnits) };
}

const requestClose = ({ position, tokenUnits }: Awaited<ReturnType<typeof openIn>>): Promise<unknown> =>
  stack.driver.requestClose({ position, sender: stack.deployment.roles.alice, tokenUnits });

const metricsText = async (): Promise<string> => (await fetch(`${keeper.metricsUrl}/metrics`)).text();

async function sampleOf(pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await metricsText())?.[1] ?? 0);
}

/** Failures of the tasks without which the heartbeat is silent. */
async function failedRoundsOf(): Promise<readonly string[]> {
  return (await metricsText()).match(/^keeper_task_failures_total\{task="advance.*$/gm) ?? [];
}

async function heartbeatAtMs(): Promise<number> {
  const name = keeperHeartbeatOf(stack.deployment.roles.keeper.address);
  const all = await stack.store.heartbeats.all();
  return all.find((heartbeat) => heartbeat.name === name)?.lastSuccessAtMs ?? 0;
}

test('keeper: no book of one position can be read → it says so, its heartbeat continues, and others are closed', async () => {
  const poisoned = await openIn();
  const healthy = await openIn();
  proxy.addRule({
    matches: ({ path }) => path.startsWith('/book') && path.includes(poisoned.market.yesTokenId),
    fault: { kind: 'answer', status: 500, bodyText: '{"error":"internal"}' },
    times: Number.POSITIVE_INFINITY,
  });
  await requestClose(poisoned);
  await stack.until('five failures of one position', async () =>
    (await sampleOf(/keeper_position_failures_total\{kind="retryable"\} (\d+)/)) >= 5 ? true : undefined,
  );
  expect(await sampleOf(/keeper_failing_positions (\d+)/)).toBe(1);
  const failedRounds = await failedRoundsOf();
  const before = await heartbeatAtMs();
  await stack.until('another heartbeat', async () => ((await heartbeatAtMs()) > before ? true : undefined));
  await requestClose(healthy);
  await stack.reaches(healthy.position, 'closed');
  await stack.until('a keeper that is ready', async () =>
    (await fetch(`${keeper.metricsUrl}/readyz`)).ok ? true : undefined,
  );
  expect(await failedRoundsOf()).toEqual(failedRounds);
  proxy.clearRules();
  await stack.reaches(poisoned.position, 'closed');
  await stack.until('no failing position', async () =>
    (await sampleOf(/keeper_failing_positions (\d+)/)) === 0 ? true : undefined,
  );
});
