import type { LocalPosition } from '@core/contracts/local';
import type { MarketRecord } from '@core/market';
import type { Route } from '@core/policy';
import type { Position, PositionStatus } from '@core/position';
import { leverageBps, raw } from '@core/pricing';
import { expect } from 'vitest';
import { intentsOfSubject, ofOperation } from '../src/transactions/intents.ts';
import { expectPaidOut } from './expectPaidOut.ts';
import { exitOf, type TestStack } from './startTestStack.ts';
import { namedTypesOf } from './writtenEvents.ts';

/** Lets a keeper of its own process kill itself at a named point. */
export async function dieAt(stack: TestStack, failpoint: string, route: Route = 'direct'): Promise<void> {
  const child = stack.spawnKeeper(failpoint, stack.deployment.roles.keeper.privateKey, route);
  const timer = setTimeout(() => child.kill('SIGTERM'), 120_000);
  expect(`${failpoint} ${await exitOf(child)}`).toBe(`${failpoint} SIGKILL`);
  clearTimeout(timer);
}

/** Starts a keeper over the remains, which works until the position has a status and nothing is left to do. */
async function recover(
  stack: TestStack,
  { position, status }: { readonly position: LocalPosition; readonly status: PositionStatus },
): Promise<Position> {
  const keeper = await stack.startKeeper();
  const record = await stack.reaches(position, status);
  await everyIntentToEnd(stack);
  await keeper.close();
  return record;
}

/** A market that an earlier keeper registered or that one registers now. */
async function registeredMarket(stack: TestStack): Promise<MarketRecord> {
  const keeper = await stack.startKeeper();
  const market = await stack.tradableMarket();
  await keeper.close();
  return market;
}

/** Everything the keeper ever sent: one mined transaction per intent that was carried out, and no nonce without one. */
export async function expectOneTransactionPerIntent({ store, driver, deployment }: TestStack): Promise<void> {
  const client = driver.rpc.client;
  const sentIntents = (await store.intents.inStates(['included', 'final', 'reverted'])).filter(
    ({ nonce }) => nonce !== null,
  );
  const nonces = sentIntents.map(({ nonce }) => nonce).toSorted((left, right) => Number(left) - Number(right));
  const chainNonce = await client.getTransactionCount({ address: deployment.roles.keeper.address });
  expect(nonces).toEqual(Array.from({ length: chainNonce }, (_, index) => index));
  for (const intent of sentIntents) {
    const hashes = (await store.intents.transactions(intent.id)).map(({ hash }) => hash as `0x${string}`);
    const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash }).catch(() => null)));
    expect(receipts.filter((receipt) => receipt !== null).length).toBe(1);
  }
}

/** The position was sold by one order of that purpose; one that ran out while no keeper was there sold nothing. */
export async function expectOneFill(
  stack: TestStack,
  {
    position,
    purpose,
  }: { readonly position: LocalPosition; readonly purpose: 'open' | 'close' | 'unwind' | 'liquidate' },
): Promise<void> {
  const intents = await intentsOfSubject(stack.store.intents, position.positionKey);
  const posts = ofOperation(intents, `post_${purpose}`);
  // An order that was filled is final, also where the chain alone says so; one that ran out is dropped.
  expect(posts.filter(({ state }) => state === 'final').length).toBe(1);
  const authorised = ofOperation(intents, `authorize_${purpose}`).filter(({ state }) => state === 'final');
  const finalised = ofOperation(intents, `finalize_${purpose}`).filter(({ state }) => state === 'final');
  // Each sale that the vault allowed was ended, none twice; an opening takes the place of one that ran out.
  expect(finalised.length).toBe(purpose === 'open' ? 1 : authorised.length);
}

/** Nothing that the keeper began is left half-way. */
export async function everyIntentToEnd(stack: TestStack): Promise<void> {
  await stack.until('every intent to be final', async () => {
    const unfinished = await stack.store.intents.inStates(['prepared', 'signed', 'broadcast', 'included', 'reorged']);
    return unfinished.length === 0 ? true : undefined;
  });
}

export const orderEffects = ['authorize', 'post', 'finalize'] as const;

/** Opens and closes a position while the keeper dies at one point of the effect, of the opening and of the close. */
export async function liveThroughCrashes(
  stack: TestStack,
  { effect, moment }: { readonly effect: (typeof orderEffects)[number]; readonly moment: string },
): Promise<Position> {
  const { alice, keeper } = stack.deployment.roles;
  const market = await registeredMarket(stack);
  const before = await stack.driver.usdcOf(alice.address);
  const position = await stack.open({ user: alice, market });
  await dieAt(stack, `${effect}_open:${moment}`);
  const openRecord = await recover(stack, { position, status: 'open' });
  await stack.driver.requestClose({ position, sender: alice, tokenUnits: raw(openRecord.tokenUnits) });
  await dieAt(stack, `${effect}_close:${moment}`);
  const closedRecord = await recover(stack, { position, status: 'closed' });
  await expectPaidOut(stack, closedRecord, { user: alice, before, position });
  expect(await stack.driver.usdcOf(keeper.address)).toBe(0n);
  // An order that ran out while no keeper was there is announced, and the next one opens the position.
  const types = (await namedTypesOf(stack.store, closedRecord.id)).filter((type) => type !== 'notification');
  expect(types).toEqual([
    'position.created',
    'position.opening',
    'position.opened',
    'position.close_requested',
    'position.closed',
  ]);
  for (const purpose of ['open', 'close'] as const) await expectOneFill(stack, { position, purpose });
  await expectOneTransactionPerIntent(stack);
  return closedRecord;
}

/** Liquidates a position while the keeper dies at one point of each effect of the sale. */
export async function liquidateThroughCrashes(stack: TestStack, moment: string): Promise<Position> {
  const { carol: user } = stack.deployment.roles;
  const market = await registeredMarket(stack);
  const side = await stack.likelierSide(market);
  const position = await stack.open({ user, market, side, leverageBps: leverageBps(50_000n) });
  await recover(stack, { position, status: 'open' });
  await stack.fallUnderLiquidation({ market, side, position }, 200n);
  for (const effect of orderEffects) await dieAt(stack, `${effect}_liquidate:${moment}`);
  const liquidated = await recover(stack, { position, status: 'liquidated' });
  await expectOneTransactionPerIntent(stack);
  await expectOneFill(stack, { position, purpose: 'liquidate' });
  expect(await stack.driver.usdcOf(position.account)).toBe(0n);
  return liquidated;
}
