import { leverageBps } from '@core/pricing';
import { VenueControl } from '@core/venue-sim/control';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { severalRounds } from '../testing/severalRounds.ts';
import { type HeldPosition, startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const authorizedCount = async ({ positionKey }: HeldPosition['position'], operation: 'open' | 'liquidate') =>
  ofOperation(await intentsOfSubject(stack.store.intents, positionKey), `authorize_${operation}`).length;

const metricsOf = async (keeper: { readonly metricsUrl: string }): Promise<string> =>
  (await fetch(`${keeper.metricsUrl}/metrics`)).text();

test('post-only minutes: a market crashes in them → nothing is authorised in vain, and the debt is sold after them', async () => {
  const keeper = await stack.startKeeper();
  const { alice, bob } = stack.deployment.roles;
  const market = await stack.tradableMarket();
  const side = await stack.likelierSide(market);
  const position = await stack.open({ user: alice, market, side, leverageBps: leverageBps(50_000n) });
  await stack.reaches(position, 'open');
  await new VenueControl(stack.venue.url).play('restart_425', null, { seconds: 0.001, post_only_seconds: 15 });
  await stack.fallUnderLiquidation({ market, side, position });
  await stack.until('the keeper to pause', async () =>
    /^keeper_venue_breaker_open 1$/m.test(await metricsOf(keeper)) ? true : undefined,
  );
  const opening = await stack.open({ user: bob, market: await stack.tradableMarket() });
  await stack.reaches(position, 'liquidated');
  // The order that met the refusal was authorised before it, and the one that sold the debt after the pause.
  expect(await authorizedCount(position, 'liquidate')).toBeLessThanOrEqual(2);
  expect(await authorizedCount(opening, 'open')).toBeLessThanOrEqual(1);
  await stack.reaches(opening, 'open');
  await keeper.close();
});

test('planned restart: one is near → quotes are off and nothing opens, and after its window it does', async () => {
  const atMs = stack.venue.venue.nowMs + 60_000;
  const keeper = await stack.startKeeper({ restarts: [{ kind: 'once', atMs }] });
  const { carol, bob } = stack.deployment.roles;
  const waiting = await stack.open({ user: carol, market: await stack.tradableMarket() });
  await severalRounds(stack, keeper);
  expect(await authorizedCount(waiting, 'open')).toBe(0);
  const isTakingOrders = async (): Promise<boolean | undefined> => {
    const [heartbeat] = await stack.store.heartbeats.all();
    return (heartbeat?.detail as { readonly isVenueTakingOrders?: boolean } | undefined)?.isVenueTakingOrders;
  };
  expect(await isTakingOrders()).toBe(false);
  await stack.advance(480);
  await stack.until('quotes to be on', async () => ((await isTakingOrders()) === true ? true : undefined));
  const opening = await stack.open({ user: bob, market: await stack.tradableMarket() });
  await stack.reaches(opening, 'open');
  await keeper.close();
});
