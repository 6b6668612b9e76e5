import { defaultMarketShareCount } from '@core/runtime';
import { shareLockOf } from '@core/store';
import { startHttpFaultProxy } from '@core/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const fence = (): Promise<bigint> =>
  stack.store.locks.fenceToken(shareLockOf({ share: 0, shareCount: defaultMarketShareCount }));

/** Close a keeper or a proxy also when its test fails: the next test has the shares to itself. */
function closeAfterTest<Closable extends { close(): Promise<unknown> }>(closable: Closable): Closable {
  onTestFinished(async () => {
    await closable.close();
  });
  return closable;
}

const shareCountOf = async ({ metricsUrl }: { readonly metricsUrl: string }): Promise<number> => {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^keeper_market_shares (\d+)/m.exec(text)?.[1]);
};

test('F13: a leader that loses its chain steps back, another takes over, and every effect happens once', async () => {
  const proxy = closeAfterTest(await startHttpFaultProxy(stack.rpcUrl));
  closeAfterTest(await stack.startKeeper({ rpcUrl: proxy.url }));
  const market = await stack.tradableMarket();
  const follower = await stack.startKeeper();

  proxy.addRule({ matches: () => true, fault: { kind: 'hang' }, times: Number.MAX_SAFE_INTEGER });
  await stack.until('all shares at the other one', async () =>
    (await shareCountOf(follower)) === defaultMarketShareCount ? true : undefined,
  );
  const position = await stack.open({ user: stack.deployment.roles.alice, market });
  await stack.reaches(position, 'open');
  const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
  expect(intents.filter(({ operation }) => operation === 'authorize_open').length).toBe(1);

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
});

test('a venue that refuses our credentials freezes no position: orders wait and continue by themselves', async () => {
  const proxy = closeAfterTest(await startHttpFaultProxy(stack.venue.url));
  const keeper = closeAfterTest(
    await stack.startKeeper({ venueUrl: proxy.url, reference: { kind: 'http', url: stack.venue.url } }),
  );
  const market = await stack.tradableMarket();
  const refusal = { kind: 'answer', status: 401, bodyText: '{"error":"Unauthorized/Invalid api key"}' } as const;
  proxy.addRule({
    matches: ({ path }) => path === '/order' || path.startsWith('/data/order'),
    fault: refusal,
    times: 3,
  });
  const position = await stack.open({ user: stack.deployment.roles.bob, market });
  const openRecord = await stack.reaches(position, 'open');
  expect(openRecord.frozenReason).toBeNull();
  expect(await stack.store.positions.frozen(10)).toEqual([]);
  const metrics = await (await fetch(`${keeper.metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(/keeper_venue_refusals_total\{code="credentials_refused"\} [1-9]/);
  expect(metrics).toMatch(/keeper_venue_breaker_open 0/);
});
