import { raw } from '@core/pricing';
import { type HttpFaultProxy, type HttpFaultRule, startHttpFaultProxy } from '@core/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Keeper } from '../src/index.ts';
import { intentsOfSubject } from '../src/transactions/intents.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

let stack: TestStack;
let keeper: Keeper;
let proxy: HttpFaultProxy;

beforeAll(async () => {
  stack = await startTestStack();
  proxy = await startHttpFaultProxy(stack.venue.url);
  keeper = await stack.startKeeper({ venueUrl: proxy.url });
});
afterEach(() => proxy.clearRules());
afterAll(async () => {
  await keeper.close();
  await proxy.close();
  await stack.close();
});

const orderRead: HttpFaultRule['matches'] = ({ path }) => path.startsWith('/data/order/');
const privateRead: HttpFaultRule['matches'] = ({ path }) => path.startsWith('/data/');

/** Chain time that was left of an order when the keeper decided to end it, for each order of a position. */
async function leftMsOf(positionKey: string): Promise<readonly number[]> {
  const intents = await intentsOfSubject(stack.store.intents, positionKey);
  const decidedAtMs = (prefix: string): readonly number[] =>
    intents.flatMap(({ operation, plan }) =>
      operation.startsWith(prefix) && plan.kind === 'transaction' && 'decidedAtMs' in plan.details
        ? [plan.details.decidedAtMs]
        : [],
    );
  const authorized = decidedAtMs('authorize_');
  // An opening order is allowed for thirty seconds, a sale for more.
  return decidedAtMs('finalize_').map((atMs, index) => (authorized[index] ?? 0) + 30_000 - atMs);
}

test.each([
  ['shows no order', orderRead, 200, 'null'],
  ['does not know the order', orderRead, 404, '{"error":"not found"}'],
  ['fails for the order', orderRead, 500, '{"error":"internal"}'],
  ['answers rubbish for the order', orderRead, 200, '{"id":7}'],
  ['shows neither order nor trades', privateRead, 200, 'null'],
])('a filled order: the venue %s → the position opens and closes while the order is allowed', async (...shape) => {
  const [, matches, status, bodyText] = shape;
  proxy.addRule({ matches, fault: { kind: 'answer', status, bodyText }, times: Number.POSITIVE_INFINITY });
  const { alice } = stack.deployment.roles;
  const market = await stack.tradableMarket();
  const position = await stack.open({ user: alice, market });
  const { tokenUnits } = await stack.reaches(position, 'open');
  await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(tokenUnits) });
  await stack.reaches(position, 'closed');
  const remainingMs = await leftMsOf(position.positionKey);
  expect(remainingMs.length).toBe(2);
  expect(Math.min(...remainingMs)).toBeGreaterThan(0);
  const posts = (await intentsOfSubject(stack.store.intents, position.positionKey)).filter(({ operation }) =>
    operation.startsWith('post_'),
  );
  expect(posts.map(({ state }) => state)).toEqual(['final', 'final']);
});
