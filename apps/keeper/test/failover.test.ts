import { startHttpFaultProxy } from '@core/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareLockOf } from '../src/runner/task.ts';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const fence = (): Promise<bigint> => stack.store.locks.fenceToken(shareLockOf(0));

test('F13: a leader that loses its chain steps back, another takes over, and every effect happens once', async () => {
  const proxy = await startHttpFaultProxy(stack.rpcUrl);
  const leader = await stack.startKeeper({ rpcUrl: proxy.url });
  const first = await stack.until('a leader', async () => ((await fence()) > 0n ? await fence() : undefined));
  const market = await stack.tradableMarket();
  const follower = await stack.startKeeper();
  expect(await fence()).toBe(first);

  proxy.addRule({ matches: () => true, fault: { kind: 'hang' }, times: Number.MAX_SAFE_INTEGER });
  await stack.until('another leader', async () => ((await fence()) > first ? true : undefined));
  const position = await stack.open({ user: stack.deployment.roles.alice, market });
  await stack.reaches(position, 'open');
  const opened = await intentsOfSubject(stack.store.intents, position.positionKey);
  expect(opened.filter(({ operation }) => operation === 'authorize_open').length).toBe(1);

  // The chain answers again: the one that stepped back takes over in turn.
  const second = await fence();
  proxy.clearRules();
  await follower.close();
  await stack.until('the first one again', async () => ((await fence()) > second ? true : undefined));
  await stack.driver.requestClose({
    position,
    sender: stack.deployment.roles.alice,
    tokenUnits: (await stack.driver.positionOf(position)).tokenUnits,
  });
  await stack.reaches(position, 'closed');
  await leader.close();
  await proxy.close();
});

test('a venue that refuses our credentials freezes no position: orders wait and go on by themselves', async () => {
  const proxy = await startHttpFaultProxy(stack.venue.url);
  const keeper = await stack.startKeeper({ venueUrl: proxy.url, referenceUrl: stack.venue.url });
  const market = await stack.tradableMarket();
  const refusal = { kind: 'answer', status: 401, bodyText: '{"error":"Unauthorized/Invalid api key"}' } as const;
  proxy.addRule({
    matches: ({ path }) => path === '/order' || path.startsWith('/data/order'),
    fault: refusal,
    times: 3,
  });
  const position = await stack.open({ user: stack.deployment.roles.bob, market });
  const opened = await stack.reaches(position, 'open');
  expect(opened.frozenReason).toBeNull();
  expect(await stack.store.positions.frozen(10)).toEqual([]);
  const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(/keeper_venue_refusals_total\{code="credentials_refused"\} [1-9]/);
  expect(metrics).toMatch(/keeper_venue_breaker_open 0/);
  await keeper.close();
  await proxy.close();
});
